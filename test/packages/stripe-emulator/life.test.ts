import type Stripe from 'stripe';
import { t } from '../../tap.ts';
import { buySubscription, captureStripeError, createPrice, DAY_SECONDS, startSandbox } from './helper.ts';

t.test('the life of subscriptions as the clock moves on', async (t) => {
  const { stripe, control } = await startSandbox(t);
  const price = await createPrice(stripe, 500);
  const days = (count: number) => control('clock', { seconds: count * DAY_SECONDS });
  const invoicesOf = async (subscription: string) => (await stripe.invoices.list({ subscription })).data;
  const statusOf = async (id: string) => (await stripe.subscriptions.retrieve(id)).status;
  const typesSince = async (before: Set<string>) => {
    const all = await stripe.events.list({ limit: 100 });
    return all.data
      .filter(({ id }) => !before.has(id))
      .map(({ type }) => type)
      .reverse();
  };
  const seen = async () => new Set((await stripe.events.list({ limit: 100 })).data.map(({ id }) => id));

  await t.test('bought, renewed, ended with the period', async (t) => {
    const bought = await buySubscription(stripe, control, price.id);
    const begun = await stripe.subscriptions.retrieve(bought.subscription);
    t.match(begun, { status: 'active', customer: bought.customer, cancel_at_period_end: false });
    const [item] = begun.items.data;
    const before = await seen();
    await days(32);
    const renewed = await stripe.subscriptions.retrieve(bought.subscription);
    t.equal(renewed.items.data[0]?.current_period_start, item?.current_period_end);
    t.match(
      (await invoicesOf(bought.subscription)).map(({ status, billing_reason, amount_paid, number }) => [
        ...[status, billing_reason, amount_paid, number?.slice(-4)],
      ]),
      [
        ['paid', 'subscription_cycle', 500, '0002'],
        ['paid', 'subscription_create', 500, '0001'],
      ],
    );
    t.same(await typesSince(before), [
      ...['customer.subscription.updated', 'invoice.created', 'invoice.finalized', 'payment_intent.created'],
      ...['charge.succeeded', 'payment_intent.succeeded', 'invoice_payment.paid', 'invoice.paid'],
      'invoice.payment_succeeded',
    ]);
    const ending = await stripe.subscriptions.update(bought.subscription, { cancel_at_period_end: true });
    t.equal(ending.cancel_at, renewed.items.data[0]?.current_period_end);
    await days(32);
    const ended = await stripe.subscriptions.retrieve(bought.subscription);
    t.match(ended, { status: 'canceled', ended_at: ending.cancel_at, cancel_at_period_end: true });
    const [last] = (await stripe.events.list({ limit: 1 })).data;
    t.match(last, { type: 'customer.subscription.deleted', created: ending.cancel_at });
    t.match(await captureStripeError(stripe.subscriptions.cancel(bought.subscription)), {
      code: 'resource_missing',
    });
    t.match(
      await captureStripeError(
        stripe.subscriptions.update(bought.subscription, { cancel_at_period_end: false }),
      ),
      {
        status: 400,
      },
    );
  });

  await t.test('a card that is declined: tried again on a schedule, then as the setting says', async (t) => {
    for (const [setting, end] of [
      ['cancel', 'canceled'],
      ['unpaid', 'unpaid'],
      ['past_due', 'past_due'],
    ] as const) {
      await control('after-retries', { state: setting });
      const { customer, subscription } = await buySubscription(stripe, control, price.id);
      await control('card', { customer, card: 'declines' });
      const before = await seen();
      await days(31);
      t.equal(await statusOf(subscription), 'past_due');
      const [open] = await invoicesOf(subscription);
      t.match(open, {
        status: 'open',
        attempt_count: 1,
        amount_remaining: 500,
        next_payment_attempt: Number,
      });
      t.ok((await typesSince(before)).includes('invoice.payment_failed'));
      await days(3 + 5 + 7);
      t.equal(await statusOf(subscription), end);
      const [after] = await invoicesOf(subscription);
      t.match(after, { id: open?.id, status: 'open', attempt_count: 4, next_payment_attempt: null });
      if (setting === 'cancel') continue;
      await control('card', { customer, card: 'pays' });
      await stripe.invoices.pay(String(open?.id));
      t.equal(await statusOf(subscription), 'active', `${setting}: paid, and on it goes`);
      await stripe.subscriptions.cancel(subscription);
    }
    await control('after-retries', { state: 'cancel' });
  });

  await t.test('a card that is changed in between pays at the next try', async (t) => {
    const { customer, subscription } = await buySubscription(stripe, control, price.id);
    await control('card', { customer, card: 'declines' });
    await days(31);
    await control('card', { customer, card: 'pays' });
    await days(3);
    t.equal(await statusOf(subscription), 'active');
    await stripe.subscriptions.cancel(subscription);
  });

  await t.test('a payment that must be confirmed', async (t) => {
    const { customer, subscription } = await buySubscription(stripe, control, price.id);
    await control('card', { customer, card: 'confirms' });
    const before = await seen();
    await days(31);
    const types = await typesSince(before);
    t.ok(types.includes('invoice.payment_action_required'));
    const [invoice] = await invoicesOf(subscription);
    const [payment] = (
      await stripe.invoicePayments.list({
        invoice: String(invoice?.id),
        expand: ['data.payment.payment_intent.latest_charge'],
      })
    ).data;
    t.match(payment?.payment.payment_intent, { status: 'requires_action', latest_charge: null });
    t.same(await control('confirm', { invoice: invoice?.id, confirmed: false }), { outcome: 'failed' });
    t.equal(await statusOf(subscription), 'past_due');
    t.same(await control('confirm', { invoice: invoice?.id, confirmed: true }), { outcome: 'paid' });
    t.equal(await statusOf(subscription), 'active');
    await stripe.subscriptions.cancel(subscription);
  });

  await t.test('a trial is told to end, and is paid then', async (t) => {
    const { subscription } = await buySubscription(stripe, control, price.id, { trialDays: 14 });
    t.equal(await statusOf(subscription), 'trialing');
    const before = await seen();
    await days(12);
    t.same(await typesSince(before), ['customer.subscription.trial_will_end']);
    await days(3);
    t.equal(await statusOf(subscription), 'active');
    t.match(
      (await invoicesOf(subscription)).map(({ amount_paid }) => amount_paid),
      [500, 0],
    );
    await stripe.subscriptions.cancel(subscription);
  });

  await t.test(
    'paused without a card at the end of a trial, and resumed; paused and resumed on request',
    async (t) => {
      const customer = await stripe.customers.create({ email: 'eve@example.org' });
      const { id } = await stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: price.id }],
        trial_period_days: 7,
        trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
      });
      await days(8);
      t.equal(await statusOf(id), 'paused');
      await control('card', { customer: customer.id, card: 'pays' });
      t.equal((await stripe.subscriptions.resume(id)).status, 'active');
      t.match((await invoicesOf(id))[0], { status: 'paid', amount_paid: 500 });
      const paused = await stripe.subscriptions.pause(id, { type: 'subscription' });
      t.equal(paused.status, 'paused');
      await days(90);
      t.equal((await invoicesOf(id)).length, 2, 'nothing is asked for meanwhile');
      const before = await seen();
      await stripe.subscriptions.resume(id);
      t.equal((await typesSince(before))[0], 'customer.subscription.resumed');
      await stripe.subscriptions.cancel(id);
    },
  );

  await t.test('without a page: incomplete until it is paid, and over after a day', async (t) => {
    const customer = await stripe.customers.create({ email: 'eve@example.org' });
    const create = (payment_method: string, behavior: Stripe.SubscriptionCreateParams.PaymentBehavior) =>
      stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: price.id }],
        default_payment_method: payment_method,
        payment_behavior: behavior,
        expand: ['latest_invoice.payments'],
      });
    const failed = await create('pm_card_chargeCustomerFail', 'allow_incomplete');
    t.match(failed, { status: 'incomplete', latest_invoice: { status: 'open', payments: { data: [{}] } } });
    t.match(await captureStripeError(create('pm_card_chargeCustomerFail', 'error_if_incomplete')), {
      code: 'card_declined',
    });
    const asked = await create('pm_card_authenticationRequired', 'allow_incomplete');
    t.equal(asked.status, 'incomplete');
    const { id } = asked.latest_invoice as Stripe.Invoice;
    await control('confirm', { invoice: id });
    t.equal(await statusOf(asked.id), 'active');
    await days(1);
    t.equal(await statusOf(failed.id), 'incomplete_expired');
    t.equal(await statusOf(asked.id), 'active');
  });

  await t.test('a customer who is deleted has nothing any more', async (t) => {
    const { customer, subscription } = await buySubscription(stripe, control, price.id);
    await stripe.customers.del(customer);
    t.equal(await statusOf(subscription), 'canceled');
    t.same(
      { ...(await stripe.customers.retrieve(customer)) },
      { id: customer, object: 'customer', deleted: true },
    );
    t.match(await captureStripeError(stripe.customers.del(customer)), { status: 404 });
  });
});
