import { setTimeout as wait } from 'node:timers/promises';
import { PAYMENT_SYNC_QUEUE } from '../../../../src/features/billing/payments/request-sync.use-case.ts';
import { syncPaymentObject } from '../../../../src/features/billing/payments/sync-object.ts';
import { createServices } from '../../../../src/services.ts';
import { TEST_SECRETS } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { PRICE_IDS, shuffle, startPayments } from './helper.ts';

const test = await startPayments(t);
const { database, services, fake, payer, deliver, waitUntilSynced, rows, listNotificationKeys } = test;
const { client } = database;
const enabledServices = { ...services, payments: fake.provider };

const live = { state: 'ACTIVE' } as const;
const findRow = (one: { id: string }) => client.subscription.findFirst({ where: { providerId: one.id } });
const take = () => fake.events.splice(0);

/** Run lifecycles with all kinds of changes. */
async function runLifecycles(number: number): Promise<void> {
  for (let lifecycle = 0; lifecycle < number; lifecycle++) {
    const { customerId } = await payer();
    const one = fake.newSubscription(customerId, PRICE_IDS.PERSONAL);
    const first = fake.newInvoice(one, { attempts: 1, needsAction: lifecycle % 3 === 0 });
    if (lifecycle % 5 === 4) {
      fake.change(one, { state: 'CANCELED' });
      fake.changeInvoice(first, { state: 'VOID' });
      continue;
    }
    fake.changeInvoice(first, { state: 'PAID', amountPaid: 300, needsAction: false, paidAt: new Date(0) });
    fake.change(one, live);
    fake.change(one, { priceId: PRICE_IDS.FAMILY });
    fake.change(one, { state: 'PAST_DUE' });
    const second = fake.newInvoice(one, { attempts: 2 });
    if (lifecycle % 2 === 0) {
      fake.changeInvoice(second, { state: 'PAID', amountPaid: 300, amountRefunded: 100 });
      fake.change(one, { ...live, cancelAtPeriodEnd: true });
      fake.clock.now += 60_000;
      fake.change(one, { state: 'CANCELED', canceledAt: new Date(fake.clock.now) });
    } else fake.change(one, { state: 'PAUSED' });
  }
}

t.test('events in any order and twice give the rows of the provider', async (t) => {
  await runLifecycles(5);
  const events = take();
  await deliver(shuffle(events));
  await waitUntilSynced();
  const found = await rows();
  await client.paymentInvoice.deleteMany();
  await client.subscription.deleteMany();
  await client.webhookEvent.deleteMany();
  for (const event of events) {
    await deliver([event]);
    if (Math.random() < 0.2) await waitUntilSynced();
  }
  await waitUntilSynced();
  t.same(await rows(), found);
  const stored = await client.subscription.findMany();
  t.equal(stored.length, 5);
  for (const { providerId, state, endedAt } of stored) {
    const there = fake.subscriptions.get(providerId);
    t.same({ state, endedAt }, { state: there?.state, endedAt: there?.endedAt ?? null });
  }
  t.equal(
    await client.paymentInvoice.count({ where: { subscriptionId: null } }),
    0,
    'each finds its subscription',
  );
});

t.test('a deleted subscription stays deleted, whatever comes later', async (t) => {
  const { userId, customerId } = await payer();
  const one = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, live);
  const [created] = take();
  await deliver(created ? [created] : []);
  await waitUntilSynced();
  const deleted = fake.change(one, { state: 'CANCELED' });
  fake.subscriptions.delete(one.id);
  const late = fake.emitEvent('subscription.updated', { object: 'SUBSCRIPTION', id: one.id });
  take();
  await deliver([late, deleted]);
  await waitUntilSynced();
  t.match(await findRow(one), { state: 'CANCELED' }, 'by the copy of the event');
  t.same((await findRow(one))?.endedAt, one.endedAt);
  fake.subscriptions.set(one.id, { ...one, state: 'ACTIVE', endedAt: null });
  await deliver([{ ...late, id: 'evt_much_later' }]);
  await waitUntilSynced();
  t.match(await findRow(one), { state: 'CANCELED', version: 2 });
  t.same(await listNotificationKeys(userId), [
    `subscription:${one.id}:ended`,
    `subscription:${one.id}:started`,
  ]);
});

