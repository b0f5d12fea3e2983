import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { isProblem } from '../accounts/helper.ts';
import { addMember, ageSessions, createOrganizationOf, createUser, type TestMember } from './helper.ts';

const test = await startTestApp(t);
const { call, database } = test;
const { client } = database;

const transfer = (path: string, { token }: TestMember, userId: string, headers = {}) =>
  call('POST', `${path}/transfer-ownership`, { token, body: { userId }, headers });

async function readRoles(accountId: string, ...users: TestMember[]) {
  const rows = await client.membership.findMany({ where: { accountId } });
  const { ownerCount } = await client.account.findUniqueOrThrow({ where: { id: accountId } });
  return [ownerCount, ...users.map(({ id }) => rows.find(({ userId }) => userId === id)?.role)];
}

t.test('another member becomes the owner, and who was it a manager', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'VIEWER');
  const { OWNER, VIEWER } = members;
  t.equal((await transfer(path, OWNER, VIEWER.id, { 'if-match': '"2"' })).status, 412);
  const transferred = await transfer(path, OWNER, VIEWER.id, { 'if-match': '"1"' });
  t.match(transferred, { status: 200, body: { id, role: 'MANAGER' } });
  t.same(await readRoles(id, OWNER, VIEWER), [1, 'MANAGER', 'OWNER']);
  t.equal((await transfer(path, OWNER, VIEWER.id)).status, 403, 'no owner any more');
  t.equal((await transfer(path, VIEWER, OWNER.id)).status, 200, 'and back');
  const entries = await client.auditEntry.findMany({ where: { action: 'OWNERSHIP_TRANSFERRED' } });
  t.equal(entries.filter(({ outcome }) => outcome === 'SUCCESS').length, 2);
  const { reference } = await client.auditActor.findUniqueOrThrow({ where: { userId: id } });
  t.same(
    entries.map(({ accountReference }) => accountReference),
    [reference, reference],
  );
});

t.test('a transfer sent twice with one key is done once', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR');
  const { OWNER, EDITOR } = members;
  const headers = { 'idempotency-key': id };
  const first = await transfer(path, OWNER, EDITOR.id, headers);
  const second = await transfer(path, OWNER, EDITOR.id, headers);
  t.equal(second.headers['idempotency-replayed'], 'true');
  t.same(second.body, first.body);
});

t.test('other owners stay, and an owner can be chosen', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR');
  const second = await addMember(test, id, 'OWNER');
  t.equal((await transfer(path, members.OWNER, members.EDITOR.id)).status, 200);
  t.same(await readRoles(id, members.OWNER, members.EDITOR, second), [2, 'MANAGER', 'OWNER', 'OWNER']);
  t.equal((await transfer(path, second, members.EDITOR.id)).status, 200);
  t.same(await readRoles(id, members.EDITOR, second), [1, 'OWNER', 'MANAGER']);
});

t.test('only owners transfer, to members, after a recent login', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'MANAGER');
  const { OWNER, MANAGER } = members;
  const stranger = await createUser(test);
  t.equal((await transfer(path, MANAGER, MANAGER.id)).status, 403);
  t.equal((await transfer(path, stranger, stranger.id)).status, 404);
  t.equal((await transfer(path, OWNER, stranger.id)).status, 404, 'no member');
  const toSelf = await transfer(path, OWNER, OWNER.id);
  t.match(toSelf, { status: 400, body: { errors: [{ field: 'userId', code: 'NOT_ALLOWED' }] } });
  await ageSessions(test, OWNER);
  t.match(await transfer(path, OWNER, MANAGER.id), { body: { code: 'REAUTHENTICATION_REQUIRED' } });
  t.same(await readRoles(id, OWNER, MANAGER), [1, 'OWNER', 'MANAGER']);
});

t.test('nobody who is suspended, or without a profile, becomes an owner', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR');
  const { OWNER, EDITOR } = members;
  for (const status of ['SUSPENDED', 'VERIFIED'] as const) {
    await client.user.update({ where: { id: EDITOR.id }, data: { status } });
    t.ok(isProblem(await transfer(path, OWNER, EDITOR.id), 403, 'FORBIDDEN'), status);
    const promoted = await call('PATCH', `${path}/members/${EDITOR.id}`, {
      token: OWNER.token,
      body: { role: 'OWNER' },
    });
    t.ok(isProblem(promoted, 403, 'FORBIDDEN'), status);
  }
  t.same(await readRoles(id, OWNER, EDITOR), [1, 'OWNER', 'EDITOR']);
});

t.test('a suspended owner is none that stays', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER');
  const { OWNER } = members;
  const second = await addMember(test, id, 'OWNER');
  await client.user.update({ where: { id: second.id }, data: { status: 'SUSPENDED' } });
  const leave = () => call('POST', `${path}/leave`, { token: OWNER.token });
  t.ok(isProblem(await leave(), 409, 'LAST_OWNER'));
  const erased = await call('DELETE', '/api/auth/account', { token: OWNER.token, body: {} });
  t.ok(isProblem(erased, 409, 'LAST_OWNER'), erased.text);
  await client.user.update({ where: { id: second.id }, data: { status: 'ACTIVE' } });
  t.equal((await leave()).status, 200);
});
