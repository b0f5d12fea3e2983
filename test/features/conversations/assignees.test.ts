import { dispatchDueNotifications } from '../../../src/features/notifications/dispatch-notifications.use-case.ts';
import { createCodeOfAccount } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { isProblem, listMailsCausedBy } from '../identity/accounts/helper.ts';
import { createOrganizationOf, type TestMember } from '../identity/organizations/helper.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

const test = await startScans(t);
const { call, database, scan, services } = test;
const { client } = database;

/** A conversation about a code of an organization with these members, and calls of them for it. */
async function start() {
  const organization = await createOrganizationOf(test, 'OWNER', 'RESPONDER', 'VIEWER');
  const { id: accountId, members } = organization;
  const qrCodeId = await createCodeOfAccount(test, { accountId, userId: members.OWNER.id });
  const made = await scan({ qrCodeId });
  const opened = await call('POST', '/api/conversations/public', {
    body: { scanId: made.body.scan.id, message: 'Hello' },
    headers: createTokenHeader(made),
  });
  t.equal(opened.status, 201, opened.text);
  await client.$executeRaw`DELETE FROM attempt_budgets`;
  const as = ({ token }: TestMember, headers = {}) => ({
    token,
    headers: { 'account-id': accountId, ...headers },
  });
  const path = `/api/conversations/${opened.body.id}`;
  const assign = (member: TestMember, assigneeId: string | null) =>
    call('PATCH', path, { ...as(member), body: { assigneeId } });
  const get = async (query = '') => (await call('GET', `${path}${query}`, as(members.OWNER))).body;
  const list = async (member: TestMember, assignee: string) =>
    (await call('GET', `/api/conversations?assignee=${assignee}`, as(member))).body.data.length as number;
  return {
    ...organization,
    accountId,
    conversationId: opened.body.id as string,
    path,
    as,
    assign,
    get,
    list,
  };
}

t.test('a member is made to answer, and is notified', async (t) => {
  const { members, as, assign, list, path, accountId, conversationId } = await start();
  const { OWNER: owner, RESPONDER: responder } = members;
  const { body: offered } = await call('GET', '/api/conversations/assignees', as(owner));
  t.same(
    offered.data.map(({ userId }: { userId: string }) => userId).toSorted(),
    [owner.id, responder.id].toSorted(),
    'a VIEWER cannot answer',
  );
  t.equal(await list(owner, 'none'), 1);
  await dispatchDueNotifications(services);
  const mails = await listMailsCausedBy(test, responder.email, async () => {
    const trail = await captureAuditEntries(test, async () => {
      const assigned = await assign(owner, responder.id);
      t.equal(assigned.status, 200, assigned.text);
      t.match(assigned.body, { assigneeId: responder.id, assigneeName: 'Ada Lovelace', version: 2 });
      t.match((await assign(owner, responder.id)).body, { version: 2 }, 'the same again changes nothing');
    });
    t.match(trail, [{ action: 'CONVERSATION_UPDATED', changes: ['assigneeId'] }]);
    t.equal(trail.length, 1);
    await dispatchDueNotifications(services);
  });
  t.match(mails, [{ subject: /Rex/, text: new RegExp(`/c/${conversationId}\\.`) }]);
  t.equal(await list(responder, 'me'), 1);
  t.equal(await list(owner, 'me'), 0);
  t.equal(await list(owner, responder.id), 1);
  t.equal(await list(owner, 'none'), 0);
  const where = { accountId, event: 'conversation.assigned' };
  t.match(await client.notification.findMany({ where }), [
    { userId: responder.id, data: { conversationId, code: 'Rex' } },
  ]);

  await assign(responder, null);
  await assign(responder, responder.id);
  await assign(owner, null);
  await assign(owner, responder.id);
  t.equal(await client.notification.count({ where }), 1, 'one a day, and none about oneself');
  t.match((await call('PATCH', path, { ...as(owner), body: { done: true } })).body, {
    done: true,
    assigneeId: responder.id,
  });
});

t.test('only who may answer is assigned, by who may answer', async (t) => {
  const { members, assign } = await start();
  const { OWNER: owner, VIEWER: viewer } = members;
  for (const id of [viewer.id, (await createOrganizationOf(test, 'OWNER')).members.OWNER.id])
    t.ok(isProblem(await assign(owner, id), 400, 'VALIDATION_FAILED'));
  t.equal((await assign(viewer, owner.id)).status, 403);
  const { id, accessToken: token } = test.owner;
  const made = await scan({ qrCodeId: await test.code() });
  const { body } = await call('POST', '/api/conversations/public', {
    body: { scanId: made.body.scan.id, message: 'Hello' },
    headers: createTokenHeader(made),
  });
  const own = await call('PATCH', `/api/conversations/${body.id}`, { token, body: { assigneeId: id } });
  t.ok(isProblem(own, 400, 'VALIDATION_FAILED'), 'nobody on a personal account');
  const offered = await call('GET', '/api/conversations/assignees', { token });
  t.same(offered.body.data, []);
});

t.test('a member who may no longer answer has no conversations', async (t) => {
  const { members, assign, get, accountId } = await start();
  const { OWNER: owner, RESPONDER: responder } = members;
  await assign(owner, responder.id);
  const member = `/api/organizations/${accountId}/members/${responder.id}`;
  await call('PATCH', member, { token: owner.token, body: { role: 'EDITOR' } });
  t.match(await get(), { assigneeId: responder.id }, 'an EDITOR answers');
  await call('PATCH', member, { token: owner.token, body: { role: 'VIEWER' } });
  t.match(await get(), { assigneeId: null, assigneeName: null, version: 3 });
  await call('PATCH', member, { token: owner.token, body: { role: 'RESPONDER' } });
  await assign(owner, responder.id);
  t.equal((await call('DELETE', member, { token: owner.token })).status, 200);
  t.match(await get(), { assigneeId: null });
});

t.test('a member who is limited to folders has no conversations', async (t) => {
  const { members, as, assign, get, accountId } = await start();
  const { OWNER: owner, RESPONDER: responder } = members;
  await assign(owner, responder.id);
  const member = `/api/organizations/${accountId}/members/${responder.id}`;
  const limited = await call('PUT', `${member}/folders`, { token: owner.token, body: { folderIds: [] } });
  t.equal(limited.status, 200, limited.text);
  t.match(await get(), { assigneeId: null, version: 3 });
  t.ok(isProblem(await assign(owner, responder.id), 400, 'VALIDATION_FAILED'));
  const { body } = await call('GET', '/api/conversations/assignees', as(owner));
  t.match(body.data, [{ userId: owner.id }]);
  t.equal(body.data.length, 1);
  const read = await call('GET', '/api/conversations/assignees', as(responder));
  t.match(read.body.data, [{ userId: owner.id }], 'they see who can answer');
});

t.test('the erasure of a user leaves their conversations to nobody', async (t) => {
  const { members, assign, get } = await start();
  const { OWNER: owner, RESPONDER: responder } = members;
  await assign(owner, responder.id);
  const erased = await call('DELETE', '/api/auth/account', { token: responder.token, body: {} });
  t.equal(erased.status, 200, erased.text);
  t.match(await get(), { assigneeId: null, assigneeName: null });
});