t.test('the end of an older subscription does not affect a newer one', async (t) => {
  const { userId, customerId } = await payer();
  const older = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, live);
  const newer = fake.newSubscription(customerId, PRICE_IDS.FAMILY, live);
  fake.change(older, { state: 'CANCELED' });
  await deliver(take().reverse());
  await waitUntilSynced();
  t.match(await findRow(newer), { state: 'ACTIVE', accountId: userId });
  t.match(await findRow(older), { state: 'CANCELED', accountId: userId });
});

t.test('a sync with an expired lease writes nothing', async (t) => {
  const { customerId } = await payer();
  const one = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, live);
  let goOn = () => {};
  const paused = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  fake.state.delay = (id) => (id === one.id ? paused : Promise.resolve());
  await deliver(take());
  for (const until = Date.now() + 10_000; Date.now() < until && fake.requestedIds.at(-1) !== one.id; )
    await wait(10);
  t.equal(fake.requestedIds.at(-1), one.id, 'the first look is on its way');
  t.equal(
    (await syncPaymentObject(enabledServices, one.id, 'payment-sync')).state,
    'HELD',
    'nobody else may look',
  );
  await client.paymentSync.updateMany({ where: { objectId: one.id }, data: { leasedUntil: new Date(0) } });
  fake.state.delay = async () => {};
  fake.change(one, { state: 'PAUSED' });
  take();
  t.equal(
    (await syncPaymentObject(enabledServices, one.id, 'payment-sync')).state,
    'DONE',
    'a lease that ended is taken',
  );
  goOn();
  await wait(300);
  t.match(
    await findRow(one),
    { state: 'PAUSED', version: 1 },
    'what was fetched before is not written over it',
  );
});

t.test('several processes share the syncs and never sync the same object concurrently', async (t) => {
  const others = [1, 2].map(() =>
    createServices({
      config: services.config,
      secrets: TEST_SECRETS,
      database,
      payments: fake.provider,
      log: { info() {}, warn() {}, error() {} },
    }),
  );
  for (const other of others) await other.jobs.start();
  const running = new Map<string, number>();
  let maxConcurrent = 0;
  let maxConcurrentPerObject = 0;
  fake.state.delay = async (id) => {
    running.set(id, (running.get(id) ?? 0) + 1);
    maxConcurrentPerObject = Math.max(maxConcurrentPerObject, running.get(id) ?? 0);
    maxConcurrent = Math.max(
      maxConcurrent,
      [...running.values()].reduce((sum, count) => sum + count, 0),
    );
    await wait(150);
    running.set(id, (running.get(id) ?? 0) - 1);
  };
  const { userId, customerId } = await payer();
  const bought = [1, 2, 3, 4].map(() => fake.newSubscription(customerId, PRICE_IDS.PERSONAL, live));
  for (let change = 0; change < 6; change++) {
    for (const one of bought) fake.change(one, { cancelAtPeriodEnd: change % 2 === 0 });
    await deliver(shuffle(take()));
    for (const other of others) other.jobs.wake(PAYMENT_SYNC_QUEUE);
    await wait(100);
  }
  await waitUntilSynced();
  fake.state.delay = async () => {};
  for (const other of others) await other.jobs.stop();
  t.ok(maxConcurrent > 1, 'several look');
  t.equal(maxConcurrentPerObject, 1);
  for (const one of bought) t.match(await findRow(one), { state: 'ACTIVE', cancelAtPeriodEnd: false });
  const started = (await listNotificationKeys(userId)).filter((key) => key.endsWith(':started'));
  t.equal(started.length, 4);
});

