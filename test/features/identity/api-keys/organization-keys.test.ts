import { findApiKeyReader } from '../../../../src/platform/api-key.repository.ts';
import type { AccountRole } from '../../../../src/shared/account-roles.ts';
import { startTestApp, TEST_PASSWORD, type TestUser } from '../../../helper.ts';
import { insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { fetchBytes, readExportData } from '../../personal-data/helper.ts';

const URL = '/api/api-keys';
const test = await startTestApp(t);
const { call, database } = test;

/** An organization of four, and what they call for it. */
async function createFixture() {
  const [owner, manager, editor, viewer] = await Promise.all([
    test.createUser(),
    test.createUser(),
    test.createUser(),
    test.createUser(),
  ]);
  if (!owner || !manager || !editor || !viewer) throw new Error('no users');
  const accountId = await insertOrganization(test, {
    members: [
      { userId: owner.id, role: 'OWNER' },
      { userId: manager.id, role: 'MANAGER' },
      { userId: editor.id, role: 'EDITOR' },
      { userId: viewer.id, role: 'VIEWER' },
    ],
  });
  const request = (user: TestUser, method: string, path = '', body?: object, more = {}) =>
    call(method, `${URL}${path}`, {
      token: user.accessToken,
      headers: { 'account-id': accountId, ...more },
      ...(body && { body }),
    });
  const createKey = async (user: TestUser, scopes = ['qr-codes:read', 'qr-codes:write']) => {
    const created = await request(user, 'POST', '', { name: 'ERP', scopes });
    if (created.status !== 201) throw new Error(created.text);
    return created.body;
  };
  const setRole = (user: TestUser, role: AccountRole) =>
    database.client.membership.updateMany({ where: { accountId, userId: user.id }, data: { role } });
  const remove = (user: TestUser) =>
    database.client.membership.deleteMany({ where: { accountId, userId: user.id } });
  const get = async (user: TestUser, id: string) => (await request(user, 'GET', `/${id}`)).body;
  return { accountId, owner, manager, editor, viewer, request, createKey, setRole, remove, get };
}

async function use(token: string, method = 'GET', path = '/api/qrcodes', headers = {}) {
  const body = method === 'GET' ? undefined : { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const answer = await call(method, path, { token, headers, ...(body && { body }) });
  return answer.status < 300 ? answer.status : `${answer.status} ${answer.body.code}`;
}

t.test('members see who made a key: owners and managers all keys, editors their own', async (t) => {
  const { accountId, owner, manager, editor, viewer, request, createKey } = await createFixture();
  const [ofOwner, ofEditor] = [await createKey(owner), await createKey(editor)];
  const own = await call('POST', URL, {
    token: editor.accessToken,
    body: { name: 'Own', scopes: ['qr-codes:read'] },
  });
  t.match(own.body, { role: 'OWNER', createdBy: { id: editor.id } }, 'in the personal account');
  t.match(ofEditor, { role: 'EDITOR', createdBy: { id: editor.id, name: /\w/ }, stopReason: null });
  const list = async (user: TestUser) =>
    (await request(user, 'GET')).body.data.map(({ id }: { id: string }) => id);
  for (const user of [owner, manager]) t.same(await list(user), [ofEditor.id, ofOwner.id]);
  t.same(await list(editor), [ofEditor.id]);
  t.equal((await request(editor, 'GET', `/${ofOwner.id}`)).status, 404);
  t.match((await request(viewer, 'GET')).body, { status: 403, code: 'FORBIDDEN' });
  t.match((await request(viewer, 'POST', '', { name: 'x', scopes: ['scans:read'] })).body, {
    code: 'FORBIDDEN',
  });
  const personal = await call('GET', URL, { token: editor.accessToken });
  t.match(personal.body.data, [{ id: own.body.id }]);
  t.equal(personal.body.data.length, 1);

  const entries = await database.client.auditEntry.findMany({
    where: { action: 'API_KEY_CREATED', changes: { has: `api-key:${ofEditor.id}` } },
  });
  const { reference } = await database.client.auditActor.findUniqueOrThrow({ where: { userId: accountId } });
  t.match(entries, [
    {
      resourceType: 'ORGANIZATION',
      resourceId: reference,
      subjectReference: reference,
      accountReference: reference,
    },
  ]);
});

t.test('a key has the lower role of its own and that of its member, at each request', async (t) => {
  const { accountId, editor, owner, createKey, setRole, get } = await createFixture();
  const { id, token } = await createKey(editor, ['qr-codes:read', 'qr-codes:write', 'webhooks:read']);
  t.same([await use(token), await use(token, 'POST')], [200, 201]);
  t.equal(await use(token, 'GET', '/api/webhook-endpoints'), '403 FORBIDDEN', 'not of an editor');
  const codes = await database.client.qrCode.findMany({
    where: { accountId: { in: [accountId, editor.id] } },
  });
  t.match(codes, [{ accountId }], 'what it makes belongs to the organization');
  const made = await database.client.auditEntry.findFirstOrThrow({
    where: { resourceId: codes[0]?.id ?? '' },
  });
  const references = await database.client.auditActor.findMany({
    where: { userId: { in: [accountId, editor.id] } },
  });
  const toReference = (userId: string) => references.find((one) => one.userId === userId)?.reference;
  t.match(made, {
    action: 'QRCODE_CREATED',
    actorReference: toReference(editor.id),
    accountReference: toReference(accountId),
    subjectReference: toReference(accountId),
    changes: [`api-key:${id}`],
  });
  await setRole(editor, 'VIEWER');
  t.same([await use(token), await use(token, 'POST')], [200, '403 FORBIDDEN']);
  t.match(await get(owner, id), { status: 'ACTIVE', role: 'VIEWER' });
  await setRole(editor, 'BILLING');
  t.equal(await use(token), '403 FORBIDDEN');
  await setRole(editor, 'OWNER');
  t.equal(await use(token, 'POST'), 201);
  t.equal(await use(token, 'GET', '/api/webhook-endpoints'), '403 FORBIDDEN', 'it was made by an editor');
  t.match(await get(owner, id), { role: 'EDITOR' });
  t.equal(await use(token, 'GET', '/api/qrcodes', { 'account-id': accountId }), 200);
  t.equal(await use(token, 'GET', '/api/qrcodes', { 'account-id': editor.id }), '404 ACCOUNT_NOT_FOUND');

  await database.client.apiKey.update({ where: { id }, data: { role: 'VIEWER' } });
  await setRole(editor, 'BILLING');
  t.equal(await use(token), '401 UNAUTHENTICATED', 'neither role includes the other');
  t.match(await get(owner, id), { status: 'STOPPED', stopReason: 'CREATOR_DEMOTED' });
});

t.test('the key of a former member stops until it is taken over', async (t) => {
  const { accountId, owner, editor, manager, request, createKey, remove, get } = await createFixture();
  const { id, token } = await createKey(editor);
  t.equal(await use(token), 200);
  await remove(editor);
  t.equal(await use(token), '401 UNAUTHENTICATED');
  t.match(await get(owner, id), {
    status: 'STOPPED',
    stopReason: 'CREATOR_LEFT',
    role: 'EDITOR',
    createdBy: { id: editor.id },
  });
  t.match((await request(editor, 'GET')).body, { code: 'ACCOUNT_NOT_FOUND' });
  t.match((await request(owner, 'POST', `/${id}/rotate`, {})).body, {
    code: 'FORBIDDEN',
    detail: /take-over/,
  });

  const key = { 'idempotency-key': 'one-take-over-and-no-other' };
  const taken = await request(manager, 'POST', `/${id}/take-over`, { overlapSeconds: 60 }, key);
  t.match(taken, {
    status: 200,
    body: { id, role: 'EDITOR', status: 'ACTIVE', createdBy: { id: manager.id } },
  });
  t.match(taken.body, { previousTokenExpiresAt: null, stopReason: null });
  t.same(
    [await use(token), await use(taken.body.token)],
    ['401 UNAUTHENTICATED', 200],
    'not the former member',
  );
  const repeated = await request(manager, 'POST', `/${id}/take-over`, { overlapSeconds: 60 }, key);
  t.match(repeated.body, { status: 409, code: 'RESPONSE_NOT_STORED' });
  const entries = await database.client.auditEntry.findMany({
    where: { action: 'API_KEY_TAKEN_OVER', changes: { has: `api-key:${id}` } },
  });
  const { reference } = await database.client.auditActor.findUniqueOrThrow({ where: { userId: accountId } });
  t.match(entries, [{ changes: ['createdBy', `api-key:${id}`], accountReference: reference }]);
  t.ok(await test.getMailBySubject(manager.email, /^New API key/));

  await request(owner, 'DELETE', `/${id}`);
  t.match((await request(owner, 'POST', `/${id}/take-over`, {})).body, {
    status: 409,
    code: 'API_KEY_ENDED',
  });
});

t.test('nobody gets more by a key than their role allows', async (t) => {
  const { owner, manager, editor, request, createKey, remove } = await createFixture();
  const [ofOwner, ofEditor] = [await createKey(owner, ['webhooks:read']), await createKey(editor)];
  t.match((await request(manager, 'POST', `/${ofOwner.id}/rotate`, {})).body, { code: 'FORBIDDEN' });
  t.match((await request(editor, 'POST', `/${ofEditor.id}/take-over`, {})).body, { code: 'FORBIDDEN' });
  t.equal((await request(editor, 'DELETE', `/${ofOwner.id}`)).status, 404);
  const taken = await request(manager, 'POST', `/${ofOwner.id}/take-over`, {});
  t.match(taken.body, { role: 'MANAGER', createdBy: { id: manager.id } }, taken.text);
  t.match(taken.body, { previousTokenExpiresAt: /Z$/ });
  const both = [
    await use(ofOwner.token, 'GET', '/api/webhook-endpoints'),
    await use(taken.body.token, 'GET', '/api/webhook-endpoints'),
  ];
  t.same(both, [200, 200], 'both for the overlap');
  const stranger = await test.createUser();
  t.match((await request(stranger, 'POST', `/${ofOwner.id}/take-over`, {})).body, {
    status: 404,
    code: 'ACCOUNT_NOT_FOUND',
  });
  await remove(manager);
  t.equal(await use(taken.body.token, 'GET', '/api/webhook-endpoints'), '401 UNAUTHENTICATED');

  await database.client.session.updateMany({
    where: { userId: owner.id },
    data: { createdAt: new Date(Date.now() - 601_000) },
  });
  t.match((await request(owner, 'POST', `/${ofEditor.id}/take-over`, {})).body, {
    code: 'REAUTHENTICATION_REQUIRED',
  });
});

t.test('erasing a member stops the keys of the organization and deletes those of their own', async (t) => {
  const { owner, editor, createKey, get } = await createFixture();
  const { id, token } = await createKey(editor);
  const own = await call('POST', URL, {
    token: editor.accessToken,
    body: { name: 'Own', scopes: ['qr-codes:read'] },
  });
  const { bytes } = await fetchBytes(test, '/api/auth/export', editor.accessToken);
  const { apiKeys } = await readExportData(bytes);
  t.same(
    apiKeys.map((key: { id: string }) => key.id),
    [own.body.id],
    'those of the organization are its own',
  );
  const body = { password: TEST_PASSWORD };
  t.equal((await call('DELETE', '/api/auth/account', { token: editor.accessToken, body })).status, 200);
  t.same([await use(token), await use(own.body.token)], ['401 UNAUTHENTICATED', '401 UNAUTHENTICATED']);
  t.match(await get(owner, id), {
    status: 'STOPPED',
    stopReason: 'CREATOR_LEFT',
    createdBy: { id: editor.id, name: null },
  });
  t.equal(await database.client.apiKey.count({ where: { id: own.body.id } }), 0);
});

t.test('the key of a suspended member does not work, and the organization sees why', async (t) => {
  const { accountId, owner, editor, createKey, get } = await createFixture();
  const { id, token } = await createKey(editor);
  await database.client.user.update({ where: { id: editor.id }, data: { status: 'SUSPENDED' } });
  t.equal(await use(token), '403 ACCOUNT_SUSPENDED');
  t.match(await get(owner, id), { status: 'STOPPED', stopReason: 'CREATOR_SUSPENDED' });
  await database.client.user.update({ where: { id: editor.id }, data: { status: 'ACTIVE' } });
  t.equal(await use(token), 200);
  await database.client.account.update({ where: { id: accountId }, data: { status: 'DELETED', name: null } });
  t.equal(await use(token), '401 UNAUTHENTICATED', 'a deleted organization');
});

t.test('the keys of an organization are counted apart from those of its members', async (t) => {
  const { accountId, editor, owner, request, createKey } = await createFixture();
  const { id } = await createKey(editor);
  const first = await database.client.apiKey.findUniqueOrThrow({ where: { id } });
  await database.client.apiKey.createMany({
    data: Array.from({ length: 23 }, (_, index) => ({
      ...first,
      id: `${accountId.slice(0, 22)}${String(index).padStart(2, '0')}`,
      tokenHash: Buffer.from(`${accountId}${index}`.padEnd(32).slice(-32)),
    })),
  });
  const create = (user: TestUser) => request(user, 'POST', '', { name: 'x', scopes: ['scans:read'] });
  const last = await Promise.all([create(editor), create(owner)]);
  t.same(last.map(({ status }) => status).toSorted(), [201, 409]);
  t.equal(last.find(({ status }) => status === 409)?.body.code, 'TOO_MANY_API_KEYS');
  const body = { name: 'Own', scopes: ['scans:read'] };
  t.equal((await call('POST', URL, { token: editor.accessToken, body })).status, 201);
});

t.test('events of an organization include what its keys may read', async (t) => {
  const { accountId } = await createFixture();
  const find = () => findApiKeyReader(database.client, accountId, false, true);
  await database.client.account.update({ where: { id: accountId }, data: { language: 'de' } });
  t.same(await find(), { accountId, language: 'de' });
  await database.client.account.update({ where: { id: accountId }, data: { status: 'SUSPENDED' } });
  t.equal(await find(), null);
});
