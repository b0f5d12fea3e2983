import type { AccountRole } from '../../../../src/shared/account-roles.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { startTestApp } from '../../../helper.ts';
import { createCodeOfAccount } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { isProblem, listMailsCausedBy, listMailsTo } from '../accounts/helper.ts';
import { pauseTransaction, waitForLock } from '../accounts/paused-operations.ts';
import { addMember, ageSessions, createOrganizationOf, createUser, type TestMember } from './helper.ts';

const test = await startTestApp(t);
const { call, database } = test;
const { client } = database;

const remove = (path: string, { token }: TestMember, { id }: TestMember, headers = {}) =>
  call('DELETE', `${path}/members/${id}`, { token, headers });
const leave = (path: string, { token }: TestMember) => call('POST', `${path}/leave`, { token });
const isMember = async (accountId: string, { id: userId }: TestMember) =>
  (await client.membership.count({ where: { accountId, userId } })) === 1;

/** What hangs on a membership: a key, a link of a test, reports by email, and a notification that is not sent yet. */
async function insertLinks(accountId: string, { id: userId, token }: TestMember) {
  const headers = { 'account-id': accountId };
  const body = { name: 'Shop', scopes: ['qr-codes:read'] };
  const key = (await call('POST', '/api/api-keys', { token, body, headers })).body;
  const qrCodeId = await createCodeOfAccount(test, { accountId, userId });
  const link = await call('POST', `/api/qrcodes/${qrCodeId}/test`, { token, headers });
  if (link.status !== 201) throw new Error(link.text);
  const nextSendAt = new Date(Date.now() + 86_400_000);
  await client.reportSchedule.create({
    data: { accountId, userId, frequency: 'WEEKLY', hour: 8, nextSendAt },
  });
  const id = generateId();
  await client.notification.create({
    data: { id, userId, accountId, type: 'DEFAULT', event: 'scan.created', key: id, dueAt: nextSendAt },
  });
  return { key, link: new URL(link.body.url).pathname };
}

async function countLinks(accountId: string, { id: userId }: TestMember) {
  return {
    tests: await client.testLink.count({ where: { userId } }),
    reports: await client.reportSchedule.count({ where: { userId, accountId } }),
    notifications: await client.notification.count({ where: { userId, accountId } }),
  };
}

async function insertEndpoint(accountId: string): Promise<string> {
  const id = generateId();
  const [url, secrets] = [new Uint8Array([1]), new Uint8Array([1])];
  await client.webhookEndpoint.create({
    data: { id, accountId, url, secrets, eventTypes: ['*'], description: 'Shop' },
  });
  return id;
}

t.test('a removed member is told, and what they had ends', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR');
  const { OWNER, EDITOR } = members;
  const { key, link } = await insertLinks(id, EDITOR);
  t.same(await countLinks(id, EDITOR), { tests: 1, reports: 1, notifications: 1 });
  const access = await call('GET', `${path}/members/${EDITOR.id}/access`, { token: OWNER.token });
  const { name, prefix } = key;
  t.same(access.body, { apiKeys: [{ id: key.id, name, prefix }], webhookEndpoints: [], links: 2 });
  t.equal((await call('GET', '/api/qrcodes', { token: key.token })).status, 200);

  const mails = await listMailsCausedBy(test, EDITOR.email, async () => {
    t.same((await remove(path, OWNER, EDITOR)).body, { id: EDITOR.id, deleted: true });
  });
  t.match(mails, [{ subject: 'You are no longer in Harbor School' }]);
  t.notOk(await isMember(id, EDITOR));
  t.same(await countLinks(id, EDITOR), { tests: 0, reports: 0, notifications: 0 });
  t.equal((await call('GET', '/api/qrcodes', { token: key.token })).status, 401, 'the key');
  t.equal((await call('GET', link)).status, 404, 'the link of the test');
  for (const url of [path, `${path}/members`])
    t.equal((await call('GET', url, { token: EDITOR.token })).status, 404);
  const headers = { 'account-id': id };
  t.match(await call('GET', '/api/qrcodes', { token: EDITOR.token, headers }), {
    status: 404,
    body: { code: 'ACCOUNT_NOT_FOUND' },
  });
  const stopped = await call('GET', `/api/api-keys/${key.id}`, { token: OWNER.token, headers });
  t.match(stopped.body, { status: 'STOPPED', stopReason: 'CREATOR_LEFT' });
  const taken = await call('POST', `/api/api-keys/${key.id}/take-over`, {
    token: OWNER.token,
    headers,
    body: {},
  });
  t.equal((await call('GET', '/api/qrcodes', { token: taken.body.token })).status, 200, 'taken over');
  t.equal((await remove(path, OWNER, EDITOR)).status, 404, 'once');
});

t.test('a demoted member loses what the lower role does not have', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR');
  const { OWNER, EDITOR } = members;
  await insertLinks(id, EDITOR);
  const change = (role: AccountRole) =>
    call('PATCH', `${path}/members/${EDITOR.id}`, { token: OWNER.token, body: { role } });
  t.equal((await change('VIEWER')).status, 200);
  t.same(await countLinks(id, EDITOR), { tests: 0, reports: 1, notifications: 1 });
  t.equal((await change('BILLING')).status, 200);
  t.match(await countLinks(id, EDITOR), { tests: 0, reports: 0 });
});

