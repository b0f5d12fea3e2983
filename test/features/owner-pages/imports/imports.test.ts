import type { Test } from 'tap';
import { startTestApp, type TestUser } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createSheetRow, createWorkbook } from '../../codes/workbook.ts';
import { encodeMultipartForm } from '../../documents/upload.ts';
import type { TestBrowser } from '../browser.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const NO_LIMITS = { BILLING: 'off' };

async function startImports(t: Test, environment: Record<string, string> = NO_LIMITS) {
  const app = await startTestApp(t, environment);
  const owner = await app.createUser();
  const browser = await signInBrowser(app, owner);
  const path = `/app/${owner.id}/imports`;
  await browser.open(path);
  return { app, owner, browser, path };
}

/** Send the form of the page with a file. */
async function upload(
  browser: TestBrowser,
  kind: string,
  fileName: string,
  value: string | Buffer,
): Promise<void> {
  const { action, fields } = browser.readForm('/imports');
  const body = encodeMultipartForm([
    { name: 'kind', value: kind },
    { name: 'file', fileName, value },
    { name: 'token', value: fields.token ?? '' },
  ]);
  await browser.open(action, { method: 'POST', body, type: 'multipart/form-data; boundary=XX' });
}

/** Open the page of an import again until it has ended. */
async function waitForEnd(browser: TestBrowser): Promise<void> {
  while (browser.page.text.includes('<progress')) await browser.open(browser.path);
}

const DOGS = [
  'Name;Chip;Owner – Name;Phone;Notes;Born',
  'Rex;276098106123456;Ada;+49 30 123456;came from Bonn;2020-05-01',
  'Bella;276098106123457;;;;',
  'Max;;;nobody;;',
].join('\n');

t.test(
  'a spreadsheet is uploaded, mapped, checked and imported, and its wrong rows are corrected',
  async (t) => {
    const { app, owner, browser, path } = await startImports(t);
    await upload(browser, 'PET', 'dogs.csv', DOGS);
    t.match(browser.path, new RegExp(`^${path}/[0-9a-f]{24}/columns$`));
    t.match(browser.main, '276098106123456');
    const { fields } = browser.readForm('/mapping');
    t.match(fields, {
      kind: 'PET',
      'column-0': 'data.name',
      'column-2': 'data.owner.name',
      'column-4': 'data.notes',
    });
    const draft = browser.path;

    await browser.fill('/mapping', { 'column-1': 'metadata', 'column-3': 'data.owner.name' });
    t.equal(browser.page.status, 400, 'two columns are the same');
    t.match(browser.main, 'Each can be chosen once');
    await browser.open(draft);
    await browser.fill('/mapping', {
      'column-1': 'metadata',
      'column-3': 'data.owner.phone',
      'column-4': '',
    });
    t.match(browser.path, /\/check$/);
    t.match(browser.main, '2 new codes');
    t.match(browser.main, '1 row with a problem');
    t.match(browser.main, 'Rex');
    t.match(browser.main, '276098106123456');
    t.notMatch(browser.main, 'came from Bonn');
    t.match(browser.main, 'Row 4');
    t.equal(await app.database.client.qrCode.count({ where: { accountId: owner.id } }), 0);
    t.match((await app.call('GET', '/api/imports', { token: owner.accessToken })).body.data, []);

    await browser.send('/start');
    await waitForEnd(browser);
    t.match(browser.main, 'The import is finished');
    t.match(browser.main, '2 codes created · 1 row with a problem');
    const rows = await browser.open(`${browser.path}/rejected-rows`);
    t.match(rows.headers['content-disposition'], 'rejected-rows.csv');
    t.match(rows.text, 'Max,');
    await browser.open(browser.path.replace('/rejected-rows', ''));
    const findCell = () => {
      const entries = Object.entries(browser.readForm('/corrections').fields);
      return entries.find(([, value]) => value.startsWith('nobody'))?.[0] ?? '';
    };
    await browser.fill('/corrections', { [findCell()]: 'nobody else' });
    t.match(browser.path, /\/check$/);
    t.match(browser.main, '0 new codes · 1 row with a problem');
    await browser.fill('/corrections', { [findCell()]: '' });
    t.match(browser.main, '1 new code');
    t.equal(
      await app.database.client.import.count({ where: { isDraft: true } }),
      1,
      'instead of the draft before',
    );
    await browser.send('/start');
    await waitForEnd(browser);
    t.match(browser.main, '1 code created');
    const codes = await app.database.client.qrCode.findMany({ where: { accountId: owner.id } });
    t.same(codes.map(({ title }) => title).toSorted(), ['Bella', 'Max', 'Rex']);
    t.match(codes.find(({ title }) => title === 'Rex')?.metadata, { Chip: '276098106123456' });
    await browser.open(path);
    t.match(browser.main, '1 code created');
  },
);

