import { eraseAccount } from '../../../../src/features/personal-data/erase-account.use-case.ts';
import { eraseDueOrganizations } from '../../../../src/features/personal-data/erase-organization.use-case.ts';
import type { CurrentUser } from '../../../../src/platform/authentication.ts';
import { createCleanUpJob } from '../../../../src/platform/clean-up.job.ts';
import type { Tx } from '../../../../src/platform/database.ts';
import { auditAs } from '../../../../src/platform/route-access.ts';
import type { AccountRole } from '../../../../src/shared/account-roles.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { createSessionToken } from '../../../access/callers.ts';
import { startTestApp } from '../../../helper.ts';
import { insertMembership } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { waitForErasures } from '../../personal-data/helper.ts';
import { findAuditEntries, listMailsTo } from '../accounts/helper.ts';
import { pauseTransaction, waitForLock } from '../accounts/paused-operations.ts';

const URL = '/api/organizations';
const DAY_MS = 86_400_000;
const test = await startTestApp(t);
const { call, database } = test;

async function createUser() {
  const [id, email] = [generateId(), `${generateId()}@example.org`];
  const names = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };
  await database.client.user.create({ data: { id, email, status: 'ACTIVE', ...names } });
  return { id, email, token: (await createSessionToken(test, { id, email })).token };
}

async function createOrganization({ token }: { token: string }, name = 'Shelter') {
  const { body } = await call('POST', URL, { token, body: { name } });
  return { ...body, path: `${URL}/${body.id}` };
}

async function addMember(accountId: string, role: AccountRole) {
  const user = await createUser();
  await insertMembership(test, accountId, { userId: user.id, role });
  return user;
}

async function createCode({ token }: { token: string }, accountId: string): Promise<string> {
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const created = await call('POST', '/api/qrcodes', { token, body, headers: { 'account-id': accountId } });
  return created.body.id;
}

async function insertNotificationsAndSchedules(recipients: readonly { userId: string; accountId: string }[]) {
  for (const recipient of recipients) {
    const id = generateId();
    await database.client.notification.create({
      data: { ...recipient, id, type: 'DEFAULT', event: 'scan.created', key: `test:${id}`, dueAt: null },
    });
    await database.client.reportSchedule.create({
      data: { ...recipient, frequency: 'WEEKLY', hour: 8, nextSendAt: new Date(Date.now() + DAY_MS) },
    });
  }
}

const EMPTY_CONTEXT = {
  user: null,
  linkUserId: undefined,
  address: '',
  userAgent: '',
  method: 'DELETE',
  purpose: '',
  isNavigation: false,
  acceptLanguage: undefined,
  requestId: 'test',
  operation: 'test',
  idempotencyKey: undefined,
  target: '',
};

const readPage = async (id: string) => (await call('GET', `/s/${id}`)).status;

async function cleanUp() {
  await createCleanUpJob(test.services)({});
  await waitForErasures(test);
}

/** The days in which it can be restored are over. */
async function endDeletion(id: string) {
  await database.client.account.update({
    where: { id },
    data: { deleteAfter: new Date(Date.now() - 1_000) },
  });
  await cleanUp();
}

t.test('a deleted organization works on for a week; each owner is told and can restore it', async (t) => {
  const owner = await createUser();
  const { id, path } = await createOrganization(owner, 'Lost & <Found> at evil.example');
  const [other, editor] = [await addMember(id, 'OWNER'), await addMember(id, 'EDITOR')];
  t.equal((await call('DELETE', path, { token: editor.token })).status, 403);
  t.equal((await call('DELETE', path, { token: (await createUser()).token })).status, 404);
  const deleted = await call('DELETE', path, { token: owner.token, headers: { 'if-match': '"1"' } });
  t.equal(deleted.status, 200, deleted.text);
  const days = (Date.parse(deleted.body.deleteAfter) - Date.now()) / DAY_MS;
  t.ok(days > 6.9 && days <= 7, `${days} days`);
  for (const { email } of [owner, other])
    t.match(await listMailsTo(test, email), [{ subject: 'Lost & <Found> at evil example will be deleted' }]);
  t.same(await listMailsTo(test, editor.email), []);
  const again = await call('DELETE', path, { token: other.token });
  t.equal(again.body.deleteAfter, deleted.body.deleteAfter, 'once');
  await cleanUp();
  t.match((await call('GET', path, { token: editor.token })).body, { name: 'Lost & <Found>' });
  t.equal((await call('POST', `${path}/restore`, { token: editor.token })).status, 403);
  const restored = await call('POST', `${path}/restore`, { token: other.token });
  t.match(restored.body, { deleteAfter: null, version: 3 });
  await cleanUp();
  t.equal((await call('GET', path, { token: owner.token })).status, 200);
});

