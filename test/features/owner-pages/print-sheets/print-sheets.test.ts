import { createMakePrintSheetJob } from '../../../../src/features/codes/print-sheets/make-print-sheet.job.ts';
import { PRINT_SHEET_QUEUE } from '../../../../src/features/codes/print-sheets/print-sheet-queue.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createTestCode } from '../../codes/code-helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

t.test('labels of selected codes are chosen, made, downloaded and deleted', async (t) => {
  const app = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org' });
  const [user, other] = [await app.createUser(), await app.createUser()];
  const ids: string[] = [];
  for (const title of ['Rex', '<b>Luna</b>']) ids.push((await createTestCode(app, user, { title })).id);
  await createTestCode(app, user, { title: 'Not selected' });
  await app.services.jobs.stop();
  const browser = await signInBrowser(app, user);

  await browser.open(`/app/${user.id}/codes/${ids[0]}/print`);
  t.match(browser.main, `/app/${user.id}/print?ids=${ids[0]}`);
  await browser.open(`/app/${user.id}/print?ids=${ids.join(',')}&template=avery-l7651&startCell=64`);
  t.match(browser.main, 'A label for each of 2 codes');
  t.match(browser.main, '1 page.');
  t.match(browser.main, 'Each code is 19.1 mm wide.');
  t.ok(browser.page.text.length < 30_000, `${browser.page.text.length} bytes`);
  await browser.send('/print');
  const [path = ''] = /\/app\/\w+\/print\/\w+$/.exec(browser.path) ?? [];
  t.match(browser.main, '0 of 2 done');
  t.match(browser.main, 'data-state="WAITING-0-0"');
  await browser.open(`${path}/updates`);
  t.equal(browser.page.text, 'WAITING-0-0');
  const id = path.split('/').at(-1) ?? '';
  await createMakePrintSheetJob(app.services)({ accountId: user.id, printSheetId: id });
  await browser.open(path);
  t.match(browser.main, '2 labels');
  await browser.open(`${path}/content`);
  t.match(browser.page, {
    status: 200,
    headers: { 'content-type': 'application/pdf', 'cache-control': /no-store/ },
  });

  const stranger = await signInBrowser(app, other);
  for (const address of [path, `${path}/content`, path.replace(user.id, other.id)]) {
    await stranger.open(address);
    t.equal(stranger.page.status, 404, address);
  }
  await browser.open(path);
  await browser.send('/delete');
  t.equal(browser.path, `/app/${user.id}/print?done=deleted`);
  t.match(browser.main, 'The PDF is deleted.');
  t.match(browser.main, 'A label for each of 3 codes', 'without a selection all');
  t.same(await app.services.jobs.findPending(PRINT_SHEET_QUEUE, 'printSheetId', [id]), new Set([id]));
});

t.test('a code that cannot be read from its label is named, with what to change', async (t) => {
  const app = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org' });
  const user = await app.createUser();
  const { id } = await createTestCode(app, user, { title: 'Rex' });
  await app.services.jobs.stop();
  const custom = { page: { width: 60, height: 60 }, columns: 1, rows: 1, left: 0, top: 0 };
  const { body } = await app.call('POST', '/api/print-sheets', {
    token: user.accessToken,
    body: {
      ids: [id],
      custom: { ...custom, pitchX: 60, pitchY: 60, width: 30, height: 30 },
      offset: { x: -10, y: 0 },
    },
  });
  await createMakePrintSheetJob(app.services)({ accountId: user.id, printSheetId: body.id });
  const browser = await signInBrowser(app, user);
  await browser.open(`/app/${user.id}/print/${body.id}`);
  t.match(browser.main, 'on page 1, the code of label 1 cannot be read');
  t.match(browser.main, 'they lie beyond the edge of the page');
  t.match(browser.main, `/app/${user.id}/codes/${id}`);
  t.notMatch(browser.main, 'download');
});

t.test('the paper of the country is first, and what cannot be printed is said', async (t) => {
  const app = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org' });
  const user = await app.createUser();
  await app.services.jobs.stop();
  const browser = await signInBrowser(app, user);
  const open = (query: string) => browser.open(`/app/${user.id}/print${query}`);
  await open('');
  t.match(browser.main, 'There is no code to print yet.');
  t.notMatch(browser.main, 'Make the PDF');
  t.match(browser.main, /value="avery-l7160" selected/);
  await app.database.client.user.update({ where: { id: user.id }, data: { timeZone: 'America/New_York' } });
  await open('');
  t.match(browser.main, /value="avery-5160" selected/);
  t.match(browser.main, /aria-current="page">Sheets of US Letter.*Sheets of A4/s);
  await open('?group=A4');
  t.match(browser.main, /value="avery-l7160" selected/);
  await open('?template=dymo-99012');
  t.match(browser.main, /aria-current="page">Rolls/);
  await app.database.client.user.update({ where: { id: user.id }, data: { timeZone: 'America/Sao_Paulo' } });
  await open('');
  t.match(browser.main, /value="avery-l7160" selected/);
  const { id } = await createTestCode(app, user);
  await open(`?ids=${id}&startCell=999&template=unknown&texts=unknown`);
  t.match(browser.main, 'A label for one code');
  t.match(browser.main, /name="startCell" value="1"/);
  for (let made = 0; made < 3; made += 1) {
    await open(`?ids=${id}`);
    await browser.send('/print');
  }
  await open(`?ids=${id}`);
  await browser.send('/print');
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'You can have three PDFs in progress');
});

t.test('what the table of codes shows is what is printed, with each of its filters', async (t) => {
  const app = await startTestApp(t, { PUBLIC_BASE_URL: 'https://qr.example.org' });
  const user = await app.createUser();
  const soon = new Date(Date.now() + 86_400_000);
  const drill = await createTestCode(app, user, { title: 'Drill', metadata: { site: 'Berlin' } });
  const body = { title: 'Ladder', metadata: { site: 'Rome' }, expiresAt: soon };
  const ladder = await createTestCode(app, user, body);
  await app.services.jobs.stop();
  const browser = await signInBrowser(app, user);
  const day = new Date(soon.getTime() + 86_400_000).toISOString().slice(0, 10);
  for (const filter of ['metadata=site%3ARome', `expiresTo=${day}`, 'search=Ladder']) {
    await browser.open(`/app/${user.id}/codes?${filter}`);
    const [, link = ''] = /href="([^"]*\/print[^"]*)"[^>]*>Print labels/.exec(browser.main) ?? [];
    t.match(link, filter);
    await browser.open(link);
    t.match(browser.main, 'A label for one code', filter);
    await browser.send('/print');
    const sheet = await app.database.client.printSheet.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
    t.equal(sheet.codes, 1, filter);
    await app.database.client.printSheet.deleteMany();
  }
  const [first, last] = [drill, ladder].map(({ id }) => id);
  for (const [address, codeIds] of [
    ['', [first, last]],
    ['?sort=-title', [last, first]],
  ] as const) {
    await browser.open(`/app/${user.id}/print${address}`);
    await browser.send('/print');
    const sheet = await app.database.client.printSheet.findFirstOrThrow();
    t.same(sheet.codeIds, codeIds, 'in the order of the table, else the oldest first');
    await app.database.client.printSheet.deleteMany();
  }
  await browser.open(`/app/${user.id}/codes?notScannedSince=2020-01-01`);
  t.match(browser.main, '/print?notScannedSince=2020-01-01');
});
