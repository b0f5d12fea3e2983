import { ACCOUNT_ROLES } from '../../../../src/shared/account-roles.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { findAuditEntries, isProblem } from '../accounts/helper.ts';
import { pauseTransaction, waitForLock } from '../accounts/paused-operations.ts';
import { addMember, ageSessions, createOrganizationOf, createUser, type TestMember } from './helper.ts';

const test = await startTestApp(t);
const { call, database } = test;

const changeRole = (
  path: string,
  { token }: TestMember,
  member: TestMember,
  role: string,
  version?: number,
) =>
  call('PATCH', `${path}/members/${member.id}`, {
    token,
    body: { role },
    ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
  });

async function readOwnerCounts(accountId: string) {
  const { ownerCount } = await database.client.account.findUniqueOrThrow({ where: { id: accountId } });
  return [ownerCount, await database.client.membership.count({ where: { accountId, role: 'OWNER' } })];
}

t.test('members list each other; owners and managers also get addresses', async (t) => {
  const { path, members } = await createOrganizationOf(test, ...ACCOUNT_ROLES);
  for (const role of ACCOUNT_ROLES) {
    const { token, id } = members[role];
    const list = await call('GET', `${path}/members?page=1`, { token });
    t.equal(list.body.pagination.total, 6, list.text);
    const read = list.body.data.find((member: { userId: string }) => member.userId === members.VIEWER.id);
    const hasAddress = role === 'OWNER' || role === 'MANAGER';
    t.match(read, { name: 'Ada Lovelace', email: hasAddress ? members.VIEWER.email : null, role: 'VIEWER' });
    t.same((await call('GET', `${path}/members/${members.VIEWER.id}`, { token })).body, read);
    t.equal((await call('GET', `${path}/members/${id}`, { token })).headers.etag, '"1"');
  }
});

t.test('the list of members has pages', async (t) => {
  const { path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR', 'VIEWER');
  const { token } = members.EDITOR;
  const ids: string[] = [];
  for (let cursor = 'start'; cursor; ) {
    const { body } = await call('GET', `${path}/members?limit=2&cursor=${cursor}`, { token });
    ids.push(...body.data.map(({ userId }: { userId: string }) => userId));
    cursor = body.pagination.nextCursor;
  }
  t.same(
    ids.toSorted(),
    Object.values(members)
      .map(({ id }) => id)
      .toSorted(),
  );
});

t.test('strangers find no members, and members of one organization none of another', async (t) => {
  const { path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR');
  const other = await createOrganizationOf(test, 'OWNER');
  for (const caller of [await createUser(test), other.members.OWNER]) {
    const { token } = caller;
    t.equal((await call('GET', `${path}/members`, { token })).status, 404);
    t.equal((await call('GET', `${path}/members/${members.EDITOR.id}`, { token })).status, 404);
    t.equal((await changeRole(path, caller, members.EDITOR, 'VIEWER')).status, 404);
  }
  const { token } = other.members.OWNER;
  t.equal((await call('GET', `${other.path}/members/${members.EDITOR.id}`, { token })).status, 404);
  t.equal((await changeRole(other.path, other.members.OWNER, members.EDITOR, 'OWNER')).status, 404);
  const { id } = other.members.OWNER;
  const personal = await call('GET', `/api/organizations/${id}/members`, { token });
  t.equal(personal.status, 404, 'a personal account is no organization');
});

t.test('owners change every role; managers not that of owners, to what they invite as', async (t) => {
  const { path, members } = await createOrganizationOf(test, ...ACCOUNT_ROLES);
  const { OWNER, MANAGER, EDITOR, VIEWER } = members;
  t.match((await changeRole(path, MANAGER, EDITOR, 'RESPONDER')).body, { role: 'RESPONDER', version: 2 });
  t.match((await changeRole(path, OWNER, VIEWER, 'MANAGER')).body, { role: 'MANAGER' });
  t.match((await changeRole(path, MANAGER, VIEWER, 'VIEWER')).body, { role: 'VIEWER' });
  for (const [member, role] of [
    [EDITOR, 'OWNER'],
    [EDITOR, 'MANAGER'],
    [EDITOR, 'BILLING'],
    [MANAGER, 'OWNER'],
    [OWNER, 'EDITOR'],
    [OWNER, 'OWNER'],
  ] as const)
    t.match(await changeRole(path, MANAGER, member, role), { status: 403, body: { code: 'FORBIDDEN' } });
  for (const role of ['EDITOR', 'RESPONDER', 'VIEWER', 'BILLING'] as const)
    t.equal((await changeRole(path, members[role], members[role], 'OWNER')).status, 403, role);
  t.match((await changeRole(path, OWNER, EDITOR, 'OWNER')).body, { role: 'OWNER' });
  t.match((await changeRole(path, MANAGER, MANAGER, 'VIEWER')).body, { role: 'VIEWER' }, 'their own');
  t.equal((await changeRole(path, MANAGER, EDITOR, 'VIEWER')).status, 403, 'no manager any more');
});

t.test('who owns an organization is decided soon after a login', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR');
  const { OWNER, EDITOR } = members;
  const second = await addMember(test, id, 'OWNER');
  await ageSessions(test, OWNER);
  for (const [member, role] of [
    [EDITOR, 'OWNER'],
    [second, 'EDITOR'],
    [OWNER, 'EDITOR'],
  ] as const)
    t.ok(isProblem(await changeRole(path, OWNER, member, role), 403, 'REAUTHENTICATION_REQUIRED'), role);
  t.same(await readOwnerCounts(id), [2, 2]);
  t.equal((await changeRole(path, OWNER, EDITOR, 'VIEWER')).status, 200, 'another role needs none');
});

t.test('a change of a role names the version that it has read', async (t) => {
  const { path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR');
  const { OWNER, EDITOR } = members;
  const countEntries = async () => (await findAuditEntries(test, 'MEMBER_ROLE_CHANGED')).length;
  const before = await countEntries();
  t.match((await changeRole(path, OWNER, EDITOR, 'VIEWER', 1)).headers, { etag: '"2"' });
  t.equal((await changeRole(path, OWNER, EDITOR, 'MANAGER', 1)).status, 412);
  t.match((await changeRole(path, OWNER, EDITOR, 'VIEWER', 2)).body, { version: 2 }, 'nothing changed');
  t.equal((await changeRole(path, OWNER, EDITOR, 'ADMIN')).status, 400);
  t.equal((await countEntries()) - before, 1);
  const organization = await call('GET', path, { token: EDITOR.token });
  t.match(organization, { headers: { etag: '"2"' }, body: { role: 'VIEWER' } });
});

t.test('a change of a role is in the audit trail of the member and of the organization', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR');
  await changeRole(path, members.OWNER, members.EDITOR, 'MANAGER');
  const { token } = members.EDITOR;
  const own = await call('GET', '/api/audit/mine?by=OTHERS', { token });
  t.match(own.body.data, [{ action: 'MEMBER_ROLE_CHANGED', changes: ['role'] }]);
  const ofAccount = await call('GET', `/api/audit/mine?accountId=${id}`, { token: members.OWNER.token });
  t.match(ofAccount.body.data[0], { action: 'MEMBER_ROLE_CHANGED', who: 'YOU' });
});

t.test('the only owner of an organization stays one', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'MANAGER');
  const { OWNER, MANAGER } = members;
  t.match(await changeRole(path, OWNER, OWNER, 'EDITOR'), { status: 409, body: { code: 'LAST_OWNER' } });
  t.equal((await changeRole(path, OWNER, MANAGER, 'OWNER')).status, 200);
  t.same(await readOwnerCounts(id), [2, 2]);
  t.equal((await changeRole(path, OWNER, OWNER, 'EDITOR')).status, 200);
  t.match(await changeRole(path, MANAGER, MANAGER, 'VIEWER'), { status: 409 });
  t.same(await readOwnerCounts(id), [1, 1]);
});

