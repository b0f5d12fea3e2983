import { createMakePrintSheetJob } from '../../../../src/features/codes/print-sheets/make-print-sheet.job.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createTestCode } from '../../codes/code-helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

/** A5 with 2 × 3 labels. */
const MEASURES = {
  'custom.page.width': '148',
  'custom.page.height': '210',
  'custom.columns': '2',
  'custom.rows': '3',
  'custom.left': '7,5',
  'custom.top': '10',
  'custom.width': '60',
  'custom.height': '55.5',
  'custom.pitchX': '65',
  'custom.pitchY': '60',
};

t.test('labels have measures, texts and marks of the form, and are made', async (t) => {
  const app = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org' });
  const user = await app.createUser();
  const { id } = await createTestCode(app, user, { title: 'Drill', metadata: { site: 'Berlin' } });
  await app.services.jobs.stop();
  const browser = await signInBrowser(app, user);
  const page = `/app/${user.id}/print`;
  const options = {
    ...MEASURES,
    shortNumber: '1',
    metadataKey: 'site',
    cutMarks: '1',
    background: '#ffee00',
    bleed: '1.5',
    'offset.x': '-2',
    'offset.y': '0,5',
    startCell: '4',
  };
  await browser.open(`${page}?${new URLSearchParams({ ids: id, group: 'CUSTOM', ...options })}`);
  t.match(browser.main, /aria-current="page">Measures of your own/);
  t.match(browser.main, 'viewBox="0 0 148 210"');
  t.match(browser.main, '1 page.');
  t.match(browser.main, '<details open>', 'what is chosen is visible');
  t.ok(browser.page.text.length < 30_000, `${browser.page.text.length} bytes`);
  await browser.send('/print');
  const [, sheetId = ''] = /\/print\/(\w{24})$/.exec(browser.path) ?? [];
  const row = await app.database.client.printSheet.findFirstOrThrow({ where: { id: sheetId } });
  t.match(row, {
    template: null,
    options: {
      texts: ['TITLE', 'FOUND', 'SHORT_NUMBER', 'METADATA'],
      metadataKey: 'site',
      sheet: {
        grid: {
          ...{ page: { width: 148, height: 210 }, columns: 2, rows: 3, left: 7.5, top: 10 },
          ...{ width: 60, height: 55.5, pitchX: 65, pitchY: 60, shape: 'RECTANGLE' },
        },
        ...{ startCell: 4, background: '#ffee00', bleedMillimeters: 1.5, cutMarks: true },
        offset: { x: -2, y: 0.5 },
      },
    },
  });
  await createMakePrintSheetJob(app.services)({ accountId: user.id, printSheetId: sheetId });
  await browser.open(`${page}/${sheetId}`);
  t.match(browser.main, '1 label');
});

t.test('measures that cannot be are refused at their fields', async (t) => {
  const app = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org' });
  const user = await app.createUser();
  const { id } = await createTestCode(app, user);
  const browser = await signInBrowser(app, user);
  const page = `/app/${user.id}/print`;
  const open = (changes: Record<string, string>) =>
    browser.open(`${page}?${new URLSearchParams({ ids: id, group: 'CUSTOM', ...MEASURES, ...changes })}`);
  for (const [field, value, text] of [
    ['custom.width', '0', 'This number is too small.'],
    ['custom.page.width', '1000000000', 'Please enter a number.'],
    ['custom.page.height', '999999999', 'This number is too large.'],
    ['custom.left', 'NaN', 'Please enter a number.'],
    ['custom.top', '-1', 'This number is too small.'],
    ['custom.columns', '2.5', 'Please enter a number.'],
    ['custom.rows', '1e3', 'Please enter a number.'],
    ['custom.rows', '51', 'This number is too large.'],
    ['custom.columns', '3', 'The labels don’t fit on the page.'],
    ['custom.pitchX', '59', 'The labels would overlap.'],
    ['custom.height', '"><script>alert(1)</script>', 'Please enter a number.'],
    ['bleed', '6', 'This number is too large.'],
    ['offset.x', '-11', 'This number is too small.'],
    ['offset.y', 'Infinity', 'Please enter a number.'],
    ['background', 'red', 'Please check this.'],
    ['background', '#111111', 'Please check this.'],
    ['metadataKey', 'x'.repeat(41), 'This is too long.'],
  ] as const) {
    await open({ [field]: value });
    t.equal(browser.page.status, 200, `${field} ${value}`);
    t.match(browser.main, `id="${field}-error">${text}`, `${field} ${value}`);
    t.notMatch(browser.page.text, '<script>alert');
    t.notMatch(browser.main, 'Make the PDF', `${field} ${value}`);
  }
  await open({});
  await browser.send('/print', { 'custom.width': '0' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="custom.width-error"');
  t.equal(await app.database.client.printSheet.count(), 0);
  await open({ 'custom.width': '6', 'custom.height': '6' });
  t.match(browser.main, 'These labels are too small');
  t.notMatch(browser.main, 'Make the PDF');
});

t.test('a page to check the position is drawn at once, for any labels', async (t) => {
  const app = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org' });
  const user = await app.createUser();
  const browser = await signInBrowser(app, user);
  const page = `/app/${user.id}/print/calibration`;
  for (const query of ['', `?${new URLSearchParams({ group: 'CUSTOM', ...MEASURES, 'offset.x': '1' })}`]) {
    await browser.open(`${page}${query}`);
    t.match(browser.page, {
      status: 200,
      headers: { 'content-type': 'application/pdf', 'cache-control': 'no-store' },
    });
    t.match(browser.page.text, /^%PDF-/);
  }
  await browser.open(`${page}?group=CUSTOM&custom.width=0`);
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="custom.width-error"');
  t.match((await app.call('GET', page)).status, 303, 'only after signing in');
});
