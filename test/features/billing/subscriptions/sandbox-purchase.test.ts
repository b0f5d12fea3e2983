import { deleteTestModePurchases } from '../../../../src/features/billing/payments/test-mode-purchases.repository.ts';
import { createStripePaymentProvider } from '../../../../src/providers/payments/stripe/stripe-payment-provider.ts';
import { t } from '../../../tap.ts';
import { eraseAccountOf, waitFor, waitForErasures } from '../../personal-data/helper.ts';
import { startSandboxShop } from './sandbox-shop-helper.ts';
import { FAMILY_PACKAGE_ID } from './shop-helper.ts';

t.test('a purchase with the Stripe library, from checkout to receipt and cancellation', async (t) => {
  const shop = await startSandboxShop(t);
  const { call, getMailBySubject, control, path, press, sandbox, database } = shop;
  const user = await shop.createUser();
  const { id: userId, accessToken: token, email } = user;
  const buy = () => shop.buy(token);
  const status = () => shop.status(token);

  // The response is lost after the effect; the library retries with the same idempotency key.
  for (const where of ['/v1/customers', '/v1/checkout/sessions'])
    await control('fault', { kind: 'cut', path: where, method: 'POST', count: 1 });
  const answers = await Promise.all(Array.from({ length: 100 }, buy));
  t.same(new Set(answers.map((answer) => answer.status)), new Set([201]));
  t.equal(new Set(answers.map(({ body }) => body.url)).size, 1);
  const count = async (list: string) => {
    const headers = { authorization: `Bearer ${sandbox.secretKey}` };
    const answer = await fetch(`${sandbox.apiBase}/v1/${list}`, { headers });
    return JSON.parse(await answer.text()).data.length;
  };
  t.same([await count('customers'), await count('checkout/sessions?status=open')], [1, 1]);

  await control('fault', { kind: 'away', path: '/v1/', method: null, count: 20 });
  const unavailable = await call('POST', path('checkout-session'), {
    token,
    body: { packageId: FAMILY_PACKAGE_ID, interval: 'month' },
  });
  t.same([unavailable.status, unavailable.body.code], [503, 'PROVIDER_UNAVAILABLE']);
  await control('no-faults', {});
  t.same((await buy()).body, answers[0]?.body);

  const { url } = answers[0]?.body ?? {};
  const paid = await press(url, 'pay');
  t.equal(paid.headers.get('location'), 'https://qr.example.org/app/subscription/checkout/done');
  t.equal((await buy()).body.code, 'ALREADY_SUBSCRIBED');
  const bought = await status();
  t.match(bought, { status: 'ACTIVE', price: 300, package: { code: 'PERSONAL' } });
  const [invoice] = await waitFor(async () => {
    const { data } = (await call('GET', path('invoices'), { token })).body;
    return data.length === 1 && data;
  });
  t.match(invoice, { status: 'PAID', total: 300, subscriptionId: bought.id });
  const page = await call('GET', path(`invoices/${invoice.id}/page`), { token });
  t.equal((await fetch(page.body.url)).status, 200);
  const receipt = await waitFor(() => getMailBySubject(email, /payment of €3\.00/));
  t.match(receipt?.text, 'You paid €3.00 for the “Personal” plan');
  t.match(receipt?.text, 'View the invoice or download it as a PDF:');
  const [invoiceLink = ''] = /\/s\/o\/[\w.-]+/.exec(receipt?.text ?? '') ?? [];
  const led = await call('GET', invoiceLink);
  t.same([led.status, led.headers.location], [303, page.body.url], 'the receipt leads to the invoice');
  t.match(led.headers, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  const where = { id: invoice.id };
  const { provider, providerId } = await database.client.paymentInvoice.findUniqueOrThrow({ where });
  for (const [reason, data] of [
    ['an invoice without a page', { providerId: 'in_unknown' }],
    ['a provider that is not configured', { provider: 'stripe' }],
  ] as const) {
    await database.client.paymentInvoice.update({ where, data });
    const gone = await call('GET', invoiceLink);
    t.match(gone, { status: 404, text: 'This invoice isn’t available online anymore.' }, reason);
    await database.client.paymentInvoice.update({ where, data: { provider, providerId } });
  }

  const input = { packageId: FAMILY_PACKAGE_ID, interval: 'year' };
  const preview = await call('POST', path('change/preview'), { token, body: input });
  t.match(preview.body, { perPeriod: 6000 });
  const { previewedAt, dueNow } = preview.body;
  const changed = await call('POST', path('change'), { token, body: { ...input, previewedAt } });
  t.match(changed.body, { price: 6000, package: { code: 'FAMILY' } });
  await waitFor(async () => {
    const { data } = (await call('GET', path('invoices'), { token })).body;
    return data.some(({ amountPaid }: { amountPaid: number }) => amountPaid === dueNow);
  });
  t.match((await call('POST', path('portal-session'), { token })).body, { url: /^http:\/\/127\.0\.0\.1:/ });
  t.match((await call('DELETE', path(`cancel/${bought.id}`), { token })).body, { cancelAtPeriodEnd: true });
  t.match((await call('POST', path(`${bought.id}/keep`), { token })).body, { cancelAtPeriodEnd: false });

  await eraseAccountOf(shop, user);
  await waitForErasures(shop);
  t.same([await count('customers'), await count('subscriptions?status=active')], [0, 0]);

  const { client } = database;
  const { services } = shop;
  const other = await shop.subscriber();
  const listRows = async (provider: string) => [
    await client.subscription.count({ where: { provider } }),
    await client.paymentCustomer.count({ where: { provider } }),
    await client.paymentPrice.count({ where: { provider } }),
  ];
  const sellBy = (secretKey: string) =>
    deleteTestModePurchases({
      ...services,
      payments: createStripePaymentProvider({ ...sandbox, secretKey }),
    });
  t.match(
    [await client.subscription.count({ where: { accountId: userId } }), await listRows('sandbox')],
    [1, [2, 1, 2]],
  );
  await deleteTestModePurchases(services);
  t.match(await shop.status(other.token), { status: 'ACTIVE', package: { code: 'PERSONAL' } });
  await sellBy('sk_test_0123456789');
  t.match(await shop.status(other.token), { status: 'NONE', package: { code: 'FREE' } }, 'nothing was paid');
  t.same(await listRows('sandbox'), [0, 0, 0]);
  t.equal(await client.webhookEvent.count(), 0);
  t.equal((await call('GET', path('invoices'), { token: other.token })).body.pagination.total, 0);

  const inTest = { accountId: other.id, provider: 'stripe-test', customerId: 'cus_test' };
  await client.paymentCustomer.create({ data: inTest });
  await sellBy('sk_test_0123456789');
  t.equal((await listRows('stripe-test'))[1], 1, 'test mode keeps its own');
  await sellBy('sk_live_0123456789');
  t.equal((await listRows('stripe-test'))[1], 0);
});