t.test('of two owners who demote one another, one is left', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER');
  const first = members.OWNER;
  const second = await addMember(test, id, 'OWNER');
  const { paused, release, done } = pauseTransaction(
    test,
    (tx) => tx.$queryRaw`SELECT FROM accounts WHERE id = ${id} FOR UPDATE`,
  );
  await paused;
  const changes = Promise.all([
    changeRole(path, first, second, 'EDITOR'),
    changeRole(path, second, first, 'EDITOR'),
  ]);
  await waitForLock(test, changes, 2);
  release();
  await done;
  const statuses = (await changes).map(({ status }) => status);
  t.same(statuses.toSorted(), [200, 403], 'who was demoted first changes nothing any more');
  t.same(await readOwnerCounts(id), [1, 1]);
});

t.test('of two owners who step down at once, one is left', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER');
  const first = members.OWNER;
  const second = await addMember(test, id, 'OWNER');
  const { paused, release, done } = pauseTransaction(
    test,
    (tx) => tx.$queryRaw`SELECT FROM accounts WHERE id = ${id} FOR UPDATE`,
  );
  await paused;
  const changes = Promise.all([first, second].map((owner) => changeRole(path, owner, owner, 'EDITOR')));
  await waitForLock(test, changes, 2);
  release();
  await done;
  t.same((await changes).map(({ body }) => body.code ?? body.role).toSorted(), ['EDITOR', 'LAST_OWNER']);
  t.same(await readOwnerCounts(id), [1, 1]);
});

t.test('a member who is erased meanwhile is neither changed nor removed', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR', 'VIEWER');
  const { OWNER, EDITOR, VIEWER } = members;
  const countEntries = async () =>
    database.client.auditEntry.count({
      where: { outcome: 'SUCCESS', action: { in: ['MEMBER_ROLE_CHANGED', 'MEMBER_REMOVED'] } },
    });
  const before = await countEntries();
  const { paused, release, done } = pauseTransaction(test, (tx) =>
    tx.membership.deleteMany({ where: { accountId: id, userId: { in: [EDITOR.id, VIEWER.id] } } }),
  );
  await paused;
  const changes = Promise.all([
    changeRole(path, OWNER, EDITOR, 'VIEWER'),
    call('DELETE', `${path}/members/${VIEWER.id}`, { token: OWNER.token }),
  ]);
  await waitForLock(test, changes, 2);
  release();
  await done;
  t.same(
    (await changes).map(({ status }) => status),
    [404, 404],
  );
  t.equal(await countEntries(), before);
});

t.test('the database refuses an organization without an owner', async (t) => {
  const { id } = await createOrganizationOf(test, 'OWNER');
  const update = database.pool.query('UPDATE accounts SET owner_count = 0 WHERE id = $1', [id]);
  await t.rejects(update, { code: '23514', constraint: 'accounts_has_owner' });
});

t.test('an owner who erases their account is not counted any more', async (t) => {
  const { id, members } = await createOrganizationOf(test, 'OWNER');
  const second = await addMember(test, id, 'OWNER');
  const third = await addMember(test, id, 'EDITOR');
  for (const { token } of [second, third])
    t.equal((await call('DELETE', '/api/auth/account', { token, body: {} })).status, 200);
  t.same(await readOwnerCounts(id), [1, 1]);
  t.equal(await database.client.membership.count({ where: { accountId: id } }), 1);
  const { token } = members.OWNER;
  t.equal((await call('DELETE', '/api/auth/account', { token, body: {} })).status, 200);
  t.same(await readOwnerCounts(id), [0, 0]);
});
