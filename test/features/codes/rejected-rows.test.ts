import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUpImports } from '../../../src/features/codes/imports/clean-up-imports.use-case.ts';
import { startTestApp, type TestApp, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { sendMultipartForm } from '../documents/upload.ts';
import { getImport, importFile, waitForImport } from './import-helper.ts';

const NO_LIMITS = { BILLING: 'off' };

const getRejectedRows = (app: TestApp, user: TestUser, id: string) =>
  app.call('GET', `/api/imports/${id}/rejected-rows`, { token: user.accessToken });

const countFiles = (app: TestApp) =>
  app.database.client.storedFile.count({ where: { state: { not: 'REMOVED' } } });

const MAPPING = JSON.stringify({ kind: 'TEXT', columns: { Name: 'title', Text: 'data.text', Extra: null } });

const importMapped = (app: TestApp, user: TestUser, value: string) =>
  sendMultipartForm(app, '/api/imports', user.accessToken, [
    { name: 'format', value: 'csv' },
    { name: 'mapping', value: MAPPING },
    { name: 'file', fileName: 'codes.csv', value },
  ]);

t.test('rejected rows are downloaded with what is wrong, and imported again once corrected', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const file = ['Name;Text;Extra', 'One;a;x', ';"=b;=c";y', 'Two;a', 'Three;;"z', '2"'].join('\n');
  const done = await waitForImport(app, user, await importMapped(app, user, file));
  t.match(done, { counts: { created: 2, failed: 2 } });
  t.match(done.rejectedRowsUrl, new RegExp(`/api/imports/${done.id}/rejected-rows$`));
  const { text, headers } = await getRejectedRows(app, user, done.id);
  t.match(headers['content-type'], 'text/csv');
  t.equal(
    text,
    [
      'Name,Text,Extra,importErrors',
      `,'=b;'=c,y,Name: Is required.`,
      'Three,,"z\n2",Text: Is required.',
      '',
    ].join('\r\n'),
  );
  t.equal(await countFiles(app), 1, 'only them');

  const corrected = text
    .replace(',"z', ',b,"z')
    .replace("\r\n,'=b", "\r\nFour,'=b")
    .replace('Three,,b', 'Three,b');
  const again = await waitForImport(app, user, await importMapped(app, user, corrected));
  t.match(again, { counts: { created: 2, failed: 0 }, rejectedRowsUrl: null });
  t.equal((await getRejectedRows(app, user, again.id)).status, 404);
  const codes = await app.database.client.qrCode.findMany({ where: { accountId: user.id } });
  const four = codes.find(({ title }) => title === 'Four');
  const { body } = await app.call('GET', `/api/qrcodes/${four?.id}`, { token: user.accessToken });
  t.equal(body.data.text, '=b;=c');
});

t.test('rejected rows of JSON Lines are lines of it; an unreadable one is left out', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const lines = [
    { kind: 'TEXT', title: 'One', data: { text: 'a' } },
    { kind: 'TEXT', data: { text: 'a' } },
  ].map((line) => JSON.stringify(line));
  const requested = await importFile(app, user, `${lines.join('\n')}\n{\n`, { format: 'jsonl' });
  const done = await waitForImport(app, user, requested);
  t.match(done.counts, { created: 1, failed: 2 });
  t.equal((await getRejectedRows(app, user, done.id)).text, `${lines[1]}\n`);
});

t.test('rejected rows are there for a file that ends early, and gone with their import', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const file = 'kind,title,data.text\nTEXT,,a\nTEXT,One,a\nTEXT,"a"b,c\n';
  const done = await waitForImport(app, user, await importFile(app, user, file));
  t.match(done, { status: 'FAILED', error: { row: 4 }, counts: { created: 1, failed: 1 } });
  t.equal(
    (await getRejectedRows(app, user, done.id)).text,
    'kind,title,data.text,importErrors\r\nTEXT,,a,title: Is required.\r\n',
  );
  const other = await app.createUser();
  t.equal((await getRejectedRows(app, other, done.id)).status, 404);
  await app.database.client.import.updateMany({ data: { expiresAt: new Date(0) } });
  await cleanUpImports(app.services);
  while ((await countFiles(app)) > 0) await sleep(20);
  t.equal((await getImport(app, user, done.id)).id, undefined);
});
