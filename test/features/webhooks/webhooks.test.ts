import { Webhook } from 'standardwebhooks';
import { dispatchDueNotifications } from '../../../src/features/notifications/dispatch-notifications.use-case.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { createSessionToken } from '../../access/callers.ts';
import { t } from '../../tap.ts';
import { skipRetryDelays, startReceiver, startWebhooks, verifyWebhook, waitUntil } from './helper.ts';

const test = await startWebhooks(t);
const { call, database, owner, createEndpoint, createCode } = test;
const token = owner.accessToken;
const call200 = async (method: string, url: string, body?: unknown) => {
  const answer = await call(method, url, { token, ...(body === undefined ? {} : { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${url}: ${answer.text}`);
  return answer;
};
const removeEndpoint = (id: string) => call200('DELETE', `/api/webhook-endpoints/${id}`);

t.test('delivers what happens, signed, with ids only, and lists the same events', async (t) => {
  const { url, received } = await startReceiver(t);
  const { id, secret } = await createEndpoint(url);
  const qrCodeId = await createCode();
  const lost = { message: 'Canary Rex is shy', reward: null, lastSeen: null };
  await call200('POST', `/api/qrcodes/${qrCodeId}/lost`, lost);
  await call200('POST', `/api/qrcodes/${qrCodeId}/found`, {});
  await call200('PATCH', `/api/qrcodes/${qrCodeId}`, { status: 'PAUSED' });
  await call200('PATCH', `/api/qrcodes/${qrCodeId}`, {
    status: 'ACTIVE',
    title: 'Canary title',
    notifyOn: 'NEVER',
  });
  const scanned = await call('POST', '/api/scans/geocoded', {
    body: { qrCodeId, latitude: 52.5163, longitude: 13.3777 },
  });
  const opened = await call('POST', '/api/conversations/public', {
    body: { scanId: scanned.body.scan.id, message: 'Canary message' },
    headers: { 'x-scan-token': scanned.body.scanToken },
  });
  await call200('DELETE', `/api/qrcodes/${qrCodeId}`);
  await call200('POST', `/api/qrcodes/${qrCodeId}/restore`, {});
  await waitUntil(() => received.length >= 9);

  const types = received.map(({ event }) => event.type).toSorted();
  t.same(types, [
    'code.created',
    'code.deleted',
    'code.found',
    'code.lost',
    'code.paused',
    'code.restored',
    'code.resumed',
    'message.created',
    'scan.created',
  ]);
  for (const one of received) {
    verifyWebhook(secret, one);
    t.equal(one.headers['webhook-id'], one.event.id);
    t.notMatch(one.body, /Canary|Rex|52\.51|Berlin/);
    t.equal((await call('GET', one.event.data.path, { token })).status, 200, one.event.data.path);
  }
  const scan = received.find(({ event }) => event.type === 'scan.created')?.event;
  t.match(scan, { id: scanned.body.scan.id, data: { id: scanned.body.scan.id, qrCodeId } });
  const message = received.find(({ event }) => event.type === 'message.created')?.event;
  t.match(message?.data, { conversationId: opened.body.id, qrCodeId });

  const pages = [];
  for (let cursor = ''; ; ) {
    const { body } = await call200(
      'GET',
      `/api/events?sort=timestamp&limit=4${cursor && `&cursor=${cursor}`}`,
    );
    pages.push(body.data);
    if (!body.pagination.hasMore) break;
    cursor = body.pagination.nextCursor;
  }
  t.same(
    pages.map(({ length }) => length),
    [4, 4, 1],
  );
  const byId = new Map(received.map(({ event }) => [event.id, event]));
  for (const event of pages.flat()) t.same(event, byId.get(event.id));
  const scans = await call200('GET', '/api/events?type=scan.*');
  t.same(scans.body.data, [scan]);
  t.equal((await call('GET', '/api/events?type=moon.*', { token })).status, 400);
  const other = await test.createUser();
  t.same((await call('GET', '/api/events', { token: other.accessToken })).body.data, []);
  await removeEndpoint(id);
});

t.test('sends only the types of an endpoint, and a notification names the same type', async (t) => {
  const { url, received } = await startReceiver(t);
  const { id } = await createEndpoint(url, ['scan.*']);
  const qrCodeId = await createCode();
  await call('POST', '/api/scans/public', { body: { qrCodeId } });
  await call('POST', '/api/scans/public', { body: { qrCodeId }, headers: { 'user-agent': 'Googlebot/2.1' } });
  await waitUntil(
    async () =>
      (await database.client.webhookDelivery.count({ where: { status: 'DELIVERED', endpointId: id } })) > 0,
  );
  t.same(
    received.map(({ event }) => event.type),
    ['scan.created'],
    'no bots, no codes',
  );
  await removeEndpoint(id);
});

t.test('a rotated secret signs until the end of its overlap', async (t) => {
  const { url, received } = await startReceiver(t);
  const { id, secret } = await createEndpoint(url, ['document.opened']);
  const path = `/api/webhook-endpoints/${id}`;
  t.equal((await call200('GET', path)).body.secret, undefined);
  const rotated = await call200('POST', `${path}/rotate-secret`, { overlapSeconds: 3600 });
  t.not(rotated.body.secret, secret);
  const tested = await call200('POST', `${path}/test`, {});
  await waitUntil(() => received.length === 1);
  const [first] = received;
  if (!first) return;
  t.equal(first.event.type, 'webhook_endpoint.test');
  t.equal(first.event.data.path, path);
  for (const one of [secret, rotated.body.secret]) verifyWebhook(one, first);
  t.throws(() => verifyWebhook(`whsec_${Buffer.alloc(32).toString('base64')}`, first));
  t.throws(() => verifyWebhook(secret, { ...first, body: first.body.replace('test', 'text') }));

  await waitUntil(
    async () => (await call200('GET', String(tested.headers.location))).body.status === 'DELIVERED',
  );
  const last = await call200('POST', `${path}/rotate-secret`, { overlapSeconds: 0 });
  t.equal(
    last.body.previousSecretExpiresAt,
    rotated.body.previousSecretExpiresAt,
    'the first one still ends then',
  );
  await call200('POST', `${path}/test`, {});
  await waitUntil(() => received.length === 2);
  const signatures = received[1]?.headers['webhook-signature']?.split(' ');
  t.equal(signatures?.length, 2, 'of the newest and of the first');
  await removeEndpoint(id);
});

t.test('the signature is that of Standard Webhooks', (t) => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const signature = new Webhook(secret).sign(
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    new Date(1_614_265_330_000),
    '{"test": 2432232314}',
  );
  t.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  t.end();
});

t.test('tries again, gives up after ten attempts, and replays', async (t) => {
  let status = 500;
  const { url, received } = await startReceiver(t, () => status);
  const { id } = await createEndpoint(url, ['code.created']);
  await createCode();
  const path = `/api/webhook-endpoints/${id}/deliveries`;
  const waitForStatus = (expected: string) =>
    waitUntil(async () => {
      await skipRetryDelays(test);
      return (await call200('GET', path)).body.data[0].status === expected;
    });
  await waitForStatus('FAILED');
  t.equal(received.length, 10);
  const [delivery] = (await call200('GET', path)).body.data;
  t.equal(delivery.attempts.length, 10);
  t.match(delivery, { nextAttemptAt: null, attempts: [{ statusCode: 500, error: 'STATUS' }] });
  t.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1);
  const eventId = String(received[0]?.event.id);
  const failing = await call200('GET', `/api/webhook-endpoints/${id}`);
  t.not(failing.body.failingSince, null);

  status = 204;
  const replayed = await call200('POST', `${path}/${eventId}/replay`, {});
  t.equal(replayed.headers.location, `${path}/${eventId}`);
  await waitForStatus('DELIVERED');
  t.equal((await call200('GET', `${path}?status=FAILED`)).body.data.length, 0);
  await waitUntil(
    async () => (await call200('GET', `/api/webhook-endpoints/${id}`)).body.failingSince === null,
  );
  await removeEndpoint(id);
});

t.test('replays a range of time, also from before the endpoint existed', async (t) => {
  const { url, received } = await startReceiver(t);
  const from = new Date().toISOString();
  const qrCodeId = await createCode();
  await call('POST', '/api/scans/public', { body: { qrCodeId } });
  const { id } = await createEndpoint(url, ['code.created', 'scan.created']);
  const path = `/api/webhook-endpoints/${id}`;
  t.same((await call200('POST', `${path}/replay`, { from })).body, { count: 2, nextFrom: null });
  await waitUntil(() => received.length === 2);
  await waitUntil(
    async () => (await call200('GET', `${path}/deliveries?status=DELIVERED`)).body.data.length === 2,
  );
  t.equal((await call200('POST', `${path}/replay`, { from })).body.count, 0);
  t.equal((await call200('POST', `${path}/replay`, { from, includeDelivered: true })).body.count, 2);
  await waitUntil(() => received.length === 4);
  t.equal((await call('POST', `${path}/deliveries/${qrCodeId}/replay`, { token, body: {} })).status, 404);

  await database.client.$executeRaw`UPDATE attempt_budgets SET used = 60 WHERE key LIKE 'webhook-replays:%'`;
  t.equal((await call('POST', `${path}/replay`, { token, body: { from } })).status, 429);
  await database.client.$executeRaw`UPDATE attempt_budgets SET used = 0 WHERE key LIKE 'webhook-replays:%'`;

  const { body } = await call200('PATCH', path, { enabled: false });
  t.match(body, { enabled: false, disabledReason: 'OWNER' });
  await createCode();
  t.equal((await call200('GET', `${path}/deliveries`)).body.data.length, 2, 'none while it is disabled');
  t.equal(
    (await call('POST', `${path}/replay`, { token, body: { from } })).body.code,
    'WEBHOOK_ENDPOINT_DISABLED',
  );
  await call200('PATCH', path, { enabled: true });
  t.equal((await call200('POST', `${path}/replay`, { from })).body.count, 1);
  await removeEndpoint(id);
});

t.test('an endpoint that only fails for three days is disabled, and its owner notified', async (t) => {
  const failing = await startReceiver(t, () => 503);
  const gone = await startReceiver(t, () => 410);
  const endpoints = [await createEndpoint(failing.url, ['code.created'])];
  await createCode();
  await waitUntil(async () => {
    const row = await database.client.webhookEndpoint.findFirstOrThrow({
      where: { id: String(endpoints[0]?.id) },
    });
    return row.failingSince !== null;
  });
  await database.client.$executeRaw`UPDATE webhook_endpoints SET failing_since = now() - interval '73 hours'`;
  endpoints.push(await createEndpoint(gone.url, ['code.created']));
  await createCode();
  const list = async () =>
    (await call200('GET', '/api/webhook-endpoints')).body.data.map(
      ({ disabledReason }: { disabledReason: string }) => disabledReason,
    );
  await waitUntil(async () => {
    await skipRetryDelays(test);
    return (await list()).every((reason: string | null) => reason !== null);
  });
  t.same(await list(), ['FAILING', 'GONE']);
  await dispatchDueNotifications(test.services);
  const mail = await test.getMailBySubject(owner.email, /webhook/);
  t.match(mail?.text, /replay/);
  const notifications = await call200('GET', '/api/notifications?type=SYSTEM');
  const about = notifications.body.data
    .filter(({ event }: { event: string }) => event === 'webhook_endpoint.disabled')
    .map(({ data }: { data: { webhookEndpointId: string } }) => data.webhookEndpointId);
  t.same(about.toSorted(), endpoints.map(({ id }) => id).toSorted());
  for (const { id } of endpoints) await removeEndpoint(id);
});

t.test('endpoints that never answer delay nothing of other accounts', async (t) => {
  const silent = await Promise.all([1, 2, 3, 4].map(() => startReceiver(t, () => null)));
  const quick = await startReceiver(t);
  const other = await test.createUser();
  for (const { url } of silent) await createEndpoint(url, ['*'], other);
  const { id } = await createEndpoint(quick.url, ['*']);
  for (let count = 0; count < 6; count += 1) await createCode(other);
  const countServed = () => silent.filter(({ received }) => received.length > 0).length;
  await waitUntil(() => countServed() === 3);
  await createCode();
  await waitUntil(() => quick.received.length === 1);
  t.equal(countServed(), 3, 'endpoints of an account at the same time');
  for (const { received } of silent)
    t.ok(received.length <= 5, `${received.length} requests to an endpoint at the same time`);
  const attempts = await database.client.webhookDelivery.count({
    where: { accountId: other.id, NOT: { attempts: { equals: [] } } },
  });
  t.equal(attempts, 0, 'the others are still waiting');
  await removeEndpoint(id);
});

t.test('new endpoints of many accounts that never answer leave their places to others', async (t) => {
  const silent = await startReceiver(t, () => null);
  const quick = await startReceiver(t);
  const names = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };
  const endpointIds: string[] = [];
  for (let count = 0; count < 8; count += 1) {
    const account = { id: generateId(), email: `${generateId()}@example.org` };
    await database.client.user.create({ data: { ...account, ...names, status: 'ACTIVE' } });
    const user = { accessToken: (await createSessionToken(test, account)).token };
    for (let endpoint = 0; endpoint < 3; endpoint += 1)
      endpointIds.push((await createEndpoint(silent.url, ['code.created'], user)).id);
    await createCode(user);
  }
  await waitUntil(() => silent.received.length === 24);
  const { id } = await createEndpoint(quick.url, ['*']);
  await createCode();
  await waitUntil(() => quick.received.length === 1);
  const failed = await database.client.webhookDelivery.count({
    where: { NOT: { attempts: { equals: [] } }, endpointId: { in: endpointIds } },
  });
  t.equal(failed, 0, 'none has timed out');
  await removeEndpoint(id);
});

t.test('an endpoint whose secrets were altered is audited and disabled', async (t) => {
  const { url, received } = await startReceiver(t);
  const { id } = await createEndpoint(url, ['*']);
  await database.client.$executeRaw`
    UPDATE webhook_endpoints SET secrets = set_byte(secrets, 40, get_byte(secrets, 40) # 1) WHERE id = ${id}`;
  await createCode();
  const find = () => database.client.webhookEndpoint.findFirstOrThrow({ where: { id } });
  await waitUntil(async () => (await find()).disabledReason === 'FAILING');
  const entries = await database.client.auditEntry.findMany({
    where: { action: 'DATA_INTEGRITY_FAILED', resourceId: id },
  });
  t.same(
    entries.map(({ changes }) => changes),
    [['webhook_endpoints.secrets']],
  );
  t.same(received, []);
  await removeEndpoint(id);
});

t.test('nothing is sent for a suspended account', async (t) => {
  const { url, received } = await startReceiver(t);
  const suspended = await test.createUser();
  await createEndpoint(url, ['*'], suspended);
  await test.services.webhookDispatcher.stop();
  await createCode(suspended);
  await database.client.$executeRaw`
    UPDATE users SET previous_status = status, status = 'SUSPENDED' WHERE id = ${suspended.id}`;
  test.services.webhookDispatcher.start();
  const other = await startReceiver(t);
  const { id } = await createEndpoint(other.url, ['*']);
  await createCode();
  await waitUntil(() => other.received.length === 1);
  t.same(received, []);
  await removeEndpoint(id);
});

t.test('an account has up to ten endpoints, which nobody else can read', async (t) => {
  const key = await call200('POST', '/api/api-keys', { name: 'ERP', scopes: ['webhooks:write'] });
  const created = [await createEndpoint('http://localhost:9/hook', ['*'], { accessToken: key.body.token })];
  for (let count = 1; count < 10; count += 1) created.push(await createEndpoint('http://localhost:9/hook'));
  const body = { url: 'http://localhost:9/hook', eventTypes: ['*'] };
  t.equal(
    (await call('POST', '/api/webhook-endpoints', { token, body })).body.code,
    'TOO_MANY_WEBHOOK_ENDPOINTS',
  );
  const { id } = created[0] ?? { id: '' };
  const stored = await database.client.webhookEndpoint.findFirstOrThrow({ where: { id } });
  for (const bytes of [stored.url, stored.secrets])
    t.notMatch(Buffer.from(bytes).toString('latin1'), /whsec|localhost/);
  for (const endpoint of created) await removeEndpoint(endpoint.id);
});
