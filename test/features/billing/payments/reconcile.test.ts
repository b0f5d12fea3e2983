import { EventEmitter, once } from 'node:events';
import type { EnabledPaymentServices } from '../../../../src/features/billing/payments/payment-services.ts';
import { createPaymentReconciliationJob } from '../../../../src/features/billing/payments/reconcile.job.ts';
import {
  type PaymentReconciliationDifference,
  type PaymentReconciliationOptions,
  reconcilePayments,
} from '../../../../src/features/billing/payments/reconcile-payments.use-case.ts';
import { requeueLostPaymentSyncs } from '../../../../src/features/billing/payments/request-sync.use-case.ts';
import { syncPaymentObject } from '../../../../src/features/billing/payments/sync-object.ts';
import type { Database } from '../../../../src/platform/database.ts';
import { t } from '../../../tap.ts';
import { PRICE_IDS, startPayments } from './helper.ts';

const test = await startPayments(t);
const { database, services, fake, payer, deliver, waitUntilSynced, rows, listNotificationKeys } = test;
const { client } = database;
const enabledServices = { ...services, payments: fake.provider };

async function reconcile(
  options: Partial<PaymentReconciliationOptions> = {},
  reconciling: EnabledPaymentServices = enabledServices,
) {
  const differences: PaymentReconciliationDifference[] = [];
  const steps: number[] = [];
  const result = await reconcilePayments(reconciling, {
    invoiceDays: 3650,
    isDryRun: false,
    signal: new AbortController().signal,
    onDifference: (difference) => differences.push(difference),
    onProgress: (done, total) => steps.push(done / total),
    ...options,
  });
  return { ...result, differences, steps };
}

const take = () => fake.events.splice(0);
const live = { state: 'ACTIVE' } as const;
const payers: { userId: string; customerId: string }[] = [];

t.test('finds, reports, repairs and audits changes of lost events', async (t) => {
  for (let lifecycle = 0; lifecycle < 30; lifecycle++) {
    const one = await payer();
    payers.push(one);
    const bought = fake.newSubscription(one.customerId, PRICE_IDS.PERSONAL, live);
    fake.newInvoice(bought, { state: 'PAID', amountPaid: 300, attempts: 1 });
    if (lifecycle % 2 === 0) fake.change(bought, { cancelAtPeriodEnd: true });
    if (lifecycle % 3 === 0) fake.change(bought, { state: 'CANCELED' });
  }
  const events = take();
  const lost = (index: number) => index % 10 === 3;
  await deliver(events.filter((_event, index) => !lost(index)));
  await waitUntilSynced();
  const before = await rows();

  const dry = await reconcile({ isDryRun: true });
  t.ok(dry.different > 0, 'some differ');
  t.equal(dry.repaired, 0);
  t.same(await rows(), before, 'and a look alone changes nothing');
  t.ok(dry.differences.every(({ fields }) => fields.every(({ field }) => field !== '')));
  t.notOk(JSON.stringify(dry.differences).includes('@'), 'ids alone');

  const first = await reconcile();
  await waitUntilSynced();
  t.equal(first.different, dry.different);
  t.equal(first.repaired, dry.different);
  t.ok(first.isComplete);
  t.equal(first.steps.at(-1), 1);
  const entries = await client.auditEntry.findMany({ where: { action: 'PAYMENT_RECONCILED' } });
  t.equal(entries.length, first.repaired);
  t.ok(entries.every(({ changes, resourceId }) => changes.length > 0 && resourceId));

  const said = await Promise.all(payers.map(({ userId }) => listNotificationKeys(userId)));
  const second = await reconcile();
  t.match(second, { different: 0, repaired: 0, subscriptions: 30, invoices: 30, unknownCustomers: 0 });
  await deliver(events.filter((_event, index) => lost(index)));
  await waitUntilSynced();
  t.same(
    await Promise.all(payers.map(({ userId }) => listNotificationKeys(userId))),
    said,
    'nothing is told twice',
  );
  t.equal((await reconcile()).different, 0);
});

t.test('repairs although a job runs after each of its transactions', async (t) => {
  const { customerId } = await payer();
  const { id } = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, live);
  take();
  const events = new EventEmitter();
  const [lookup, answer] = [once(events, 'lookup'), once(events, 'answer')];
  const payments = {
    ...fake.provider,
    async findSubscription(id: string) {
      events.emit('lookup');
      await answer;
      return fake.provider.findSubscription(id);
    },
  };
  const jobs: Promise<unknown>[] = [];
  const crowded: Database = {
    ...database,
    async transaction(work) {
      const result = await database.transaction(work);
      const job = syncPaymentObject({ ...services, payments }, id, 'payment-sync');
      jobs.push(job);
      await Promise.race([job, lookup]);
      return result;
    },
  };
  t.match(await reconcile({}, { ...enabledServices, database: crowded }), { different: 1, repaired: 1 });
  events.emit('answer');
  await Promise.all(jobs);
  await waitUntilSynced();
  t.equal((await reconcile()).different, 0);
});

t.test('can be aborted, and reports what it cannot repair on each run', async (t) => {
  const { customerId } = await payer();
  const gone = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, live);
  await deliver(take());
  await waitUntilSynced();
  fake.subscriptions.delete(gone.id);
  const strange = fake.newSubscription(customerId, 'price_of_another_shop', live);
  const foreign = fake.newSubscription('cus_nobody', PRICE_IDS.PERSONAL, live);
  take();
  const stopped = await reconcile({ signal: AbortSignal.abort() });
  t.match(stopped, { isComplete: false, different: 0 });
  for (const _time of [1, 2]) {
    const found = await reconcile();
    t.match(found, { different: 2, repaired: 0, unknownCustomers: 1 });
    t.same(found.differences.find(({ id }) => id === gone.id)?.fields, []);
    t.same(
      found.differences.find(({ id }) => id === strange.id)?.fields.map(({ field }) => field),
      ['id', 'price'],
    );
  }
  t.match(await client.subscription.findFirst({ where: { providerId: gone.id } }), live);
  for (const { id } of [strange, foreign]) fake.subscriptions.delete(id);
  fake.subscriptions.set(gone.id, gone);
});

