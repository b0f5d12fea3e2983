import type Stripe from 'stripe';
import { t } from '../../tap.ts';
import { buySubscription, captureStripeError, createPrice, DAY_SECONDS, startSandbox } from './helper.ts';

t.test('subscriptions follow an advancing clock', async (t) => {
  const { stripe, control } = await startSandbox(t);
  const price = await createPrice(stripe, 500);
  const days = (count: number) => control('clock', { seconds: count * DAY_SECONDS });
  const listInvoices = async (subscription: string) => (await stripe.invoices.list({ subscription })).data;
  const getStatus = async (id: string) => (await stripe.subscriptions.retrieve(id)).status;
  const typesSince = async (before: Set<string>) => {
    const all = await stripe.events.list({ limit: 100 });
    return all.data
      .filter(({ id }) => !before.has(id))
      .map(({ type }) => type)
      .reverse();
  };
  const listEventIds = async () =>
    new Set((await stripe.events.list({ limit: 100 })).data.map(({ id }) => id));

  await t.test('a subscription is bought, renewed, and ended with its period', async (t) => {
    const bought = await buySubscription(stripe, control, price.id);
    const begun = await stripe.subscriptions.retrieve(bought.subscription);
    t.match(begun, { status: 'active', customer: bought.customer, cancel_at_period_end: false });
    const [item] = begun.items.data;
    const before = await listEventIds();
    await days(32);
    const renewed = await stripe.subscriptions.retrieve(bought.subscription);
    t.equal(renewed.items.data[0]?.current_period_start, item?.current_period_end);
    t.match(
      (await listInvoices(bought.subscription)).map(({ status, billing_reason, amount_paid, number }) => [
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

  await t.test('retries a declined card on schedule, then applies the setting', async (t) => {
    for (const [setting, end] of [
      ['cancel', 'canceled'],
      ['unpaid', 'unpaid'],
      ['past_due', 'past_due'],
    ] as const) {
      await control('after-retries', { state: setting });
      const { customer, subscription } = await buySubscription(stripe, control, price.id);
      await control('card', { customer, card: 'declines' });
      const before = await listEventIds();
      await days(31);
      t.equal(await getStatus(subscription), 'past_due');
      const [open] = await listInvoices(subscription);
      t.match(open, {
        status: 'open',
        attempt_count: 1,
        amount_remaining: 500,
        next_payment_attempt: Number,
      });
      t.ok((await typesSince(before)).includes('invoice.payment_failed'));
      await days(3 + 5 + 7);
      t.equal(await getStatus(subscription), end);
      const [after] = await listInvoices(subscription);
      t.match(after, { id: open?.id, status: 'open', attempt_count: 4, next_payment_attempt: null });
      if (setting === 'cancel') continue;
      await control('card', { customer, card: 'pays' });
      await stripe.invoices.pay(String(open?.id));
      t.equal(await getStatus(subscription), 'active', `${setting}: active after the payment`);
      await stripe.subscriptions.cancel(subscription);
    }
    await control('after-retries', { state: 'cancel' });
  });

  await t.test('the next payment attempt uses the new card', async (t) => {
    const { customer, subscription } = await buySubscription(stripe, control, price.id);
    await control('card', { customer, card: 'declines' });
    await days(31);
    await control('card', { customer, card: 'pays' });
    await days(3);
    t.equal(await getStatus(subscription), 'active');
    await stripe.subscriptions.cancel(subscription);
  });

  await t.test('a payment that requires confirmation is open until confirmed', async (t) => {
    const { customer, subscription } = await buySubscription(stripe, control, price.id);
    await control('card', { customer, card: 'confirms' });
    const before = await listEventIds();
    await days(31);
    const types = await typesSince(before);
    t.ok(types.includes('invoice.payment_action_required'));
    const [invoice] = await listInvoices(subscription);
    const [payment] = (
      await stripe.invoicePayments.list({
        invoice: String(invoice?.id),
        expand: ['data.payment.payment_intent.latest_charge'],
      })
    ).data;
    t.match(payment?.payment.payment_intent, { status: 'requires_action', latest_charge: null });
    t.same(await control('confirm', { invoice: invoice?.id, confirmed: false }), { outcome: 'failed' });
    t.equal(await getStatus(subscription), 'past_due');
    t.same(await control('confirm', { invoice: invoice?.id, confirmed: true }), { outcome: 'paid' });
    t.equal(await getStatus(subscription), 'active');
    await stripe.subscriptions.cancel(subscription);
  });

  await t.test('announces the end of a trial and charges it', async (t) => {
    const { subscription } = await buySubscription(stripe, control, price.id, { trialDays: 14 });
    t.equal(await getStatus(subscription), 'trialing');
    const before = await listEventIds();
    await days(12);
    t.same(await typesSince(before), ['customer.subscription.trial_will_end']);
    await days(3);
    t.equal(await getStatus(subscription), 'active');
    t.match(
      (await listInvoices(subscription)).map(({ amount_paid }) => amount_paid),
      [500, 0],
    );
    await stripe.subscriptions.cancel(subscription);
  });

  await t.test('pauses at the end of a trial without a card, or on request, and resumes', async (t) => {
    const customer = await stripe.customers.create({ email: 'eve@example.org' });
    const { id } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
    });
    await days(8);
    t.equal(await getStatus(id), 'paused');
    await control('card', { customer: customer.id, card: 'pays' });
    t.equal((await stripe.subscriptions.resume(id)).status, 'active');
    t.match((await listInvoices(id))[0], { status: 'paid', amount_paid: 500 });
    const paused = await stripe.subscriptions.pause(id, { type: 'subscription' });
    t.equal(paused.status, 'paused');
    await days(90);
    t.equal((await listInvoices(id)).length, 2, 'nothing is charged in the meantime');
    const before = await listEventIds();
    await stripe.subscriptions.resume(id);
    t.equal((await typesSince(before))[0], 'customer.subscription.resumed');
    await stripe.subscriptions.cancel(id);
  });

  await t.test(
    'a subscription without checkout is incomplete until paid, and expires after a day',
    async (t) => {
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
      const subscription = await create('pm_card_authenticationRequired', 'allow_incomplete');
      t.equal(subscription.status, 'incomplete');
      const { id } = subscription.latest_invoice as Stripe.Invoice;
      await control('confirm', { invoice: id });
      t.equal(await getStatus(subscription.id), 'active');
      await days(1);
      t.equal(await getStatus(failed.id), 'incomplete_expired');
      t.equal(await getStatus(subscription.id), 'active');
    },
  );

  await t.test('a deleted customer has no subscriptions', async (t) => {
    const { customer, subscription } = await buySubscription(stripe, control, price.id);
    await stripe.customers.del(customer);
    t.equal(await getStatus(subscription), 'canceled');
    t.same(
      { ...(await stripe.customers.retrieve(customer)) },
      { id: customer, object: 'customer', deleted: true },
    );
    t.match(await captureStripeError(stripe.customers.del(customer)), { status: 404 });
  });
});
