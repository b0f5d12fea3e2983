import { request } from 'node:http';
import type Stripe from 'stripe';
import { startStripeEmulator } from '../../../packages/stripe-emulator/src/start-stripe-emulator.ts';
import { t } from '../../tap.ts';
import {
  buySubscription,
  captureStripeError,
  createPrice,
  createStripeSdk,
  getSandboxNow,
  SILENT_LOG,
  startSandbox,
} from './helper.ts';

t.test('serves the API to the SDK', async (t) => {
  const { stripe, control, apiBase, secretKey } = await startSandbox(t);
  const customer = await stripe.customers.create({
    email: 'ada@example.org',
    metadata: { userId: 'u1', 'a b': 'ü&=' },
  });

  await t.test('parses nested forms with lists and with any text', async (t) => {
    t.same(customer.metadata, { userId: 'u1', 'a b': 'ü&=' });
    const changed = await stripe.customers.update(customer.id, {
      metadata: { userId: '', __proto__x: '1' },
      preferred_locales: ['de', 'en'],
      name: '',
    });
    t.same(changed.metadata, { 'a b': 'ü&=', __proto__x: '1' });
    t.same([changed.preferred_locales, changed.name], [['de', 'en'], null]);
    const polluted = await fetch(`${apiBase}/v1/customers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'metadata[__proto__][x]=1&metadata[constructor]=2',
    });
    t.equal(polluted.status, 400);
    t.equal(Reflect.get({}, 'x'), undefined);
  });

  await t.test('replays a request with the same idempotency key and rejects another', async (t) => {
    const details = { email: 'bob@example.org' };
    const create = (params = details) => stripe.customers.create(params, { idempotencyKey: 'customer:u2' });
    const [first, second] = [await create(), await create()];
    t.equal(first.id, second.id);
    t.same((await stripe.customers.list(details)).data.length, 1);
    t.match(await captureStripeError(create({ email: 'eve@example.org' })), {
      type: 'StripeIdempotencyError',
      status: 400,
    });
    t.match(
      await captureStripeError(stripe.products.create({ name: 'x' }, { idempotencyKey: 'customer:u2' })),
      {
        type: 'StripeIdempotencyError',
      },
    );
    const wrong = () =>
      stripe.subscriptions.create({ customer: 'cus_x', items: [] }, { idempotencyKey: 'wrong' });
    t.match(await captureStripeError(wrong()), { status: 400, code: 'resource_missing' });
    t.match(
      await captureStripeError(stripe.products.create({ name: 'x' }, { idempotencyKey: 'wrong' })),
      null,
    );
    await control('fault', { kind: 'slow', ms: 300, path: '/v1/customers' });
    const both = await Promise.all(
      ['one', 'two'].map(() =>
        captureStripeError(stripe.customers.create({}, { idempotencyKey: 'at once' })),
      ),
    );
    t.match(both.filter(Boolean), [{ status: 409, code: 'idempotency_key_in_use' }]);
  });

  await t.test('lists are paged, newest first, and filtered by time', async (t) => {
    const product = await stripe.products.create({ name: 'Many' });
    const made: string[] = [];
    for (let amount = 1; amount <= 25; amount += 1) {
      const recurring = { interval: 'month' } as const;
      const price = {
        product: product.id,
        currency: 'eur',
        unit_amount: amount,
        recurring,
        lookup_key: `k${amount}`,
      };
      made.unshift((await stripe.prices.create(price)).id);
    }
    const all = await stripe.prices
      .list({ product: product.id, limit: 10 })
      .autoPagingToArray({ limit: 100 });
    t.same(
      all.map(({ id }) => id),
      made,
    );
    const before = await stripe.prices.list({ ending_before: made[20], limit: 5 });
    t.same(
      before.data.map(({ id }) => id),
      made.slice(15, 20),
    );
    const found = await stripe.prices.list({ lookup_keys: ['k3', 'k9', 'unknown'] });
    t.same(
      found.data.map(({ unit_amount }) => unit_amount),
      [9, 3],
    );
    const { created } = (await stripe.customers.retrieve(customer.id)) as Stripe.Customer;
    t.equal((await stripe.customers.list({ created: { gt: created + 100 } })).data.length, 0);
    t.ok((await stripe.customers.list({ created: { gte: created }, limit: 100 })).data.length >= 1);
    t.match(await captureStripeError(stripe.prices.list({ limit: 101 })), { status: 400 });
    t.match(await captureStripeError(stripe.prices.list({ starting_after: 'price_x' })), { status: 400 });
    const again = {
      product: product.id,
      currency: 'eur',
      unit_amount: 3,
      recurring: { interval: 'month' },
      lookup_key: 'k3',
    } as const;
    t.match(await captureStripeError(stripe.prices.create(again)), { status: 400, param: 'lookup_key' });
    const moved = await stripe.prices.create({ ...again, transfer_lookup_key: true });
    t.same(
      (await stripe.prices.list({ lookup_keys: ['k3'] })).data.map(({ id }) => id),
      [moved.id],
    );
  });

  await t.test('expands related objects on request', async (t) => {
    const price = await createPrice(stripe, 700);
    const { subscription } = await buySubscription(stripe, control, price.id, { email: 'x@example.org' });
    const whole = await stripe.subscriptions.retrieve(subscription, {
      expand: ['customer', 'latest_invoice.payments', 'items.data.price.product'],
    });
    t.match(whole, {
      customer: { email: 'x@example.org' },
      items: { data: [{ price: { product: { name: 'Personal' } } }] },
      latest_invoice: { payments: { data: [{ status: 'paid', amount_paid: 700 }] } },
    });
    const plain = await stripe.subscriptions.retrieve(subscription);
    t.equal(typeof plain.customer, 'string');
    const listed = await stripe.invoices.list({ subscription, expand: ['data.customer'] });
    t.match(listed.data[0]?.customer, { email: 'x@example.org' });
    t.match(await captureStripeError(stripe.subscriptions.retrieve(subscription, { expand: ['nothing'] })), {
      status: 400,
    });
  });

  await t.test('rejects invalid requests like Stripe', async (t) => {
    t.match(await captureStripeError(stripe.customers.retrieve('cus_x')), {
      status: 404,
      code: 'resource_missing',
      param: 'id',
    });
    t.match(await captureStripeError(stripe.customers.create({ nonsense: 1 } as object)), {
      code: 'parameter_unknown',
    });
    t.match(
      await captureStripeError(createStripeSdk({ apiBase, secretKey: 'sk_test_other' }).customers.list()),
      {
        type: 'StripeAuthenticationError',
        status: 401,
      },
    );
    t.match(await captureStripeError(stripe.coupons.list()), { status: 404 });
    const older = await fetch(`${apiBase}/v1/customers`, {
      headers: { authorization: `Bearer ${secretKey}`, 'stripe-version': '2019-12-03' },
    });
    t.match([older.status, await older.text()], [400, /supports only version/]);
    const session = {
      mode: 'subscription',
      customer: customer.id,
      success_url: 'https://x.example/',
    } as const;
    const lines = [{ price: (await createPrice(stripe, 1)).id }];
    const now = Math.floor(getSandboxNow().getTime() / 1000);
    for (const wrong of [
      { ...session, line_items: [] },
      { ...session, line_items: [{ price: 'price_x' }] },
      { ...session, line_items: lines, customer: 'cus_x' },
      { ...session, line_items: lines, success_url: 'javascript:alert(1)' },
      { ...session, line_items: lines, expires_at: now + 60 },
      { ...session, line_items: lines, expires_at: now + 90_000 },
      { ...session, line_items: lines, mode: 'payment' } as const,
    ])
      t.match(await captureStripeError(stripe.checkout.sessions.create(wrong)), { status: 400 });
    const open = await stripe.checkout.sessions.create({ ...session, line_items: lines });
    t.equal((await stripe.checkout.sessions.expire(open.id)).status, 'expired');
    t.match(await captureStripeError(stripe.checkout.sessions.expire(open.id)), { status: 400 });
    await t.rejects(control('checkout', { session: open.id, card: 'pays' }), /400/);
  });

  await t.test(
    'listens on loopback under its own host name only, and the control API needs the key',
    async (t) => {
      const { hostname, port } = new URL(apiBase);
      t.equal(hostname, '127.0.0.1');
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const headers = { host: 'evil.example', authorization: `Bearer ${secretKey}` };
        request({ port, hostname, path: '/v1/customers', headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', reject)
          .end();
      });
      t.equal(status, 404);
      t.equal((await fetch(`${apiBase}/sandbox/ledger`, { method: 'POST' })).status, 401);
      const log = SILENT_LOG;
      await t.rejects(
        startStripeEmulator({ webhookUrl: null, store: null, production: true, log }),
        /production/,
      );
    },
  );
});
