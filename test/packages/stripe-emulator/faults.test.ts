import type Stripe from 'stripe';
import { t } from '../../tap.ts';
import { captureStripeError, createStripeSdk, startSandbox } from './helper.ts';

t.test('a retry after a fault finds the effect by idempotency key', async (t) => {
  const { stripe, control, apiBase, secretKey } = await startSandbox(t);
  const patient = createStripeSdk({ apiBase, secretKey }, 2);
  const count = async () => (await stripe.customers.list({ limit: 100 })).data.length;
  const path = '/v1/customers';

  await control('fault', { kind: 'cut', path, method: 'POST' });
  await patient.customers.create({ email: 'a@example.org' }, { idempotencyKey: 'a' });
  t.equal(await count(), 1, 'cut after the effect: retried, and created once');
  await control('fault', { kind: 'cut', path, method: 'POST', count: 2 });
  t.match(await captureStripeError(stripe.customers.create({}, { idempotencyKey: 'b' })), {
    type: 'StripeConnectionError',
  });
  t.equal(await count(), 2, 'the SDK retried, and it was created once');
  await control('fault', { kind: 'away', path, count: 2 });
  t.match(await captureStripeError(stripe.customers.create({})), { type: 'StripeConnectionError' });
  t.equal(await count(), 2);
  await control('fault', { kind: 'error', path });
  t.match(await captureStripeError(stripe.customers.create({})), { type: 'StripeAPIError', status: 500 });
  t.equal(await count(), 2);
  await control('fault', { kind: 'halfway', path });
  const halfway = () => captureStripeError(stripe.customers.create({}, { idempotencyKey: 'c' }));
  t.match([await halfway(), await halfway()], [{ status: 500 }, { status: 500 }]);
  t.equal(await count(), 3);
  await control('fault', { kind: 'busy', path, retryAfter: 7 });
  const busy = await stripe.customers.list().catch((error: Stripe.errors.StripeError) => error);
  t.match(busy, { type: 'StripeRateLimitError', headers: { 'retry-after': '7' } });
  await control('fault', { kind: 'slow', path, ms: 2_000 });
  t.match(await captureStripeError(stripe.customers.list({}, { timeout: 100 })), {
    type: 'StripeConnectionError',
  });
  await control('fault', { kind: 'error', path, count: 100 });
  await control('no-faults');
  t.equal(await count(), 3);
});
