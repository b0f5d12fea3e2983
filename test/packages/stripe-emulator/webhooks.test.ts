import { createServer } from 'node:http';
import Stripe from 'stripe';
import type { Test } from 'tap';
import { t } from '../../tap.ts';
import { buySubscription, createPrice, startSandbox } from './helper.ts';

/** Start a webhook that responds with the statuses in order, then with 200. */
async function startWebhook(t: Test) {
  const got: { body: string; signature: string }[] = [];
  const answers: number[] = [];
  let changed = () => {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      got.push({ body, signature: String(request.headers['stripe-signature']) });
      response.writeHead(answers.shift() ?? 200, { Location: '/elsewhere' }).end();
      changed();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/api/webhooks/stripe`;
  const until = async (isDone: () => boolean) => {
    while (!isDone())
      await new Promise<void>((resolve) => {
        changed = resolve;
      });
  };
  const events = () => got.map(({ body }): Stripe.Event => JSON.parse(body));
  return { url, got, answers, until, events };
}

t.test('delivers signed events and retries failed ones', async (t) => {
  const webhook = await startWebhook(t);
  const { stripe, control, webhookSecrets } = await startSandbox(t, { webhookUrl: webhook.url });
  webhook.answers.push(503, 302);
  await stripe.customers.create({ email: 'ada@example.org' });
  await webhook.until(() => webhook.got.length === 3);
  const [first, second, third] = webhook.got;
  t.same([second?.body, third?.body], [first?.body, first?.body]);
  const [secret = ''] = webhookSecrets;
  const event = Stripe.webhooks.constructEvent(String(first?.body), String(first?.signature), secret);
  t.match(event, { type: 'customer.created', livemode: false, api_version: '2026-10-28.endive' });
  t.match(event.data.object, { object: 'customer', email: 'ada@example.org' });
  t.match(event.request, { id: /^req_/, idempotency_key: String });
  t.throws(() => Stripe.webhooks.constructEvent(`${first?.body} `, String(first?.signature), secret));
  t.throws(() =>
    Stripe.webhooks.constructEvent(String(first?.body), String(first?.signature), 'whsec_other'),
  );
  t.same(await stripe.events.retrieve(event.id), event);
  const { deliveries } = await control<{ deliveries: object[] }>('deliveries');
  t.match(deliveries, [{ event: event.id, state: 'delivered', attempts: 3, lastResult: '200' }]);
});

t.test('paused events are delivered on request: reordered, twice, or never', async (t) => {
  const webhook = await startWebhook(t);
  const { stripe, control, webhookSecrets } = await startSandbox(t, { webhookUrl: webhook.url });
  await control('pause', { paused: true });
  const price = await createPrice(stripe, 500);
  await buySubscription(stripe, control, price.id);
  const eventIds = (await stripe.events.list({ limit: 100 })).data.map(({ id }) => id);
  t.ok(eventIds.length > 10);
  t.equal(webhook.got.length, 0);
  const [lost = '', ...rest] = eventIds;
  await control('drop', { events: [lost] });
  // One at a time, so that the order is fixed.
  for (const [index, id] of rest.entries()) {
    await control('send', { events: [id] });
    await webhook.until(() => webhook.got.length === index + 1);
  }
  t.same(
    webhook.events().map(({ id }) => id),
    rest,
  );
  await control('send', { events: [...rest, ...rest] });
  await webhook.until(() => webhook.got.length === rest.length * 3);
  t.notOk(webhook.events().some(({ id }) => id === lost));

  const signed = await control<{ body: string; signature: string }>('signed', { event: lost });
  const [secret = ''] = webhookSecrets;
  t.equal(Stripe.webhooks.constructEvent(signed.body, signed.signature, secret).id, lost);
  const old = await control<typeof signed>('signed', {
    event: lost,
    at: Math.floor(Date.now() / 1000) - 301,
  });
  t.throws(() => Stripe.webhooks.constructEvent(old.body, old.signature, secret), /tolerance/);

  const statuses = webhook
    .events()
    .slice(0, rest.length)
    .filter(({ type }) => type.startsWith('customer.subscription.'))
    .map(({ data }) => (data.object as Stripe.Subscription).status);
  t.same(statuses, ['active', 'incomplete'], 'an event has its object as it was then');
});

t.test('events contain previous values and refunds', async (t) => {
  const { stripe, control } = await startSandbox(t);
  const price = await createPrice(stripe, 500);
  const { subscription, customer } = await buySubscription(stripe, control, price.id);
  await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
  const [ending] = (await stripe.events.list({ type: 'customer.subscription.updated' })).data;
  t.match(ending?.data.previous_attributes, { cancel_at_period_end: false, canceled_at: null });
  const [charge] = (await stripe.charges.list({ customer })).data;
  const part = await stripe.refunds.create({ payment_intent: String(charge?.payment_intent), amount: 200 });
  t.match(part, { amount: 200, status: 'succeeded', charge: charge?.id });
  t.match(await stripe.charges.retrieve(String(charge?.id), { expand: ['refunds'] }), {
    amount_refunded: 200,
    refunded: false,
    refunds: { data: [{ id: part.id }] },
  });
  await t.rejects(stripe.refunds.create({ charge: String(charge?.id), amount: 301 }));
  await stripe.refunds.create({ charge: String(charge?.id) });
  await t.rejects(stripe.refunds.create({ charge: String(charge?.id) }));
  const other = await buySubscription(stripe, control, price.id);
  const [disputed] = (await stripe.charges.list({ customer: other.customer })).data;
  const { id: dispute } = await control<{ id: string }>('dispute', { charge: disputed?.id });
  t.equal((await stripe.charges.retrieve(String(disputed?.id))).disputed, true);
  await control('close-dispute', { dispute, status: 'won' });
  t.equal((await stripe.disputes.retrieve(dispute)).status, 'won');
  const types = (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type);
  for (const type of ['charge.refunded', 'refund.created', 'charge.dispute.created', 'charge.dispute.closed'])
    t.ok(types.includes(type as (typeof types)[number]), type);
});