t.test('then everything in it is erased, and its members keep what is theirs', async (t) => {
  const owner = await createUser();
  const { id, path } = await createOrganization(owner);
  const editor = await addMember(id, 'EDITOR');
  const own = await createCode(editor, editor.id);
  const codeId = await createCode(owner, id);
  const received = [
    { userId: owner.id, accountId: id },
    { userId: editor.id, accountId: id },
  ];
  const ofEditor = { userId: editor.id, accountId: editor.id };
  await insertNotificationsAndSchedules([...received, ofEditor]);
  t.equal(await readPage(codeId), 200);
  await call('DELETE', path, { token: owner.token });
  t.equal(await readPage(codeId), 200, 'works on');
  await endDeletion(id);
  t.equal(await readPage(codeId), 404);
  t.equal(await readPage(own), 200);
  for (const { token } of [owner, editor]) {
    t.equal((await call('GET', path, { token })).status, 404);
    t.equal((await call('POST', `${path}/restore`, { token })).status, 404);
    t.match((await call('GET', '/api/auth/me', { token })).body.accounts, [{ type: 'PERSONAL' }]);
  }
  await cleanUp();
  const row = await database.client.account.findUniqueOrThrow({ where: { id } });
  t.match(row, { status: 'DELETED', name: null, deleteAfter: null });
  t.equal(await database.client.qrCode.count({ where: { accountId: id, data: { not: null } } }), 0);
  t.equal(await database.client.notification.count({ where: { accountId: id } }), 0);
  t.equal(await database.client.reportSchedule.count({ where: { accountId: id } }), 0);
  const ofOwnAccount = { ...ofEditor, key: { startsWith: 'test:' } };
  t.equal(await database.client.notification.count({ where: ofOwnAccount }), 1, 'their own');
  t.equal(await database.client.reportSchedule.count({ where: ofEditor }), 1, 'their own');
  const erasure = await database.client.erasure.findUniqueOrThrow({ where: { userId: id } });
  t.ok(erasure.finishedAt);
  t.equal((await findAuditEntries(test, 'ORGANIZATION_ERASED')).length, 1);
});

t.test('an account with an organization that nobody else is in is erased with it', async (t) => {
  const owner = await createUser();
  const { id } = await createOrganization(owner);
  const codeId = await createCode(owner, id);
  const erased = await call('DELETE', '/api/auth/account', { token: owner.token, body: {} });
  t.equal(erased.status, 200, erased.text);
  t.equal(await readPage(codeId), 404);
  t.match(await database.client.account.findUniqueOrThrow({ where: { id } }), {
    status: 'DELETED',
    name: null,
  });
});

t.test('the only owner of an organization with other members cannot leave them behind', async (t) => {
  const owner = await createUser();
  const { id } = await createOrganization(owner);
  const member = await addMember(id, 'MANAGER');
  const refused = await call('DELETE', '/api/auth/account', { token: owner.token, body: {} });
  t.match(refused, { status: 409, body: { code: 'LAST_OWNER' } });
  const erased = await call('DELETE', '/api/auth/account', { token: member.token, body: {} });
  t.equal(erased.status, 200, 'a manager can');
  const other = await addMember(id, 'OWNER');
  t.equal((await call('DELETE', '/api/auth/account', { token: owner.token, body: {} })).status, 200);
  t.match((await call('GET', `${URL}/${id}`, { token: other.token })).body, {
    name: 'Shelter',
    role: 'OWNER',
  });
});

