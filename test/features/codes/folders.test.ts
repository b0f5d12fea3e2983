import { cleanUpFolders } from '../../../src/features/codes/folders/change-folders.use-case.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { startTestApp, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { createTestCode, listErrorFields } from './code-helper.ts';
import { importFile, waitForImport } from './import-helper.ts';

const app = await startTestApp(t);
const PATH = '/api/folders';
const DAY_MS = 86_400_000;

const send = (method: string, path: string, user: TestUser, body?: object, headers = {}) =>
  app.call(method, `${PATH}${path}`, { token: user.accessToken, body, headers });

const createFolder = async (user: TestUser, name: string, color?: string): Promise<string> => {
  const created = await send('POST', '', user, { name, ...(color && { color }) });
  if (created.status !== 201) throw new Error(`${created.status} ${created.text}`);
  return created.body.id;
};

const listFolders = async (user: TestUser) =>
  (await send('GET', '', user)).body.data.map(
    ({ name, codeCount }: { name: string; codeCount: number }) => `${name} ${codeCount}`,
  );

const listTitles = async (user: TestUser, query: string) =>
  (await app.call('GET', `/api/qrcodes?sort=title&${query}`, { token: user.accessToken })).body.data.map(
    ({ title }: { title: string }) => title,
  );

const readCode = async (user: TestUser, id: string) =>
  (await app.call('GET', `/api/qrcodes/${id}`, { token: user.accessToken })).body;

const patchCode = (user: TestUser, id: string, body: object) =>
  app.call('PATCH', `/api/qrcodes/${id}`, { token: user.accessToken, body });

t.test('folders are listed by name, with the number of their codes', async (t) => {
  const user = await app.createUser();
  const dogs = await createFolder(user, 'dogs', 'BLUE');
  await createFolder(user, 'Cats');
  await createTestCode(app, user, { title: 'Rex', folderId: dogs });
  const deleted = await createTestCode(app, user, { title: 'Ada', folderId: dogs });
  await app.call('DELETE', `/api/qrcodes/${deleted.id}`, { token: user.accessToken });
  t.same(await listFolders(user), ['Cats 0', 'dogs 1']);
  const read = await send('GET', `/${dogs}`, user);
  t.match(read.body, { id: dogs, name: 'dogs', color: 'BLUE', codeCount: 1, version: 1 });
  t.equal(read.headers.etag, '"1"');
  const page = (await send('GET', '?limit=1', user)).body;
  const rest = (await send('GET', `?limit=1&cursor=${page.pagination.nextCursor}`, user)).body;
  t.match([page, rest], [{ data: [{ name: 'Cats' }] }, { data: [{ name: 'dogs' }] }]);
});

t.test('a folder has a name of its own, whatever the case, in its account', async (t) => {
  const [user, other] = [await app.createUser(), await app.createUser()];
  const id = await createFolder(user, 'École');
  const second = await createFolder(user, 'School');
  const taken = await send('POST', '', user, { name: 'ÉCOLE' });
  t.match([taken.status, taken.body.code], [409, 'FOLDER_NAME_TAKEN']);
  t.equal((await send('PATCH', `/${second}`, user, { name: 'école' })).body.code, 'FOLDER_NAME_TAKEN');
  t.equal((await send('PATCH', `/${id}`, user, { name: 'école' })).status, 200);
  t.equal((await send('POST', '', other, { name: 'École' })).status, 201);
  t.equal((await send('POST', '', user, { name: ' ' })).status, 400);
  t.equal((await send('POST', '', user, { name: 'x', color: '#ff0000' })).status, 400);
});

t.test('a folder is renamed and colored by whoever knows its version', async (t) => {
  const user = await app.createUser();
  const id = await createFolder(user, 'Dogs');
  const entries = await captureAuditEntries(app, async () => {
    const renamed = await send('PATCH', `/${id}`, user, { name: 'Pets' }, { 'if-match': '"1"' });
    t.match(renamed.body, { name: 'Pets', color: 'GRAY', version: 2 });
    t.equal((await send('PATCH', `/${id}`, user, { name: 'x' }, { 'if-match': '"1"' })).status, 412);
    t.equal((await send('PATCH', `/${id}`, user, { name: 'Pets' })).body.version, 2);
  });
  t.match(entries, [{ action: 'FOLDER_UPDATED', changes: ['name'] }]);
  t.match((await send('PATCH', `/${id}`, user, { color: 'PINK' })).body, { color: 'PINK', version: 3 });
});

