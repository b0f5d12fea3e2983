import { dispatchDueNotifications } from '../../../src/features/notifications/dispatch-notifications.use-case.ts';
import type { TestUser } from '../../helper.ts';
import { createCodeOfAccount, insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { createTokenHeader } from '../scans/helper.ts';
import { startRealtime, type TestSocket, waitForCondition } from './helper.ts';

const test = await startRealtime(t);
const { call, createUser, database, listen, listenAsFinder, owner, scan } = test;
const { pool } = database;

const responder = await createUser();
const accountant = await createUser();
const accountId = await insertOrganization(test, {
  members: [
    { userId: owner.id, role: 'OWNER' },
    { userId: responder.id, role: 'RESPONDER' },
    { userId: accountant.id, role: 'BILLING' },
  ],
});
const qrCodeId = await createCodeOfAccount(test, { accountId, userId: owner.id });

/** Publish scans until all sockets know their organizations; that takes up to a second. */
async function scanUntil(isDone: () => boolean): Promise<void> {
  let visits = 0;
  await waitForCondition('a scan', async () => {
    visits += 1;
    await scan({ qrCodeId }, { remoteAddress: `198.18.${visits % 250}.7` });
    return isDone();
  });
}

const hasScan = ({ receivedEvents }: TestSocket) =>
  receivedEvents.some(({ event, data }) => event === 'scan.created' && data.accountId === accountId);

async function listStoredEvents({ id }: TestUser): Promise<string[]> {
  const { rows } = await pool.query<{ event: string }>(
    "SELECT event FROM realtime_events WHERE stream = 'u:' || $1 AND data ->> 'accountId' = $2 ORDER BY seq",
    [id, accountId],
  );
  return rows.map(({ event }) => event).filter((event) => event !== 'notification.created');
}

t.test('members get the events of their organization, as far as their role goes', async (t) => {
  const [mine, theirs, others] = [await listen(owner), await listen(responder), await listen(accountant)];
  await scanUntil(() => hasScan(mine) && hasScan(theirs));
  t.notOk(hasScan(others), 'not who only pays');

  const visit = await scan({ qrCodeId });
  const opened = await call('POST', '/api/conversations/public', {
    body: { scanId: visit.body.scan.id, message: 'Found.' },
    headers: createTokenHeader(visit),
  });
  t.equal(opened.status, 201, opened.text);
  const { id: conversationId, conversationToken } = opened.body;
  for (const socket of [mine, theirs]) {
    const { data } = await socket.waitForEvent('message.created');
    t.match(data, { conversationId, accountId, message: { message: 'Found.' } });
  }
  t.same(await listStoredEvents(accountant), []);

  const finder = await listenAsFinder(opened);
  others.send('watch', { conversationId });
  t.match((await others.waitForEvent('error')).data, { code: 'NOT_FOUND' });
  theirs.send('watch', { conversationId });
  await theirs.waitForEvent('presence');
  theirs.send('typing', { conversationId });
  const typing = await finder.waitForEvent('typing');
  t.same(typing.data, { conversationId, side: 'OWNER' }, 'a finder is not told who it is');
  finder.send('typing', { conversationId });
  t.match((await mine.waitForEvent('typing')).data, { conversationId, side: 'FINDER', accountId });

  const headers = { 'x-conversation-token': conversationToken };
  const path = `/api/conversations/public/${conversationId}/messages`;
  await call('POST', path, { body: { message: 'Still here.' }, headers });
  const isForFinder = ({ event, data }: { event: string; data: { accountId?: string } }) =>
    event === 'message.created' && data.accountId === undefined;
  t.match((await finder.waitForEvent(isForFinder)).data, { message: { message: 'Still here.' } });
});

/** Change the organization, and change it back. */
async function changeOrganization(change: string, work: () => Promise<void>): Promise<void> {
  await pool.query(`UPDATE accounts SET ${change} WHERE id = $1`, [accountId]);
  try {
    await work();
  } finally {
    await pool.query("UPDATE accounts SET status = 'ACTIVE', enterprise_mode = false WHERE id = $1", [
      accountId,
    ]);
  }
}

for (const change of ["status = 'SUSPENDED'", 'enterprise_mode = true'])
  t.test(`members who cannot act for the organization get no event: ${change}`, async (t) => {
    const visit = await scan({ qrCodeId });
    const opened = await call('POST', '/api/conversations/public', {
      body: { scanId: visit.body.scan.id, message: 'Before.' },
      headers: createTokenHeader(visit),
    });
    t.equal(opened.status, 201, opened.text);
    const conversationId = opened.body.id;
    const finder = await listenAsFinder(opened);
    const member = await listen(responder);
    member.send('watch', { conversationId });
    await finder.waitForEvent(({ event, data }) => event === 'presence' && data.present);
    await changeOrganization(change, async () => {
      await finder.waitForEvent(({ event, data }) => event === 'presence' && !data.present);
      const late = await listen(responder, `?since=${'0'.repeat(24)}`);
      late.send('watch', { conversationId });
      t.match((await late.waitForEvent('error')).data, { code: 'NOT_FOUND' });
      const { events } = test.services;
      await database.transaction((tx) => events.publish(tx, 'password.changed', { userId: responder.id }));
      await dispatchDueNotifications(test.services);
      await late.waitForEvent(({ data }) => data?.notification?.event === 'password.changed');
      t.notOk(
        late.receivedEvents.some(({ data }) => data?.accountId === accountId),
        'nor one of before',
      );
    });
  });
t.test('a removed or demoted member is no longer present in a conversation', async (t) => {
  const editor = await createUser();
  const shelter = await insertOrganization(test, {
    members: [
      { userId: owner.id, role: 'OWNER' },
      { userId: editor.id, role: 'EDITOR' },
    ],
  });
  const code = await createCodeOfAccount(test, { accountId: shelter, userId: owner.id });
  const visit = await scan({ qrCodeId: code }, { remoteAddress: '198.51.100.23' });
  const opened = await call('POST', '/api/conversations/public', {
    body: { scanId: visit.body.scan.id, message: 'Found.' },
    headers: createTokenHeader(visit),
  });
  t.equal(opened.status, 201, opened.text);
  const { id: conversationId } = opened.body;
  const finder = await listenAsFinder(opened);
  const member = `/api/organizations/${shelter}/members/${editor.id}`;
  const { accessToken: token } = owner;
  for (const end of [
    () => call('PATCH', member, { token, body: { role: 'BILLING' } }),
    () => call('DELETE', member, { token }),
  ]) {
    await pool.query("UPDATE memberships SET role = 'EDITOR' WHERE account_id = $1 AND user_id = $2", [
      shelter,
      editor.id,
    ]);
    const socket = await listen(editor);
    socket.send('watch', { conversationId });
    await finder.waitForEvent(({ event, data }) => event === 'presence' && data.present);
    t.equal((await end()).status, 200);
    await finder.waitForEvent(({ event, data }) => event === 'presence' && !data.present);
    finder.receivedEvents.length = 0;
    socket.send('typing', { conversationId });
    t.match((await socket.waitForEvent('error')).data, { code: 'NOT_FOUND' });
    socket.socket.close();
    await socket.end();
  }
});

t.test('a removed member gets no event, nor those of before', async (t) => {
  const socket = await listen(responder);
  await scanUntil(() => hasScan(socket));
  const first = await scan({ qrCodeId });
  const begun = await call('POST', '/api/conversations/public', {
    body: { scanId: first.body.scan.id, message: 'Who is there?' },
    headers: createTokenHeader(first),
  });
  const finder = await listenAsFinder(begun);
  socket.send('watch', { conversationId: begun.body.id });
  await finder.waitForEvent(({ event, data }) => event === 'presence' && data.present);
  const before = await listStoredEvents(responder);
  t.ok(before.length > 0);
  await pool.query('DELETE FROM memberships WHERE account_id = $1 AND user_id = $2', [
    accountId,
    responder.id,
  ]);

  await finder.waitForEvent(({ event, data }) => event === 'presence' && !data.present);
  const late = await listen(responder, `?since=${'0'.repeat(24)}`);
  const mine = await listen(owner);
  const visit = await scan({ qrCodeId });
  const opened = await call('POST', '/api/conversations/public', {
    body: { scanId: visit.body.scan.id, message: 'Found again.' },
    headers: createTokenHeader(visit),
  });
  await mine.waitForEvent(({ data }) => data?.message?.message === 'Found again.');
  t.same(await listStoredEvents(responder), before);
  late.send('watch', { conversationId: opened.body.id });
  t.match((await late.waitForEvent('error')).data, { code: 'NOT_FOUND' });

  // What comes after is sent after: so nothing of the organization is on its way.
  const { events } = test.services;
  await database.transaction((tx) => events.publish(tx, 'password.changed', { userId: responder.id }));
  await dispatchDueNotifications(test.services);
  await late.waitForEvent(({ data }) => data?.notification?.event === 'password.changed');
  t.notOk(late.receivedEvents.some(({ data }) => data?.accountId === accountId));
});
