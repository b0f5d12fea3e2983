import { createCleanUpJob } from '../../../../src/platform/clean-up.job.ts';
import { generateId } from '../../../../src/shared/ids.ts';
import { createSessionToken } from '../../../access/callers.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { waitForErasures } from '../../personal-data/helper.ts';
import { findAuditEntries, listMailsTo } from '../accounts/helper.ts';

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

async function addMember(accountId: string, role: string) {
  const user = await createUser();
  await database.client.membership.create({ data: { accountId, userId: user.id, role } });
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
  const { id, path } = await createOrganization(owner, 'Lost & <Found>');
  const [other, editor] = [await addMember(id, 'OWNER'), await addMember(id, 'EDITOR')];
  t.equal((await call('DELETE', path, { token: editor.token })).status, 403);
  t.equal((await call('DELETE', path, { token: (await createUser()).token })).status, 404);
  const deleted = await call('DELETE', path, { token: owner.token, headers: { 'if-match': '"1"' } });
  t.equal(deleted.status, 200, deleted.text);
  const days = (Date.parse(deleted.body.deleteAfter) - Date.now()) / DAY_MS;
  t.ok(days > 6.9 && days <= 7, `${days} days`);
  for (const { email } of [owner, other])
    t.match(await listMailsTo(test, email), [{ subject: 'Lost & <Found> will be deleted' }]);
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
