import type Stripe from 'stripe';
import { t } from '../../tap.ts';
import {
  buySubscription,
  captureStripeError,
  createPrice,
  DAY_SECONDS,
  getSandboxNow,
  startSandbox,
} from './helper.ts';

t.test('a change costs what its preview shows', async (t) => {
  const { stripe, control } = await startSandbox(t);
  const personal = await createPrice(stripe, 501, { name: 'Personal' });
  const family = await createPrice(stripe, 1_299, { name: 'Family' });
  const yearly = await createPrice(stripe, 12_000, { name: 'Family', interval: 'year' });
  const yen = await createPrice(stripe, 500, { currency: 'jpy' });
  const days = (count: number) => control('clock', { seconds: count * DAY_SECONDS });

  /** Change a subscription as previewed and compare invoice and preview. */
  const change = async (
    subscription: string,
    price: string,
    proration_behavior: 'always_invoice' | 'create_prorations',
  ) => {
    const [item] = (await stripe.subscriptions.retrieve(subscription)).items.data;
    const proration_date = (await control<{ now: number }>('clock', { seconds: 0 })).now;
    const wanted = { items: [{ id: String(item?.id), price }], proration_behavior, proration_date };
    const preview = await stripe.invoices.createPreview({ subscription, subscription_details: wanted });
    const changed = await stripe.subscriptions.update(subscription, {
      ...wanted,
      payment_behavior: 'error_if_incomplete',
      expand: ['latest_invoice'],
    });
    return { preview, changed, invoice: changed.latest_invoice as Stripe.Invoice };
  };
  const listLines = (invoice: Stripe.Invoice) =>
    invoice.lines.data.map(({ amount, description, period }) => ({ amount, description, period }));

  await t.test('upgrades and downgrades immediately', async (t) => {
    const { customer, subscription } = await buySubscription(stripe, control, personal.id);
    await days(10);
    const up = await change(subscription, family.id, 'always_invoice');
    t.same(listLines(up.invoice), listLines(up.preview));
    t.match(up.invoice, {
      status: 'paid',
      billing_reason: 'subscription_update',
      amount_due: up.preview.amount_due,
    });
    t.ok(up.invoice.total > 0 && up.invoice.total < 1_299);
    t.equal(up.changed.items.data[0]?.price.id, family.id);

    await days(5);
    const down = await change(subscription, personal.id, 'always_invoice');
    t.equal(down.invoice.total, down.preview.total);
    t.ok(down.invoice.total < 0);
    t.match(down.invoice, { status: 'paid', amount_due: 0, amount_paid: 0 });
    const { balance } = (await stripe.customers.retrieve(customer)) as Stripe.Customer;
    t.equal(balance, down.invoice.total, 'the credit is kept as balance');
    await days(20);
    const [renewal] = (await stripe.invoices.list({ subscription, limit: 1 })).data;
    t.match(renewal, { total: 501, amount_paid: Math.max(0, 501 + balance), starting_balance: balance });
  });

  await t.test('a change of the interval starts a new period', async (t) => {
    const { subscription } = await buySubscription(stripe, control, personal.id);
    await days(10);
    const { preview, invoice, changed } = await change(subscription, yearly.id, 'always_invoice');
    t.equal(invoice.total, preview.total);
    const [credit, charge] = invoice.lines.data;
    t.ok(credit && credit.amount < 0);
    t.match(charge, { amount: 12_000, period: { start: changed.items.data[0]?.current_period_start } });
    t.equal(changed.billing_cycle_anchor, charge?.period.start);
    await days(366);
    t.match((await stripe.invoices.list({ subscription, limit: 1 })).data[0], {
      total: 12_000,
      status: 'paid',
    });
  });

  await t.test('charges the proration with the next period', async (t) => {
    const { subscription } = await buySubscription(stripe, control, personal.id);
    await days(10);
    const { preview, invoice } = await change(subscription, family.id, 'create_prorations');
    t.equal(invoice.billing_reason, 'subscription_create', 'nothing is charged now');
    const again = await stripe.invoices.createPreview({ subscription });
    t.equal(again.total, preview.total);
    await days(25);
    const [renewal] = (await stripe.invoices.list({ subscription, limit: 1 })).data;
    t.equal(renewal?.total, preview.total);
    t.ok(preview.total > 1_299);
  });

  await t.test('a pending change is applied when paid, or discarded after a day', async (t) => {
    for (const isPaid of [true, false]) {
      const { customer, subscription } = await buySubscription(stripe, control, personal.id);
      await control('card', { customer, card: 'declines' });
      await days(10);
      const before = await stripe.subscriptions.retrieve(subscription);
      const waiting = await stripe.subscriptions.update(subscription, {
        items: [{ id: String(before.items.data[0]?.id), price: family.id }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'pending_if_incomplete',
      });
      t.same([waiting.status, waiting.items], ['active', before.items]);
      t.equal(waiting.pending_update?.subscription_items?.[0]?.price.id, family.id);
      const invoice = String(waiting.latest_invoice);
      if (isPaid) await stripe.invoices.pay(invoice, { payment_method: 'pm_card_visa' });
      else await days(1);
      const after = await stripe.subscriptions.retrieve(subscription);
      t.match(after, { status: 'active', pending_update: null });
      t.equal(after.items.data[0]?.price.id, isPaid ? family.id : personal.id);
      t.equal((await stripe.invoices.retrieve(invoice)).status, isPaid ? 'paid' : 'void');
    }
  });

  await t.test('accepts times of a client whose clock was not advanced', async (t) => {
    const { subscription, customer } = await buySubscription(stripe, control, personal.id);
    await days(15);
    const now = Math.floor(getSandboxNow().getTime() / 1000);
    const [item] = (await stripe.subscriptions.retrieve(subscription)).items.data;
    const { lines } = await stripe.invoices.createPreview({
      subscription,
      subscription_details: {
        items: [{ id: String(item?.id), price: family.id }],
        proration_behavior: 'always_invoice',
        proration_date: now,
      },
    });
    const start = Number(item?.current_period_start);
    t.ok(
      Math.abs(Number(lines.data[0]?.period.start) - start - 15 * DAY_SECONDS) < 600,
      'the credit is for the remaining time',
    );
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: family.id }],
      expires_at: now + 3_600,
      success_url: 'https://qr.example.org/',
    });
    t.equal(session.status, 'open');
    await days(1);
    t.equal((await stripe.checkout.sessions.retrieve(session.id)).status, 'expired');
  });

  await t.test('an invalid change changes nothing', async (t) => {
    const { customer, subscription } = await buySubscription(stripe, control, personal.id);
    await control('card', { customer, card: 'declines' });
    const before = await stripe.subscriptions.retrieve(subscription);
    const [item] = before.items.data;
    const to = (price: string, more: object = {}) =>
      stripe.subscriptions.update(subscription, { items: [{ id: String(item?.id), price }], ...more });
    await days(3);
    const now = { proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete' };
    t.match(await captureStripeError(to(family.id, now)), { code: 'card_declined' });
    t.match(await captureStripeError(to(yen.id)), { status: 400, param: 'items' });
    t.match(await captureStripeError(to('price_unknown')), { status: 400, code: 'resource_missing' });
    t.match(await captureStripeError(to(family.id, { proration_date: before.created - DAY_SECONDS })), {
      param: 'proration_date',
    });
    await stripe.prices.update(family.id, { active: false });
    t.match(await captureStripeError(to(family.id)), { status: 400 });
    t.same(await stripe.subscriptions.retrieve(subscription), before);

    await stripe.subscriptions.cancel(subscription);
    t.match(await captureStripeError(stripe.invoices.createPreview({ subscription })), {
      code: 'invoice_upcoming_none',
    });
  });
});