t.test('a workbook is uploaded, another kind is chosen, and the file is discarded', async (t) => {
  const { app, browser, path } = await startImports(t);
  const sheet = [createSheetRow(1, ['Name', 'Farbe']), createSheetRow(2, ['Koffer', 'blau'])].join('');
  await upload(browser, 'PET', 'dogs.xlsx', await createWorkbook({ sheet }));
  t.match(browser.main, 'Koffer');
  await browser.open(`${browser.path}?kind=LUGGAGE`);
  t.match(browser.readForm('/mapping').fields, { kind: 'LUGGAGE', 'column-0': 'data.name' });
  await browser.send('/discard');
  t.equal(browser.path, path);
  t.notMatch(browser.main, 'Not started');
  t.equal(await app.database.client.storedFile.count({ where: { state: { not: 'REMOVED' } } }), 0);
});

t.test('what is no spreadsheet is refused at the field, and nothing is kept', async (t) => {
  const { app, browser } = await startImports(t);
  await upload(browser, 'PET', 'dogs.csv', '');
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'Please fill this in');
  await upload(browser, 'PET', 'dogs.xlsx', Buffer.from('PK\x03\x04 broken'));
  t.equal(browser.page.status, 415);
  t.match(browser.main, 'We can’t read this file');
  const { action } = browser.readForm('/imports');
  const forged = encodeMultipartForm([{ name: 'file', fileName: 'a.csv', value: DOGS }]);
  await browser.open(action, { method: 'POST', body: forged, type: 'multipart/form-data; boundary=XX' });
  t.equal(browser.page.status, 403, 'without the token of the form');
  t.equal(await app.database.client.import.count(), 0);
  while ((await app.database.client.storedFile.count({ where: { state: { not: 'REMOVED' } } })) > 0);
});

t.test('three uploads are kept for a day, and those of others do not exist', async (t) => {
  const { app, browser, path } = await startImports(t);
  const drafts: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    await browser.open(path);
    await upload(browser, 'PET', `${name}.csv`, `Name\n${name}\n`);
    drafts.push(browser.path);
  }
  t.equal(await app.database.client.import.count({ where: { isDraft: true } }), 3);
  await browser.open(drafts[0] ?? '');
  t.equal(browser.page.status, 404, 'the oldest is gone');
  const other: TestUser = await app.createUser();
  const stranger = await signInBrowser(app, other);
  await stranger.open((drafts[3] ?? '').replace(/\/app\/[^/]+/, `/app/${other.id}`));
  t.equal(stranger.page.status, 404);
  await app.database.client.import.updateMany({ data: { expiresAt: new Date(0) } });
  await browser.open(drafts[3] ?? '');
  t.equal(browser.page.status, 404, 'expired');
});

t.test(
  'a column that no field is named like is the name of the code, unless that would be private',
  async (t) => {
    const { browser } = await startImports(t);
    const table = 'Item;Number;Class;Color\nJacket;S-001;3a;Blue\n';
    const readGuesses = async (kind: string) => {
      await upload(browser, kind, 'tags.csv', table);
      const { fields } = browser.readForm('/mapping');
      await browser.open(browser.path.replace(/\/imports.*/, '/imports'));
      return Object.keys(fields).flatMap((name) => (name.startsWith('column-') ? [fields[name]] : []));
    };
    t.same(await readGuesses('LUGGAGE'), ['title', 'externalId', '', 'data.color']);
    t.same(await readGuesses('MEDICAL'), ['', 'externalId', '', '']);
  },
);

t.test('cells and names of columns are shown as they are, never as markup', async (t) => {
  const { browser } = await startImports(t);
  await upload(browser, 'PET', 'dogs.csv', 'Name;"<b id=""x"">"\n<script>1</script>;y\n');
  t.notMatch(browser.page.text, /<script>1|<b id="x"/);
  await browser.fill('/mapping', { 'column-1': 'metadata' });
  t.match(browser.path, /\/check$/);
  t.notMatch(browser.page.text, /<script>1|<b id="x"/);
});

t.test('rows beyond the package are named, and a stopped import says so', async (t) => {
  const { app, owner, browser } = await startImports(t);
  await app.services.jobs.stop();
  await upload(browser, 'TEXT', 'a.csv', 'title;Text\nOne;a\n');
  await browser.fill('/mapping', { 'column-1': 'data.text' });
  await browser.send('/start');
  t.match(browser.main, '<progress');
  const updates = await app.call('GET', `${browser.path}/updates`, {
    headers: { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  t.equal(updates.text, 'WAITING-0');
  await browser.send('/cancel');
  t.match(browser.main, 'Stopped');
  t.match((await app.call('GET', '/api/imports', { token: owner.accessToken })).body.data, [
    { status: 'CANCELED' },
  ]);
});