t.test('a code is moved between folders, and filtered by them', async (t) => {
  const user = await app.createUser();
  const [first, second] = [await createFolder(user, 'first'), await createFolder(user, 'second')];
  const code = await createTestCode(app, user, { title: 'Rex', folderId: first });
  await createTestCode(app, user, { title: 'Ada' });
  t.equal(code.folderId, first);
  t.same(await listTitles(user, `folder=${first}`), ['Rex']);
  t.same(await listTitles(user, 'folder=none'), ['Ada']);
  const entries = await captureAuditEntries(app, async () => {
    const moved = await patchCode(user, code.id, { folderId: second });
    t.match(moved.body, { folderId: second, version: 2 });
    t.equal((await patchCode(user, code.id, { folderId: second })).body.version, 2);
  });
  t.match(
    entries.filter(({ action }) => action === 'QRCODE_UPDATED'),
    [{ changes: ['folderId'] }],
  );
  t.same(await listTitles(user, `folder=${first}`), []);
  const facets = await app.call('GET', `/api/qrcodes/facets?folder=${second}`, { token: user.accessToken });
  t.match(facets.body, {
    kinds: [{ value: 'PET', count: 1 }],
    folders: [second, 'none'].toSorted().map((value) => ({ value, count: 1 })),
  });
  t.equal((await patchCode(user, code.id, { folderId: null })).body.folderId, null);
  t.equal((await app.call('GET', '/api/qrcodes?folder=first', { token: user.accessToken })).status, 400);
});

t.test('a code is put into folders of its own account alone', async (t) => {
  const [user, other] = [await app.createUser(), await app.createUser()];
  const foreign = await createFolder(other, 'foreign');
  const code = await createTestCode(app, user);
  for (const folderId of [foreign, generateId()]) {
    const refused = await patchCode(user, code.id, { folderId });
    t.same([refused.status, ...listErrorFields(refused)], [400, 'folderId UNKNOWN']);
    const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' }, folderId };
    const created = await app.call('POST', '/api/qrcodes', { token: user.accessToken, body });
    t.same([created.status, ...listErrorFields(created)], [400, 'folderId UNKNOWN']);
    const bulk = await app.call('POST', '/api/qrcodes/bulk', {
      token: user.accessToken,
      body: { items: [body] },
    });
    t.match(bulk.body, { counts: { created: 0, failed: 1 } });
    t.same(await listTitles(user, `folder=${folderId}`), []);
  }
  for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const)
    t.equal((await send(method, `/${foreign}`, user, body)).status, 404);
  await t.rejects(
    app.database.client.qrCode.update({ where: { id: code.id }, data: { folderId: foreign } }),
    'the database has no code in a folder of another account',
  );
});

t.test('many codes are moved by one bulk request', async (t) => {
  const user = await app.createUser();
  const folderId = await createFolder(user, 'all');
  const codes = [await createTestCode(app, user), await createTestCode(app, user)];
  const body = { items: codes.map(({ id }) => ({ id, folderId })) };
  const moved = await app.call('PATCH', '/api/qrcodes/bulk', { token: user.accessToken, body });
  t.match(moved.body.counts, { updated: 2, failed: 0 });
  const again = await app.call('PATCH', '/api/qrcodes/bulk', { token: user.accessToken, body });
  t.match(again.body.counts, { unchanged: 2 });
  const created = await app.call('POST', '/api/qrcodes/bulk', {
    token: user.accessToken,
    body: { items: [{ kind: 'PET', title: 'New', data: { name: 'New' }, folderId }] },
  });
  t.match(created.body.counts, { created: 1 });
  t.same(await listFolders(user), ['all 3']);
});

t.test('a deleted folder leaves its codes, and comes back with them within a day', async (t) => {
  const user = await app.createUser();
  const [id, other] = [await createFolder(user, 'Dogs'), await createFolder(user, 'Other')];
  const code = await createTestCode(app, user, { title: 'Rex', folderId: id });
  const moved = await createTestCode(app, user, { title: 'Ada', folderId: id });
  const entries = await captureAuditEntries(app, async () => {
    t.same((await send('DELETE', `/${id}`, user)).body, { id, deleted: true });
    t.equal((await send('GET', `/${id}`, user)).status, 404);
  });
  t.match(
    entries.filter(({ outcome }) => outcome === 'SUCCESS').map(({ action }) => action),
    ['FOLDER_DELETED'],
  );
  t.equal((await readCode(user, code.id)).folderId, null);
  t.same(await listTitles(user, 'folder=none'), ['Ada', 'Rex']);
  t.same(await listTitles(user, `folder=${id}`), []);
  const facets = await app.call('GET', '/api/qrcodes/facets', { token: user.accessToken });
  t.same(facets.body.folders, [{ value: 'none', count: 2 }]);
  await patchCode(user, moved.id, { folderId: other });
  await createFolder(user, 'dogs');
  t.equal((await send('POST', `/${id}/restore`, user)).body.code, 'FOLDER_NAME_TAKEN');
  const [taken] = (await send('GET', '', user)).body.data;
  await send('PATCH', `/${taken.id}`, user, { name: 'Cats' });
  t.match((await send('POST', `/${id}/restore`, user)).body, { name: 'Dogs', codeCount: 1 });
  t.same(await listTitles(user, `folder=${id}`), ['Rex']);
});

