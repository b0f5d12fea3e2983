import { generateId } from '../../../../src/shared/ids.ts';
import { t } from '../../../tap.ts';
import { PRICE_IDS, startPayments } from './helper.ts';

const { database, fake, payer, deliver, waitUntilSynced } = await startPayments(t);
const { client } = database;

/** Sync the subscription too, as any later event of it does. */
async function sync(...ids: string[]): Promise<void> {
  for (const id of ids) fake.emitEvent('subscription.updated', { object: 'SUBSCRIPTION', id });
  await deliver(fake.events.splice(0));
  await waitUntilSynced();
}

async function buy(priceId: string = PRICE_IDS.PERSONAL) {
  const { customerId } = await payer();
  const bought = fake.newSubscription(customerId, priceId, { state: 'ACTIVE' });
  const invoice = fake.newInvoice(bought, { state: 'PAID', amountPaid: 300, paidAt: new Date(0) });
  await sync(bought.id);
  return { bought, invoice };
}

const findState = async (id: string) =>
  (await client.subscription.findFirst({ where: { providerId: id } }))?.state;

t.test('the database refuses an invoice that is refunded beyond what was paid', async (t) => {
  const user = generateId();
  await t.rejects(
    database.pool.query(
      `INSERT INTO payment_invoices (id, account_id, provider, provider_id, state, currency, total, amount_paid, amount_refunded, issued_at)
       VALUES ($1, $1, 'stripe', 'in_1', 'PAID', 'EUR', 300, 300, 301, now())`,
      [user],
    ),
    { code: '23514', constraint: 'payment_invoices_amounts_ordered' },
  );
});

t.test('a refund in part keeps the package, and a full one ends it', async (t) => {
  const { bought, invoice } = await buy();
  fake.changeInvoice(invoice, { amountRefunded: 299 });
  // The subscription is synced when the refund is stored.
  await sync();
  await sync(bought.id);
  t.equal(await findState(bought.id), 'ACTIVE');
  fake.changeInvoice(invoice, { amountRefunded: 300 });
  await sync();
  t.equal(await findState(bought.id), 'CANCELED');
  t.equal(bought.state, 'CANCELED', 'at the provider, too');
});

t.test('a refund of an earlier period keeps the package', async (t) => {
  const { bought, invoice } = await buy();
  const { currentPeriodEnd } = bought;
  fake.change(bought, { currentPeriodStart: currentPeriodEnd });
  fake.changeInvoice(invoice, { amountRefunded: 300 });
  await sync();
  await sync(bought.id);
  t.equal(await findState(bought.id), 'ACTIVE');
});

t.test('a lost dispute ends the package, of whatever period the payment is', async (t) => {
  const { bought, invoice } = await buy();
  fake.change(bought, { currentPeriodStart: bought.currentPeriodEnd });
  fake.changeInvoice(invoice, { isDisputed: true });
  await sync(bought.id);
  t.equal(await findState(bought.id), 'ACTIVE', 'not before it is decided');
  fake.changeInvoice(invoice, { isDisputeLost: true });
  await sync();
  t.equal(await findState(bought.id), 'CANCELED');
});

t.test('a subscription to something else is left alone', async (t) => {
  const { bought, invoice } = await buy('price_of_another_shop');
  fake.changeInvoice(invoice, { amountRefunded: 300, isDisputeLost: true });
  await sync(bought.id);
  t.equal(bought.state, 'ACTIVE');
});

t.test('an unpaid invoice without amount is no refund', async (t) => {
  const { bought } = await buy();
  fake.newInvoice(bought, { state: 'PAID', total: 0, amountPaid: 0 });
  await sync(bought.id);
  t.equal(await findState(bought.id), 'ACTIVE');
});