t.test(
  'the job reconciles once a day and retries in the next hour when the provider is unavailable',
  async (t) => {
    const job = createPaymentReconciliationJob(enabledServices);
    const last = () => client.paymentReconciliation.findUniqueOrThrow({ where: { provider: 'fake' } });
    const { customerId } = await payer();
    const one = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, live);
    take();
    await job({});
    t.equal(
      await client.subscription.count({ where: { providerId: one.id } }),
      0,
      'it was done a moment ago',
    );
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
    await client.paymentReconciliation.updateMany({ data: { startedAt: yesterday, finishedAt: yesterday } });
    fake.fail('UNAVAILABLE', 1);
    await job({});
    t.equal((await last()).finishedAt, null);
    t.ok(test.serviceLog.some((line) => line.includes('reconciliation failed')));
    await client.paymentReconciliation.updateMany({
      data: { startedAt: new Date(Date.now() - 60 * 60 * 1000) },
    });
    await job({});
    t.ok((await last()).finishedAt);
    t.equal(await client.subscription.count({ where: { providerId: one.id } }), 1);
  },
);

t.test('requeues a sync whose job was lost', async (t) => {
  const { customerId } = await payer();
  const one = fake.newSubscription(customerId, PRICE_IDS.PERSONAL, live);
  take();
  await client.paymentSync.create({
    data: { provider: 'fake', objectId: one.id, objectType: 'SUBSCRIPTION' },
  });
  t.equal(await requeueLostPaymentSyncs(enabledServices), 1);
  await waitUntilSynced();
  t.equal(await client.subscription.count({ where: { providerId: one.id } }), 1);
  t.equal(await requeueLostPaymentSyncs(enabledServices), 0);
});

t.test('notifies once about the end of a trial when its event was lost', async (t) => {
  const soon = await payer();
  const later = await payer();
  const canceled = await payer();
  const day = 86_400_000;
  const trials = [soon, later, canceled].map(({ customerId }) =>
    fake.newSubscription(customerId, PRICE_IDS.PERSONAL, {
      state: 'TRIALING',
      trialEndsAt: new Date(Math.ceil(Date.now() / 1000) * 1000 + 10 * day),
    }),
  );
  await deliver(take());
  await waitUntilSynced();
  const [first, , last] = trials;
  const trialEndsAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 2 * day);
  for (const [one, overrides] of [
    [first, { trialEndsAt }],
    [last, { trialEndsAt, cancelAtPeriodEnd: true }],
  ] as const) {
    if (one) Object.assign(one, overrides);
    await client.subscription.updateMany({ where: { providerId: one?.id ?? '' }, data: overrides });
  }
  const key = `subscription:${first?.id}:trial:${trialEndsAt.getTime() / 1000}`;
  t.notOk((await listNotificationKeys(soon.userId)).includes(key));
  for (const expectedSyncs of [1, 0]) {
    const before = fake.requestedIds.length;
    await createPaymentReconciliationJob(enabledServices)({});
    await waitUntilSynced();
    t.equal(fake.requestedIds.length - before, expectedSyncs, 'who was told is not looked at again');
    t.equal((await listNotificationKeys(soon.userId)).filter((one) => one === key).length, 1);
  }
  for (const { userId } of [later, canceled])
    t.notOk((await listNotificationKeys(userId)).some((one) => one.includes(':trial:')));
});

t.test('the cleanup deletes old events, syncs and checkouts', async (t) => {
  const { createCleanUpJob: cleanUpJob } = await import('../../../../src/platform/clean-up.job.ts');
  const ago = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
  const { userId } = await payer();
  const { id: packageId } = await client.subscriptionPackage.findUniqueOrThrow({ where: { code: 'FAMILY' } });
  await client.webhookEvent.deleteMany();
  for (const [eventId, days, state] of [
    ['evt_old', 91, 'DONE'],
    ['evt_new', 89, 'DONE'],
    ['evt_waiting', 91, 'WAITING'],
  ] as const)
    await client.webhookEvent.create({
      data: { provider: 'fake', eventId, kind: 'x', state, createdAt: ago(days), receivedAt: ago(days) },
    });
  for (const [digit, days] of [
    ['1', 31],
    ['2', 29],
  ] as const)
    await client.checkoutSession.create({
      data: {
        id: digit.repeat(24),
        accountId: userId,
        provider: 'fake',
        packageId,
        packageVersion: 1,
        state: 'EXPIRED',
        interval: 'month',
        currency: 'EUR',
        expiresAt: ago(days),
        createdAt: ago(days),
      },
    });
  await client.paymentSync.create({
    data: {
      provider: 'fake',
      objectId: 'sub_due',
      objectType: 'SUBSCRIPTION',
      requestedCount: 2,
      completedCount: 1,
    },
  });
  await cleanUpJob(services)({});
  const events = await client.webhookEvent.findMany({ orderBy: { eventId: 'asc' } });
  t.same(
    events.map(({ eventId }) => eventId),
    ['evt_new', 'evt_waiting'],
  );
  t.same(
    (await client.checkoutSession.findMany()).map(({ id }) => id),
    ['2'.repeat(24)],
  );
  t.same(
    (await client.paymentSync.findMany()).map(({ objectId }) => objectId),
    ['sub_due'],
  );
});