t.test('the clean-up removes a folder that can no longer be restored, and no code', async (t) => {
  const user = await app.createUser();
  const id = await createFolder(user, 'Dogs');
  const code = await createTestCode(app, user, { title: 'Rex', folderId: id });
  const gone = await createTestCode(app, user, { title: 'Gone', folderId: id });
  await app.call('DELETE', `/api/qrcodes/${gone.id}`, { token: user.accessToken });
  await send('DELETE', `/${id}`, user);
  await cleanUpFolders(app.services);
  const where = { accountId: user.id, id };
  t.equal(await app.database.client.folder.count({ where }), 1, 'it can be restored for a day');
  const deletedAt = new Date(Date.now() - DAY_MS - 1000);
  await app.database.client.folder.updateMany({ where, data: { deletedAt } });
  t.equal((await send('POST', `/${id}/restore`, user)).status, 404);
  await cleanUpFolders(app.services);
  t.equal(await app.database.client.folder.count({ where }), 0);
  t.match(await readCode(user, code.id), { title: 'Rex', folderId: null, version: 1 });
  const restored = await app.call('POST', `/api/qrcodes/${gone.id}/restore`, { token: user.accessToken });
  t.match(restored.body, { title: 'Gone', folderId: null });
});

t.test('an account has at most 500 folders, also when several are created at once', async (t) => {
  const user = await app.createUser();
  const names = Array.from({ length: 498 }, (_, index) => `folder ${index}`);
  await app.database.client.folder.createMany({
    data: names.map((name) => ({ accountId: user.id, id: generateId(), name })),
  });
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => send('POST', '', user, { name })));
  t.same(answers.map(({ status }) => status).toSorted(), [201, 201, 409, 409]);
  t.ok(answers.some(({ body }) => body.code === 'TOO_MANY_FOLDERS'));
});

t.test('two that are created at once with one name are one', async (t) => {
  const user = await app.createUser();
  const answers = await Promise.all(['Dogs', 'dogs', 'DOGS'].map((name) => send('POST', '', user, { name })));
  t.same(answers.map(({ status }) => status).toSorted(), [201, 409, 409]);
});

t.test('an export names the folder of each code, and an import puts codes there', async (t) => {
  const [user, other] = [await app.createUser(), await app.createUser()];
  const id = await createFolder(user, 'Class 3b');
  await createTestCode(app, user, { title: 'Rex', folderId: id });
  await createTestCode(app, user, { title: 'Ada' });
  const exportCodes = async (query: string) =>
    (await app.call('GET', `/api/qrcodes/export?${query}`, { token: user.accessToken })).text
      .split('\n')
      .filter(Boolean)
      .map((line: string) => JSON.parse(line))
      .map(({ title, folder }: { title: string; folder: string | null }) => `${title} ${folder}`);
  t.same((await exportCodes('')).toSorted(), ['Ada null', 'Rex Class 3b']);
  t.same(await exportCodes(`folder=${id}`), ['Rex Class 3b']);
  t.same(await exportCodes('folder=none'), ['Ada null']);
  const csv = (await app.call('GET', '/api/qrcodes/export?format=csv', { token: user.accessToken })).text;
  const existing = await createFolder(other, 'CLASS 3B');
  const done = await waitForImport(app, other, await importFile(app, other, csv));
  t.match(done.counts, { created: 2, failed: 0 });
  t.same(await listTitles(other, `folder=${existing}`), ['Rex']);
  t.same(await listFolders(other), ['CLASS 3B 1']);
});

t.test('an import creates the folders that its rows name, and moves codes that exist', async (t) => {
  const user = await app.createUser();
  const header = 'kind,title,externalId,data.name,folder';
  const first = await importFile(
    app,
    user,
    `${header}\nPET,Rex,1,Rex,Dogs\nPET,Ada,2,Ada,dogs\nPET,Kit,3,Kit,\n`,
  );
  t.match((await waitForImport(app, user, first)).counts, { created: 3, failed: 0 });
  t.same(await listFolders(user), ['Dogs 2']);
  const second = await importFile(app, user, `${header}\nPET,Rex,1,Rex,Cats\nPET,Ada,2,Ada,\n`);
  t.match((await waitForImport(app, user, second)).counts, { updated: 1, unchanged: 1 });
  t.same(await listFolders(user), ['Cats 1', 'Dogs 1']);
  const long = await importFile(app, user, `${header}\nPET,Rex,1,Rex,${'x'.repeat(61)}\n`);
  t.match((await waitForImport(app, user, long)).counts, { failed: 1 });
  const json = await importFile(
    app,
    user,
    JSON.stringify({ kind: 'PET', title: 'Rex', externalId: '1', data: { name: 'Rex' }, folder: null }),
    { format: 'jsonl' },
  );
  t.match((await waitForImport(app, user, json)).counts, { updated: 1 });
  t.same(await listFolders(user), ['Cats 0', 'Dogs 1']);
});
