import t from 'tap';
import { buy, DAY, makePrice, startSandbox } from './helper.ts';

t.test('a subscription is bought, renewed, and ends with its period', async (t) => {
  const { stripe, control } = await startSandbox(t);
  const price = await makePrice(stripe, 500);
  const bought = await buy(stripe, control, price.id);
  const begun = await stripe.subscriptions.retrieve(bought.subscription);
  t.match(begun, { status: 'active', customer: bought.customer, cancel_at_period_end: false });
  const [item] = begun.items.data;
  t.equal(item?.price.unit_amount, 500);

  await control('clock', { seconds: 32 * DAY });
  const renewed = await stripe.subscriptions.retrieve(bought.subscription);
  t.equal(renewed.items.data[0]?.current_period_start, item?.current_period_end);
  const invoices = await stripe.invoices.list({ subscription: bought.subscription });
  t.match(
    invoices.data.map(({ status, billing_reason, amount_paid }) => [status, billing_reason, amount_paid]),
    [
      ['paid', 'subscription_cycle', 500],
      ['paid', 'subscription_create', 500],
    ],
  );

  await stripe.subscriptions.update(bought.subscription, { cancel_at_period_end: true });
  await control('clock', { seconds: 32 * DAY });
  const ended = await stripe.subscriptions.retrieve(bought.subscription);
  t.equal(ended.status, 'canceled');
  t.equal(ended.ended_at, renewed.items.data[0]?.current_period_end);
  const events = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 });
  t.equal(events[0]?.type, 'customer.subscription.deleted');
});