/** Create a user with an organization, and start to erase them while a transaction of others is paused. */
async function eraseDuring(
  first: (tx: Tx, userId: string, accountId: string) => Promise<unknown>,
  second = first,
) {
  const owner = await createUser();
  const { id } = await createOrganization(owner);
  const { paused, release, done } = pauseTransaction(
    test,
    (tx) => first(tx, owner.id, id),
    (tx) => second(tx, owner.id, id),
  );
  await paused;
  const erasing = call('DELETE', '/api/auth/account', { token: owner.token, body: {} });
  await waitForLock(test, erasing);
  release();
  await done;
  return { owner, erased: await erasing };
}

const lockUser = (tx: Tx, id: string) => tx.$queryRaw`SELECT FROM users WHERE id = ${id} FOR UPDATE NOWAIT`;

t.test('an erasure waits for what has locked an organization, without the lock of its user', async (t) => {
  const { erased } = await eraseDuring(
    (tx, _userId, id) => tx.$queryRaw`SELECT FROM accounts WHERE id = ${id} FOR UPDATE`,
    lockUser,
  );
  t.equal(erased.status, 200, erased.text);
});

t.test('an erasure does not erase an organization that it has not locked', async (t) => {
  const added = generateId();
  const { owner, erased } = await eraseDuring(lockUser, async (tx, userId) => {
    await tx.account.create({ data: { id: added, type: 'ORGANIZATION', name: 'New' } });
    await tx.membership.create({ data: { accountId: added, userId, role: 'OWNER' } });
  });
  t.match(erased, { status: 409, body: { code: 'CONFLICT' } });
  t.equal((await call('GET', `${URL}/${added}`, { token: owner.token })).status, 200);
});

t.test('an erasure with organizations takes one batch of rows for all of them', async (t) => {
  const { id: userId } = await createUser();
  const accountId = generateId();
  await database.client.account.create({ data: { id: accountId, type: 'ORGANIZATION', name: 'Small' } });
  await database.client.membership.create({ data: { accountId, userId, role: 'OWNER' } });
  const other = await createUser();
  for (const [recipient, account] of [
    [userId, userId],
    [other.id, accountId],
  ])
    await database.pool.query(
      `INSERT INTO notifications (id, user_id, account_id, type, event, key)
       SELECT substr(md5($1 || number), 1, 24), $1, $2, 'DEFAULT', 'scan.created', 'test:' || number
       FROM generate_series(1, 600) AS number`,
      [recipient, account],
    );
  const jobs = Object.assign(Object.create(test.services.jobs) as typeof test.services.jobs, {
    enqueue: async () => {},
  });
  const context = { ...EMPTY_CONTEXT, audit: auditAs('ACCOUNT_ERASED') };
  const user = { id: userId, role: 'USER', language: 'en' } as CurrentUser;
  await eraseAccount({ ...test.services, jobs }, context, user, null);
  const count = (where: { userId: string } | { accountId: string }) =>
    database.client.notification.count({ where });
  t.same([await count({ userId }), await count({ accountId })], [100, 100]);
});

t.test('an organization that cannot be erased does not stop the erasure of others', async (t) => {
  const owner = await createUser();
  const ids = [(await createOrganization(owner)).id, (await createOrganization(owner)).id];
  for (const [index, id] of ids.entries())
    await database.client.account.update({
      where: { id },
      data: { deleteAfter: new Date(Date.now() - DAY_MS + index) },
    });
  const { jobs } = test.services;
  let calls = 0;
  const failing = Object.assign(Object.create(jobs) as typeof jobs, {
    enqueue: async (...args: Parameters<typeof jobs.enqueue>) => {
      calls += 1;
      if (calls === 1) throw new Error('The queue is full.');
      return jobs.enqueue(...args);
    },
  });
  await t.rejects(eraseDueOrganizations({ database, jobs: failing }), { message: 'The queue is full.' });
  const rows = await Promise.all(
    ids.map((id) => database.client.account.findUniqueOrThrow({ where: { id } })),
  );
  t.same(
    rows.map(({ status }) => status),
    ['ACTIVE', 'DELETED'],
  );
  await cleanUp();
  t.match(await database.client.account.findUniqueOrThrow({ where: { id: ids[0] } }), { status: 'DELETED' });
});
