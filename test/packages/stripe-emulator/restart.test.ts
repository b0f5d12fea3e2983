import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findStripeEmulator } from '../../../packages/stripe-emulator/src/start-stripe-emulator.ts';
import { createEmulatorStore } from '../../../src/start/development-packages.ts';
import { t } from '../../tap.ts';
import { buySubscription, createPrice, createStripeSdk, DAY_SECONDS, startSandbox } from './helper.ts';

t.test('keeps purchases, clock and keys over a restart', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'pay-sandbox-'));
  t.teardown(() => rm(dataDir, { recursive: true }));
  t.equal(await findStripeEmulator(createEmulatorStore(dataDir)), null);

  const first = await startSandbox(t, { dataDir });
  const price = await createPrice(first.stripe, 500);
  const details = { email: 'once@example.org' };
  const once = await first.stripe.customers.create(details, { idempotencyKey: 'once' });
  const { subscription, customer } = await buySubscription(first.stripe, first.control, price.id);
  await first.control('clock', { seconds: 10 * DAY_SECONDS });
  const { now } = await first.control<{ now: number }>('clock', { seconds: 0 });
  const portal = await first.stripe.billingPortal.sessions.create({ customer });
  const before = await first.stripe.subscriptions.retrieve(subscription);
  const ledger = await first.control<{ now?: number }>('ledger');
  await first.close();
  for (const file of ['payment-sandbox.json', 'payment-sandbox-access.json'])
    t.equal((await stat(join(dataDir, file))).mode & 0o777, 0o600, file);

  const second = await startSandbox(t, { dataDir });
  t.same(
    [second.apiBase, second.secretKey, second.webhookSecrets],
    [first.apiBase, first.secretKey, first.webhookSecrets],
  );
  t.same(await second.stripe.subscriptions.retrieve(subscription), before);
  const after = await second.control<{ now?: number }>('ledger');
  t.same({ ...after, now: 0 }, { ...ledger, now: 0 });
  t.ok((await second.control<{ now: number }>('clock', { seconds: 0 })).now >= now);
  t.equal((await second.stripe.customers.create(details, { idempotencyKey: 'once' })).id, once.id);
  t.equal((await fetch(portal.url)).status, 200, 'URLs stay valid');
  await second.control('clock', { seconds: 25 * DAY_SECONDS });
  t.equal((await second.stripe.invoices.list({ subscription })).data.length, 2, 'and renewals continue');

  const early = await second.stripe.events.list({ type: 'customer.created' });
  const [gone = '', waits = ''] = early.data.map(({ id }) => id);
  await second.control('drop', { events: [gone] });
  await second.stripe.customers.update(customer, { name: 'Ada' });

  const beside = await findStripeEmulator(createEmulatorStore(dataDir));
  t.ok(
    beside && (await createStripeSdk(beside).subscriptions.retrieve(subscription)).id,
    'another process finds it',
  );
  // The port is taken: URLs move.
  const moved = await startSandbox(t, { dataDir });
  t.not(moved.apiBase, second.apiBase);
  await second.close();
  await moved.close();
  const third = await startSandbox(t, { dataDir });
  const events = await third.stripe.events.list({ type: 'customer.created' });
  t.same(
    events.data.map(({ id }) => id),
    [waits],
    'an old event is kept while it is pending',
  );
  await third.close();

  await writeFile(join(dataDir, 'payment-sandbox.json'), '{"base":');
  const anew = await startSandbox(t, { dataDir });
  t.equal((await anew.stripe.customers.list()).data.length, 0, 'a file that is damaged is not believed');
  await anew.stripe.customers.create({});
  await anew.close();
  t.match(await readFile(join(dataDir, 'payment-sandbox.json'), 'utf8'), anew.apiBase);
});
