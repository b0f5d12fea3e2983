import { dispatchDueNotifications } from '../../../src/features/notifications/dispatch-notifications.use-case.ts';
import { findNotificationsForDelivery } from '../../../src/features/notifications/due-notification.repository.ts';
import { findReadableNotificationsByIds } from '../../../src/features/notifications/notification.repository.ts';
import { createReadableSql } from '../../../src/features/notifications/readable-notification.repository.ts';
import type { AccountRole } from '../../../src/shared/account-roles.ts';
import type { DomainEventPayloads } from '../../../src/shared/domain-events.ts';
import { HOUR_MS } from '../../../src/shared/durations.ts';
import { generateId } from '../../../src/shared/ids.ts';
import type { TestUser } from '../../helper.ts';
import { createCodeOfAccount, insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { listMailsCausedBy } from '../identity/accounts/helper.ts';
import { startScans } from '../scans/helper.ts';

const test = await startScans(t);
const { call, services, database, scan } = test;
const { client, pool } = database;

const members = new Map<AccountRole, TestUser>();
for (const role of ['OWNER', 'RESPONDER', 'BILLING'] as const) members.set(role, await test.createUser());
await dispatchDueNotifications(services);
await client.notification.deleteMany();

const insertSchool = () =>
  insertOrganization(test, { members: [...members].map(([role, { id: userId }]) => ({ role, userId })) });

function getMember(role: AccountRole): TestUser {
  const member = members.get(role);
  if (!member) throw new Error(`no ${role}`);
  return member;
}

const { id: ownerId } = getMember('OWNER');
const responder = getMember('RESPONDER');

/** List who has a notification of an event about an account. */
async function listNotified(accountId: string, event: string): Promise<AccountRole[]> {
  const rows = await client.notification.findMany({ where: { accountId, event } });
  const roles = rows.map(({ userId }) => [...members].find(([, { id }]) => id === userId)?.[0] ?? 'VIEWER');
  return roles.sort();
}

const publish = <
  Name extends
    | 'message.created'
    | 'document.opened'
    | 'payment.received'
    | 'code.expired'
    | 'webhook_endpoint.disabled',
>(
  name: Name,
  event: DomainEventPayloads[Name],
) => database.transaction((tx) => services.events.publish(tx, name, event));

t.test('each member is notified of what the role may see', async (t) => {
  const accountId = await insertSchool();
  const qrCodeId = await createCodeOfAccount(test, { accountId, userId: ownerId });
  const visit = await scan({ qrCodeId });
  t.equal(visit.status, 201, visit.text);
  t.same(await listNotified(accountId, 'scan.created'), ['OWNER', 'RESPONDER']);

  const message = { conversationId: generateId(), messageId: generateId(), title: 'Rex' };
  await publish('message.created', { accountId, qrCodeId, ...message });
  t.same(await listNotified(accountId, 'message.created'), ['OWNER', 'RESPONDER']);

  const document = { accountId, documentId: generateId(), title: 'Insurance' };
  await publish('document.opened', document);
  t.same(await listNotified(accountId, 'document.opened'), ['OWNER']);
  await publish('payment.received', {
    accountId,
    key: generateId(),
    data: { amount: '100', currency: 'EUR' },
  });
  t.same(await listNotified(accountId, 'payment.received'), ['BILLING', 'OWNER']);
  const expired = { title: 'Rex', expiresAt: new Date(0), timeZone: 'UTC' };
  await publish('code.expired', { key: generateId(), accountId, qrCodeId, ...expired });
  t.same(await listNotified(accountId, 'code.expired'), ['OWNER', 'RESPONDER']);
  await publish('webhook_endpoint.disabled', { accountId, webhookEndpointId: generateId() });
  t.same(await listNotified(accountId, 'webhook_endpoint.disabled'), ['OWNER']);
  t.equal(await client.notification.count({ where: { accountId: { not: accountId } } }), 0);
});

t.test('a member chooses the topics of an account', async (t) => {
  const accountId = await insertSchool();
  await pool.query(`UPDATE memberships SET topics = '{MESSAGES}' WHERE account_id = $1 AND user_id = $2`, [
    accountId,
    ownerId,
  ]);
  await scan({ qrCodeId: await createCodeOfAccount(test, { accountId, userId: ownerId }) });
  t.same(await listNotified(accountId, 'scan.created'), ['RESPONDER']);
  await t.rejects(pool.query(`UPDATE memberships SET topics = '{SCAN}' WHERE account_id = $1`, [accountId]), {
    code: '23514',
    constraint: 'memberships_topics_known',
  });
});

t.test('an alarm goes to each member by mail, whoever else was alarmed', async (t) => {
  const accountId = await insertSchool();
  const qrCodeId = await createCodeOfAccount(test, { accountId, userId: ownerId });
  await client.qrCode.update({ where: { id: qrCodeId }, data: { status: 'LOST' } });
  const begun = await Promise.all(
    [...members.values()].map(async ({ email }) => ({
      email,
      before: (await listMailsCausedBy(test, email, async () => {})).length,
    })),
  );
  t.ok(begun.every(({ before }) => before === 0));
  const toOwner = await listMailsCausedBy(test, getMember('OWNER').email, () => scan({ qrCodeId }));
  t.equal(toOwner.length, 1);
  const deliveries = await client.notificationDelivery.findMany({
    where: { channel: 'EMAIL', notification: { accountId } },
  });
  t.same(
    deliveries.map(({ userId, status }) => [userId, status]).sort(),
    [ownerId, responder.id].map((userId) => [userId, 'DELIVERED']).sort(),
  );
});

t.test('a removed member is left with nothing of the account', async (t) => {
  const accountId = await insertSchool();
  const qrCodeId = await createCodeOfAccount(test, { accountId, userId: ownerId });
  const { accessToken: token } = responder;
  await call('POST', '/api/notifications/read-all', { token });
  await scan({ qrCodeId });
  const count = async () => (await call('GET', '/api/notifications/unread-count', { token })).body.count;
  const list = async () => {
    const { body } = await call('GET', '/api/notifications?isRead=false', { token });
    return body.data.map(({ id }: { id: string }) => id);
  };
  t.equal(await count(), 1);
  const [id] = await list();
  await pool.query('DELETE FROM memberships WHERE account_id = $1 AND user_id = $2', [
    accountId,
    responder.id,
  ]);
  t.equal(await count(), 0);
  t.same(await list(), []);
  for (const [method, path] of [
    ['GET', `/${id}`],
    ['PATCH', `/${id}/read`],
    ['DELETE', `/${id}`],
  ] as const)
    t.equal((await call(method, `/api/notifications${path}`, { token })).status, 404, method);
  t.equal((await call('POST', '/api/notifications/read-all', { token })).body.updated, 0);
  const changes = await call('GET', '/api/notifications?updatedSince=2020-01-01T00:00:00Z', { token });
  t.notMatch(changes.text, id);

  await client.qrCode.update({ where: { id: qrCodeId }, data: { status: 'LOST' } });
  await client.notification.updateMany({ where: { id }, data: { event: 'code.scanned_while_lost' } });
  await dispatchDueNotifications(services);
  t.equal(await client.notificationDelivery.count({ where: { notificationId: id } }), 0, 'sent nowhere');
  const published = await pool.query('SELECT FROM realtime_events WHERE data ->> $1 = $2', [
    'notificationId',
    id,
  ]);
  t.equal(published.rowCount, 0, 'and to no socket');
});

t.test('a digest is not sent to a removed member, and nothing is left to wait for it', async (t) => {
  const accountId = await insertSchool();
  const qrCodeId = await createCodeOfAccount(test, { accountId, userId: ownerId });
  const body = { preferences: { 'scan.created': { EMAIL: true } } };
  const saved = await call('PUT', '/api/notifications/preferences', { token: responder.accessToken, body });
  t.equal(saved.status, 200, saved.text);
  for (let visit = 0; visit < 7; visit += 1) {
    const made = await scan({ qrCodeId }, { remoteAddress: `198.18.1${visit}.7` });
    t.equal(made.status, 201, made.text);
  }
  await client.notification.updateMany({ where: { accountId }, data: { createdAt: new Date() } });
  await dispatchDueNotifications(services);
  const where = { userId: responder.id, reason: 'DIGEST', notification: { accountId } };
  t.ok((await client.notificationDelivery.count({ where: { ...where, status: 'WAITING' } })) > 0);
  await pool.query('DELETE FROM memberships WHERE account_id = $1 AND user_id = $2', [
    accountId,
    responder.id,
  ]);
  const mails = await listMailsCausedBy(test, responder.email, () =>
    dispatchDueNotifications(services, new Date(Date.now() + 2 * HOUR_MS)),
  );
  t.same(mails, []);
  t.equal(await client.notificationDelivery.count({ where }), 0);
});

t.test('a member with a lower role is left with what the role may read', async (t) => {
  const accountId = await insertSchool();
  const qrCodeId = await createCodeOfAccount(test, { accountId, userId: ownerId });
  const { accessToken: token } = responder;
  await call('POST', '/api/notifications/read-all', { token });
  await scan({ qrCodeId });
  const count = async () => (await call('GET', '/api/notifications/unread-count', { token })).body.count;
  t.equal(await count(), 1);
  const { body } = await call('GET', '/api/notifications?isRead=false', { token });
  const [{ id }] = body.data;
  const setRole = (role: AccountRole) =>
    pool.query('UPDATE memberships SET role = $3 WHERE account_id = $1 AND user_id = $2', [
      accountId,
      responder.id,
      role,
    ]);
  const isReadable = async () => {
    const [due] = await database.transaction((tx) => findNotificationsForDelivery(tx, [id]));
    return due?.isReadable;
  };
  const isExported = async () => {
    const where = createReadableSql('notifications');
    return (await pool.query(`SELECT FROM notifications WHERE id = $1 AND ${where}`, [id])).rowCount === 1;
  };
  for (const role of ['VIEWER', 'EDITOR'] as const) {
    await setRole(role);
    t.same([await count(), await isReadable(), await isExported()], [1, true, true], role);
  }
  await setRole('BILLING');
  t.same([await count(), await isReadable(), await isExported()], [0, false, false]);
  t.equal((await call('GET', `/api/notifications/${id}`, { token })).status, 404);
  t.equal((await call('DELETE', `/api/notifications/${id}`, { token })).status, 404);
  t.same(await findReadableNotificationsByIds(client, [id]), [], 'nor by a link');
  await client.notification.updateMany({ where: { id }, data: { event: 'payment.received' } });
  t.same([await count(), await isReadable()], [1, true], 'of the new role');
});

t.test('notifications of an organization in enterprise mode need a second factor', async (t) => {
  const accountId = await insertSchool();
  const qrCodeId = await createCodeOfAccount(test, { accountId, userId: ownerId });
  const { accessToken: token } = responder;
  await call('POST', '/api/notifications/read-all', { token });
  await scan({ qrCodeId });
  const count = async () => (await call('GET', '/api/notifications/unread-count', { token })).body.count;
  const list = async (query = 'isRead=false') => {
    const { body } = await call('GET', `/api/notifications?${query}`, { token });
    return body.data.map(({ id }: { id: string }) => id);
  };
  const [id] = await list();
  t.equal(await count(), 1);
  await client.account.update({ where: { id: accountId }, data: { enterpriseMode: true } });
  t.equal(await count(), 0);
  t.same(await list(), []);
  const since = new Date(Date.now() - HOUR_MS).toISOString();
  t.notOk((await list(`updatedSince=${since}`)).includes(id));
  for (const [method, path] of [
    ['GET', `/${id}`],
    ['PATCH', `/${id}/read`],
    ['DELETE', `/${id}`],
  ] as const) {
    const refused = await call(method, `/api/notifications${path}`, { token });
    t.match(refused, { status: 403, body: { code: 'MFA_ENROLLMENT_REQUIRED' } }, method);
  }
  t.equal((await call('POST', '/api/notifications/read-all', { token })).body.updated, 0);
  await client.notification.updateMany({ where: { id }, data: { event: 'code.scanned_while_lost' } });
  await dispatchDueNotifications(services);
  t.equal(await client.notificationDelivery.count({ where: { notificationId: id } }), 0, 'sent nowhere');
  t.equal((await findReadableNotificationsByIds(client, [id])).length, 1, 'a mailed link leads to the login');

  const confirmedAt = new Date();
  await client.secondFactor.create({
    data: { userId: responder.id, secret: new Uint8Array([1]), confirmedAt, lastStep: 1n },
  });
  t.equal(await count(), 1);
  t.same(await list(), [id]);
  t.equal((await call('GET', `/api/notifications/${id}`, { token })).status, 200);
});
