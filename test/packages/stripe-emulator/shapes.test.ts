import { readFile } from 'node:fs/promises';
import { t } from '../../tap.ts';
import { buySubscription, createPrice, DAY_SECONDS, startSandbox } from './helper.ts';

const RESOURCES = 'node_modules/stripe/esm/resources/';

/** Fields that the SDK's types require. */
async function readFields(file: string, name: string): Promise<{ needed: string[]; known: Set<string> }> {
  const text = (await readFile(`${RESOURCES}${file}.d.ts`, 'utf8')).replaceAll(/\/\*\*.*?\*\//gs, '');
  const body = new RegExp(`export interface ${name} \\{\\n(.*?)\\n\\}`, 's').exec(text)?.[1] ?? '';
  const fields = [...body.matchAll(/^ {4}(\w+)(\??):/gm)];
  return {
    needed: fields.filter(([, , optional]) => !optional).map(([, field = '']) => field),
    known: new Set(fields.map(([, field = '']) => field)),
  };
}

t.test('objects have exactly the fields of the SDK’s types', async (t) => {
  const { stripe, control } = await startSandbox(t);
  const price = await createPrice(stripe, 500);
  const { customer, subscription, session } = await buySubscription(stripe, control, price.id);
  await control('clock', { seconds: 32 * DAY_SECONDS });
  const [invoice] = (await stripe.invoices.list({ subscription })).data;
  const [payment] = (await stripe.invoicePayments.list({ invoice: String(invoice?.id) })).data;
  const intent = await stripe.paymentIntents.retrieve(String(payment?.payment.payment_intent));
  const charge = await stripe.charges.retrieve(String(intent.latest_charge));
  const portal = await stripe.billingPortal.sessions.create({ customer });
  const [first] = (await stripe.charges.list({ customer, limit: 100 })).data.slice(1);
  const refund = await stripe.refunds.create({ charge: String(first?.id) });
  const live = await stripe.subscriptions.retrieve(subscription);
  const cases: [string, string, object | undefined][] = [
    ['Customers', 'Customer', await stripe.customers.retrieve(customer)],
    ['Products', 'Product', await stripe.products.retrieve(String(price.product))],
    ['Prices', 'Price', price],
    ['Plans', 'Plan', live.items.data[0]?.plan],
    [
      'PaymentMethods',
      'PaymentMethod',
      await stripe.paymentMethods.retrieve(String(live.default_payment_method)),
    ],
    ['Checkout/Sessions', 'Session', await stripe.checkout.sessions.retrieve(session)],
    ['Subscriptions', 'Subscription', live],
    ['SubscriptionItems', 'SubscriptionItem', live.items.data[0]],
    ['Invoices', 'Invoice', invoice],
    ['Invoices', 'Invoice', await stripe.invoices.createPreview({ subscription })],
    ['InvoiceLineItems', 'InvoiceLineItem', invoice?.lines.data[0]],
    ['InvoicePayments', 'InvoicePayment', payment],
    ['PaymentIntents', 'PaymentIntent', intent],
    ['Charges', 'Charge', charge],
    ['Refunds', 'Refund', refund],
    ['Disputes', 'Dispute', await control('dispute', { charge: charge.id })],
    ['BillingPortal/Sessions', 'Session', portal],
    [
      'BillingPortal/Configurations',
      'Configuration',
      await stripe.billingPortal.configurations.retrieve(String(portal.configuration)),
    ],
    ['Events', 'EventBase', (await stripe.events.list()).data[0]],
  ];
  for (const [file, name, object] of cases) {
    const { needed, known } = await readFields(file, name);
    t.ok(needed.length > 3, `${name} is in the types`);
    const has = Object.keys(object ?? {});
    t.same(
      needed.filter((field) => !has.includes(field)),
      [],
      `${name} lacks nothing`,
    );
    if (name !== 'EventBase')
      t.same(
        has.filter((field) => !known.has(field)),
        [],
        `${name} has nothing of its own`,
      );
  }
});
