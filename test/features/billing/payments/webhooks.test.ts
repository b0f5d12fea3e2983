import { t } from '../../../tap.ts';
import { FAKE_SIGNATURE } from './fake-provider.ts';
import { PRICE_IDS, startPayments } from './helper.ts';

const test = await startPayments(t);
const { app, call, database, fake, payer, post, waitUntilSynced, listNotificationKeys } = test;
const { client } = database;

const stored = () => client.webhookEvent.count();
const event = (id: string, kind = 'ping') => ({
  id,
  kind,
  createdAt: new Date(),
  subject: null,
  closure: null,
});

t.test('an unsigned event is 400, an unknown provider 404, and nothing of it is stored', async (t) => {
  for (const signature of ['', 'wrong', `${FAKE_SIGNATURE}x`]) {
    const answer = await call('POST', '/api/webhooks/fake', {
      body: event('evt_unsigned'),
      headers: { 'fake-signature': signature },
    });
    t.equal(answer.status, 400, answer.text);
    t.equal(answer.body.code, 'SIGNATURE_INVALID');
  }
  t.equal((await call('POST', '/api/webhooks/fake', { body: event('evt_bare') })).status, 400);
  t.equal((await app.inject({ method: 'POST', url: '/api/webhooks/fake' })).statusCode, 400);
  const headers = { 'fake-signature': FAKE_SIGNATURE };
  for (const name of ['other', 'Fake', 'fake%20', 'constructor', '__proto__']) {
    const answer = await call('POST', `/api/webhooks/${name}`, { body: event('evt_other'), headers });
    t.equal(answer.status, 404, name);
  }
  t.equal((await call('GET', '/api/webhooks/fake')).status, 405);
  t.equal(await stored(), 0);
  t.equal(await client.auditEntry.count(), 0, 'a stranger fills no trail');
});

t.test('a body above 1 MiB is 413, an unknown provider 404', async (t) => {
  const headers = { 'content-type': 'application/json', 'fake-signature': FAKE_SIGNATURE };
  const send = (name: string, bytes: number) =>
    app.inject({ method: 'POST', url: `/api/webhooks/${name}`, headers, payload: Buffer.alloc(bytes, 32) });
  t.equal((await send('fake', 1_048_577)).statusCode, 413);
  t.equal((await send('other', 1_048_577)).statusCode, 404);
  t.equal(await stored(), 0);
});

t.test('reads the raw bytes whatever the content type is', async (t) => {
  const bodies: string[] = [];
  const { readEvent } = fake.provider;
  fake.provider.readEvent = (body, signature, now) => {
    bodies.push(body.toString('latin1'));
    return readEvent(body, signature, now);
  };
  t.teardown(() => {
    fake.provider.readEvent = readEvent;
  });
  const types = [
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
  ];
  for (const [index, type] of types.entries()) {
    const payload = `{ "id": "evt_type_${index}", "kind": "pi\\u006eg",\r\n "createdAt": "2026-11-01T00:00:00.000Z", "subject": null, "closure": null }`;
    const headers = { 'fake-signature': FAKE_SIGNATURE, ...(type ? { 'content-type': type } : {}) };
    const answer = await app.inject({ method: 'POST', url: '/api/webhooks/fake', headers, payload });
    t.equal(answer.statusCode, 200, `${type} ${answer.payload}`);
    t.same(answer.json(), { received: true });
    t.equal(bodies.at(-1), payload);
  }
  t.equal(await client.webhookEvent.count({ where: { state: 'IGNORED' } }), types.length);
});

t.test('100 parallel deliveries of one event are one row and one effect', async (t) => {
  const { userId, customerId } = await payer();
  const bought = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, { state: 'ACTIVE' });
  const requestCount = fake.requestedIds.length;
  const [created] = fake.events.splice(0);
  const answers = await Promise.all(Array.from({ length: 100 }, () => post(created ?? {})));
  t.same([...new Set(answers)], [200]);
  await waitUntilSynced();
  t.equal(await client.webhookEvent.count({ where: { eventId: created?.id ?? '' } }), 1);
  t.match(await client.subscription.findMany({ where: { accountId: userId } }), [
    { providerId: bought.id, version: 1 },
  ]);
  t.same(await listNotificationKeys(userId), [`subscription:${bought.id}:started`]);
  t.equal(fake.requestedIds.length - requestCount, 1, 'the provider is asked once');
  t.equal(await post(created ?? {}), 200);
  await waitUntilSynced();
  t.equal(fake.requestedIds.length - requestCount, 1, 'also when it comes again');
});

t.test('combines many events of one object into few requests', async (t) => {
  const { customerId } = await payer();
  const bought = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, { state: 'ACTIVE' });
  for (let change = 0; change < 60; change++) fake.change(bought, { cancelAtPeriodEnd: change % 2 === 0 });
  const requestCount = fake.requestedIds.length;
  await test.deliver(fake.events.splice(0));
  await waitUntilSynced();
  t.ok(fake.requestedIds.length - requestCount < 20, `${fake.requestedIds.length - requestCount} questions`);
  t.equal(await client.webhookEvent.count({ where: { objectId: bought.id, state: 'DONE' } }), 61);
  const copies = await client.$queryRaw`SELECT FROM webhook_events WHERE closure IS NOT NULL`;
  t.same(copies, [], 'what they said is forgotten');
});

t.test(
  'an event of an unknown type is stored and ignored, and so is one of an unknown customer',
  async (t) => {
    t.equal(await post(event('evt_unknown', 'product.updated')), 200);
    t.match(await client.webhookEvent.findFirst({ where: { eventId: 'evt_unknown' } }), { state: 'IGNORED' });
    const strange = fake.newSubscription('cus_nobody', PRICE_IDS.PERSONAL, { state: 'ACTIVE' });
    await test.deliver(fake.events.splice(0));
    await waitUntilSynced();
    t.match(await client.webhookEvent.findFirst({ where: { objectId: strange.id } }), { state: 'DONE' });
    t.equal(await client.subscription.count({ where: { providerId: strange.id } }), 0);
  },
);

t.test('without a database the answer is 503, and the event is delivered again', async (t) => {
  const used = test.services.database;
  const { transaction } = used;
  used.transaction = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
  const answer = await call('POST', '/api/webhooks/fake', {
    body: event('evt_away'),
    headers: { 'fake-signature': FAKE_SIGNATURE },
  });
  used.transaction = transaction;
  t.equal(answer.status, 503);
  t.ok(Number(answer.headers['retry-after']) > 0);
  t.equal(await client.webhookEvent.count({ where: { eventId: 'evt_away' } }), 0);
  t.equal(await post(event('evt_away')), 200);
});