t.test('who reads webhook secrets takes them along', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'MANAGER', 'EDITOR');
  const endpoint = await insertEndpoint(id);
  await insertEndpoint((await createOrganizationOf(test, 'OWNER')).id);
  const read = async (member: TestMember, reader = members.OWNER) =>
    (await call('GET', `${path}/members/${member.id}/access`, { token: reader.token })).body;
  t.same((await read(members.MANAGER)).webhookEndpoints, [{ id: endpoint, description: 'Shop' }]);
  t.same((await read(members.EDITOR)).webhookEndpoints, []);
  t.match(await read(members.EDITOR, members.EDITOR), { links: 0 }, 'of oneself');
  t.match(await read(members.OWNER, members.MANAGER), { code: 'FORBIDDEN' });
  t.match(await read(members.MANAGER, members.EDITOR), { code: 'FORBIDDEN' });
});

t.test('owners remove everybody, managers all but owners, other members nobody', async (t) => {
  const { id, path, members } = await createOrganizationOf(
    test,
    'OWNER',
    'MANAGER',
    'EDITOR',
    'RESPONDER',
    'VIEWER',
    'BILLING',
  );
  const { OWNER, MANAGER, EDITOR, VIEWER } = members;
  for (const role of ['EDITOR', 'RESPONDER', 'BILLING'] as const)
    t.equal((await remove(path, members[role], VIEWER)).status, 403, role);
  t.equal((await remove(path, MANAGER, OWNER)).status, 403);
  t.equal((await remove(path, await createUser(test), VIEWER)).status, 404);
  t.equal((await remove(path, MANAGER, VIEWER, { 'if-match': '"2"' })).status, 412);
  t.equal((await remove(path, MANAGER, VIEWER, { 'if-match': '"1"' })).status, 200);
  const second = await addMember(test, id, 'OWNER');
  t.equal((await remove(path, OWNER, second)).status, 200);
  t.equal((await remove(path, OWNER, MANAGER)).status, 200);
  t.equal((await remove(path, EDITOR, EDITOR)).status, 200, 'everybody themselves');
  t.match(await remove(path, OWNER, OWNER), { status: 409, body: { code: 'LAST_OWNER' } });
});

t.test('an owner is removed soon after a login, and leaves at any time', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR');
  const { OWNER, EDITOR } = members;
  const second = await addMember(test, id, 'OWNER');
  for (const owner of [OWNER, second]) await ageSessions(test, owner);
  t.ok(isProblem(await remove(path, OWNER, second), 403, 'REAUTHENTICATION_REQUIRED'));
  t.ok(await isMember(id, second));
  t.equal((await remove(path, OWNER, EDITOR)).status, 200);
  t.equal((await leave(path, second)).status, 200);
});

t.test('members leave; the only owner does not', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'VIEWER');
  t.same((await leave(path, members.VIEWER)).body, { done: true });
  t.notOk(await isMember(id, members.VIEWER));
  t.equal((await leave(path, members.VIEWER)).status, 404);
  t.same(await listMailsTo(test, members.VIEWER.email), [], 'they know');
  t.match(await leave(path, members.OWNER), { status: 409, body: { code: 'LAST_OWNER' } });
  const { token, id: personal } = members.OWNER;
  t.equal((await call('POST', `/api/organizations/${personal}/leave`, { token })).status, 404);
  t.ok(
    (await call('GET', '/api/qrcodes', { token: members.VIEWER.token })).body.data,
    'their own account stays',
  );
});

t.test('of two owners who leave at once, one stays', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER');
  const owners = [members.OWNER, await addMember(test, id, 'OWNER')];
  const { paused, release, done } = pauseTransaction(
    test,
    (tx) => tx.$queryRaw`SELECT FROM accounts WHERE id = ${id} FOR UPDATE`,
  );
  await paused;
  const leaving = Promise.all(owners.map((owner) => leave(path, owner)));
  await waitForLock(test, leaving, 2);
  release();
  await done;
  t.same((await leaving).map(({ status }) => status).toSorted(), [200, 409]);
  const { ownerCount } = await client.account.findUniqueOrThrow({ where: { id } });
  t.equal(ownerCount, 1);
});

t.test('the audit trail of the organization says who removed whom, and who left', async (t) => {
  const { id, path, members } = await createOrganizationOf(test, 'OWNER', 'EDITOR', 'VIEWER');
  await remove(path, members.OWNER, members.EDITOR);
  await leave(path, members.VIEWER);
  const references = await client.auditActor.findMany({
    where: { userId: { in: [id, ...Object.values(members).map((member) => member.id)] } },
  });
  const getReference = (userId: string) => references.find((one) => one.userId === userId)?.reference;
  const entries = await client.auditEntry.findMany({
    where: { accountReference: getReference(id) ?? '', action: { startsWith: 'MEMBER_' } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  t.match(entries, [
    {
      action: 'MEMBER_REMOVED',
      actorReference: getReference(members.OWNER.id),
      subjectReference: getReference(members.EDITOR.id),
    },
    {
      action: 'MEMBER_LEFT',
      actorReference: getReference(members.VIEWER.id),
      subjectReference: getReference(members.VIEWER.id),
    },
  ]);
  t.equal(entries.length, 2);
});
