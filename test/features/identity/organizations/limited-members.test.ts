import { startTestApp, type TestUser } from '../../../helper.ts';
import { createCodeOfAccount, insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import { listErrorFields } from '../../codes/code-helper.ts';

const test = await startTestApp(t, { BILLING: 'off' });
const { call, createUser } = test;

async function createOrganization() {
  const [owner, manager, editor] = [await createUser(), await createUser(), await createUser()];
  const accountId = await insertOrganization(test, {
    members: [
      { userId: owner.id, role: 'OWNER' },
      { userId: manager.id, role: 'MANAGER' },
      { userId: editor.id, role: 'EDITOR' },
    ],
  });
  const headers = { 'account-id': accountId };
  const as = (user: TestUser, method: string, url: string, body?: object) =>
    call(method, url, { token: user.accessToken, headers, body });
  const createFolder = async (name: string): Promise<string> =>
    (await as(owner, 'POST', '/api/folders', { name })).body.id;
  const limit = (user: TestUser, member: TestUser, folderIds: readonly string[] | null) =>
    call('PUT', `/api/organizations/${accountId}/members/${member.id}/folders`, {
      token: user.accessToken,
      body: { folderIds },
    });
  const createCode = (title: string, folderId?: string) =>
    createCodeOfAccount(test, { accountId, userId: owner.id }, { title, ...(folderId && { folderId }) });
  return { accountId, owner, manager, editor, as, createFolder, limit, createCode };
}

const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

const listTitles = ({ body }: { body: { data: { title: string }[] } }) =>
  body.data.map(({ title }) => title).toSorted();

t.test('a limited member has the codes of their folders, from the next request on', async (t) => {
  const { owner, editor, as, createFolder, limit, createCode } = await createOrganization();
  const [own, other] = [await createFolder('3b'), await createFolder('4a')];
  const inside = await createCode('Inside', own);
  const outside = [await createCode('Other', other), await createCode('None')];
  t.same(listTitles(await as(editor, 'GET', '/api/qrcodes')), ['Inside', 'None', 'Other']);
  const entries = await captureAuditEntries(test, async () => {
    const limited = await limit(owner, editor, [own]);
    t.match([limited.status, limited.body], [200, { folderIds: [own], version: 2 }]);
    t.equal(limited.headers.etag, '"2"');
    t.equal((await limit(owner, editor, [own])).body.version, 2, 'the same limit changes nothing');
  });
  t.match(entries, [{ action: 'MEMBER_FOLDERS_CHANGED', changes: ['folderIds'] }]);
  t.equal(entries.length, 1);
  t.same(listTitles(await as(editor, 'GET', '/api/qrcodes')), ['Inside']);
  t.same(listTitles(await as(editor, 'GET', `/api/qrcodes?updatedSince=${anHourAgo()}`)), ['Inside']);
  t.same(listTitles(await as(editor, 'GET', `/api/qrcodes?folder=${other}`)), []);
  t.match((await as(editor, 'GET', '/api/qrcodes/facets')).body, { kinds: [{ count: 1 }] });
  t.match((await as(editor, 'GET', '/api/folders')).body.data, [{ id: own }]);
  t.equal((await as(editor, 'GET', `/api/qrcodes/${inside}`)).status, 200);
  t.equal((await as(editor, 'PATCH', `/api/qrcodes/${inside}`, { title: 'Changed' })).status, 200);
  for (const id of outside) {
    t.equal((await as(editor, 'GET', `/api/qrcodes/${id}`)).status, 404);
    t.equal((await as(editor, 'PATCH', `/api/qrcodes/${id}`, { title: 'x' })).status, 404);
    t.equal((await as(editor, 'DELETE', `/api/qrcodes/${id}`)).status, 404);
    t.equal((await as(editor, 'POST', `/api/qrcodes/${id}/lost`, {})).status, 404);
  }
  t.equal((await as(editor, 'GET', '/api/documents')).status, 403);
  t.equal((await as(editor, 'GET', '/api/qrcodes/export')).status, 403);
  await limit(owner, editor, []);
  t.same(listTitles(await as(editor, 'GET', '/api/qrcodes')), [], 'no folder is no code');
  t.match((await limit(owner, editor, null)).body, { folderIds: null });
  t.same(listTitles(await as(editor, 'GET', '/api/qrcodes')), ['Changed', 'None', 'Other']);
});

t.test('a limited member puts codes into their folders only', async (t) => {
  const { owner, editor, as, createFolder, limit, createCode } = await createOrganization();
  const [own, second, other] = [await createFolder('3b'), await createFolder('3c'), await createFolder('4a')];
  const inside = await createCode('Inside', own);
  await limit(owner, editor, [own, second]);
  const code = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  for (const folder of [{}, { folderId: null }, { folderId: other }]) {
    const refused = await as(editor, 'POST', '/api/qrcodes', { ...code, ...folder });
    t.same([refused.status, ...listErrorFields(refused)], [400, 'folderId NOT_ALLOWED']);
  }
  t.equal((await as(editor, 'POST', '/api/qrcodes', { ...code, folderId: own })).status, 201);
  for (const folderId of [null, other]) {
    const refused = await as(editor, 'PATCH', `/api/qrcodes/${inside}`, { folderId });
    t.same([refused.status, ...listErrorFields(refused)], [400, 'folderId NOT_ALLOWED']);
  }
  const moved = await as(editor, 'PATCH', `/api/qrcodes/${inside}`, { folderId: second });
  t.match(moved.body, { folderId: second });
});

t.test('a deleted folder gives a limited member nothing, and lifts no limit', async (t) => {
  const { owner, editor, as, createFolder, limit, createCode } = await createOrganization();
  const own = await createFolder('3b');
  const inside = await createCode('Inside', own);
  await limit(owner, editor, [own]);
  await as(owner, 'DELETE', `/api/folders/${own}`);
  t.same(listTitles(await as(editor, 'GET', '/api/qrcodes')), []);
  t.equal((await as(editor, 'GET', `/api/qrcodes/${inside}`)).status, 404);
  await as(owner, 'POST', `/api/folders/${own}/restore`);
  t.same(listTitles(await as(editor, 'GET', '/api/qrcodes')), ['Inside']);
  await test.database.client.qrCode.updateMany({ where: { id: inside }, data: { folderId: null } });
  await test.database.client.folder.deleteMany({ where: { id: own } });
  t.same(listTitles(await as(editor, 'GET', '/api/qrcodes')), []);
});

t.test('an API key has the limit of the member who made it, at every request', async (t) => {
  const { accountId, owner, editor, as, createFolder, limit, createCode } = await createOrganization();
  const own = await createFolder('3b');
  await createCode('Inside', own);
  const outside = await createCode('Outside');
  const body = { name: 'Cash desk', scopes: ['qr-codes:read'] };
  const { token } = (await as(editor, 'POST', '/api/api-keys', body)).body;
  const read = (url: string) => call('GET', url, { token, headers: { 'account-id': accountId } });
  t.same(listTitles(await read('/api/qrcodes')), ['Inside', 'Outside']);
  await limit(owner, editor, [own]);
  t.same(listTitles(await read('/api/qrcodes')), ['Inside']);
  t.equal((await read(`/api/qrcodes/${outside}`)).status, 404);
  t.equal((await read('/api/saved-views')).status, 403);
});

t.test('owners and managers limit the members below them, in folders of the organization', async (t) => {
  const { accountId, owner, manager, editor, createFolder, limit } = await createOrganization();
  const own = await createFolder('3b');
  t.equal((await limit(manager, editor, [own])).status, 200);
  t.equal((await limit(editor, editor, null)).status, 403, 'nobody lifts their own limit');
  for (const member of [owner, manager])
    t.same(listErrorFields(await limit(owner, member, [own])), ['folderIds NOT_ALLOWED']);
  t.equal((await limit(manager, owner, null)).status, 403);
  t.same(listErrorFields(await limit(owner, editor, ['0'.repeat(24)])), ['folderIds UNKNOWN']);
  const { body } = await call('GET', `/api/organizations/${accountId}/members/${editor.id}`, {
    token: owner.accessToken,
  });
  t.match(body, { folderIds: [own] }, 'a refused limit changes nothing');
  const promote = { token: owner.accessToken, body: { role: 'MANAGER' } };
  const promoted = await call('PATCH', `/api/organizations/${accountId}/members/${editor.id}`, promote);
  t.match(promoted.body, { role: 'MANAGER', folderIds: null });
  const stranger = await createUser();
  t.equal((await limit(stranger, editor, null)).status, 404);
});

t.test('a limited member reads the scans and conversations of their codes', async (t) => {
  const { owner, editor, as, createFolder, limit, createCode } = await createOrganization();
  const own = await createFolder('3b');
  const ids = { inside: await createCode('Inside', own), outside: await createCode('Outside') };
  const conversations: Record<string, string> = {};
  for (const [name, id] of Object.entries(ids)) {
    const scanned = await call('POST', '/api/scans/public', { body: { qrCodeId: id } });
    const headers = { 'x-scan-token': scanned.body.scanToken };
    const begun = await call('POST', '/api/conversations/public', {
      headers,
      body: { scanId: scanned.body.scan.id, message: `Found ${name}` },
    });
    conversations[name] = begun.body.id;
    t.ok(begun.body.id, begun.text);
  }
  await limit(owner, editor, [own]);
  const scans = await as(editor, 'GET', '/api/scans');
  t.same(
    scans.body.data.map(({ qrCodeId }: { qrCodeId: string }) => qrCodeId),
    [ids.inside],
  );
  t.same((await as(editor, 'GET', `/api/scans?qrCodeId=${ids.outside}`)).body.data, []);
  const list = await as(editor, 'GET', '/api/conversations');
  t.match(list.body.data, [{ id: conversations.inside }]);
  t.equal(list.body.data.length, 1);
  const changed = await as(editor, 'GET', `/api/conversations?updatedSince=${anHourAgo()}`);
  t.match(changed.body, { data: [{ id: conversations.inside }], deleted: [] });
  t.equal((await as(editor, 'GET', `/api/conversations/${conversations.inside}/messages`)).status, 200);
  for (const path of ['', '/messages'])
    t.equal((await as(editor, 'GET', `/api/conversations/${conversations.outside}${path}`)).status, 404);
  const reply = { message: 'Thank you' };
  const send = (id?: string) => as(editor, 'POST', `/api/conversations/${id}/messages`, reply);
  t.equal((await send(conversations.inside)).status, 201);
  t.equal((await send(conversations.outside)).status, 404);
  const notified = await test.database.client.notification.count({ where: { userId: editor.id } });
  t.ok(notified > 0, 'there were notifications before the limit');
  const unread = await call('GET', '/api/notifications', { token: editor.accessToken });
  t.same(unread.body.data, [], 'which nobody with a limit reads');
});