t.test('loses nothing while the provider is unavailable and syncs everything afterwards', async (t) => {
  const { userId, customerId } = await payer();
  fake.fail('UNAVAILABLE', 2);
  const one = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, live);
  await deliver(take());
  await waitUntilSynced();
  t.match(await findRow(one), { state: 'ACTIVE' });
  t.same(await listNotificationKeys(userId), [`subscription:${one.id}:started`]);
  t.ok(test.serviceLog.includes('reason: UNAVAILABLE'));
});

t.test('respects Retry-After of the provider', async (t) => {
  const { customerId } = await payer();
  fake.fail('BUSY', 1, 2);
  const one = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, live);
  await deliver(take());
  for (
    const until = Date.now() + 10_000;
    Date.now() < until && services.paymentRateLimiter.getBackoffSeconds() === 0;
  )
    await wait(10);
  const other = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, live);
  await deliver(take());
  await waitUntilSynced();
  t.ok((await findRow(one)) && (await findRow(other)));
  const countRequests = (id: string) => fake.requestedIds.filter((requestedId) => requestedId === id).length;
  t.equal(countRequests(one.id), 2, 'once in vain');
  t.equal(countRequests(other.id), 1, 'not before it is over');
});

t.test('does not store purchases of erased users or with an unknown price', async (t) => {
  const { userId, customerId } = await payer();
  const one = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, live);
  const strange = fake.newSubscription((await payer()).customerId, 'price_of_another_shop', live);
  await client.$executeRaw`DELETE FROM payment_customers WHERE account_id = ${userId}`;
  await deliver(take());
  await waitUntilSynced();
  t.equal(await findRow(one), null);
  t.equal(await findRow(strange), null);
  t.equal(await client.webhookEvent.count({ where: { state: 'WAITING' } }), 0);
  t.match(await client.auditEntry.findMany({ where: { action: 'PAYMENT_PRICE_UNKNOWN' } }), [
    { outcome: 'FAILURE', operation: 'payment-sync' },
  ]);
});

t.test('does not request confirmation of a payment of an ended subscription', async (t) => {
  const { userId, customerId } = await payer();
  const one = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, live);
  await deliver(take());
  await waitUntilSynced();
  fake.change(one, { state: 'CANCELED' });
  await deliver(take());
  await waitUntilSynced();
  fake.newInvoice(one, { attempts: 1, needsAction: true });
  await deliver(take());
  await waitUntilSynced();
  t.same(await listNotificationKeys(userId), [
    `subscription:${one.id}:ended`,
    `subscription:${one.id}:started`,
  ]);
});

t.test('events of checkouts, charges and customers sync the related objects', async (t) => {
  const { userId, customerId } = await payer();
  const one = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, live);
  const invoice = fake.newInvoice(one, { state: 'PAID', amountPaid: 300 });
  take();
  const sessionId = 'cs_1';
  const { id: packageId } = await client.subscriptionPackage.findUniqueOrThrow({
    where: { code: 'PERSONAL' },
  });
  await client.checkoutSession.create({
    data: {
      id: userId,
      accountId: userId,
      provider: 'fake',
      sessionId,
      packageId,
      packageVersion: 1,
      interval: 'month',
      currency: 'EUR',
      expiresAt: new Date(Date.now() + 60_000),
    },
  });
  fake.pages.set(sessionId, { id: sessionId, state: 'COMPLETED', url: null, subscriptionId: one.id });
  fake.emitEvent('checkout.completed', { object: 'CHECKOUT', id: sessionId });
  fake.charges.set('ch_1', invoice.id);
  fake.emitEvent('charge.refunded', { object: 'CHARGE', id: 'ch_1' });
  await deliver(take());
  await waitUntilSynced();
  t.match(await findRow(one), { state: 'ACTIVE' });
  t.match(await client.checkoutSession.findFirst({ where: { sessionId } }), { state: 'COMPLETED' });
  t.match(await client.paymentInvoice.findFirst({ where: { providerId: invoice.id } }), { state: 'PAID' });
  fake.change(one, { state: 'CANCELED' });
  take();
  fake.emitEvent('customer.deleted', { object: 'CUSTOMER', id: customerId });
  await deliver(take());
  await waitUntilSynced();
  t.match(await findRow(one), { state: 'CANCELED' });
});
