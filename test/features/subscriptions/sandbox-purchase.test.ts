import t from 'tap';
import { createStripePayments } from '../../../src/providers/payments/stripe/stripe-payments.ts';
import { freePort } from '../../../src/sandbox/free-port.ts';
import { startPaymentSandbox } from '../../../src/sandbox/payments/start-payment-sandbox.ts';
import { startApp } from '../../helper.ts';
import { erase, erasuresFinished, until } from '../personal-data/helper.ts';
import { FAMILY, PERSONAL } from './shop.ts';

t.test('a purchase by the provider’s own library, from the button to the receipt and the end', async (t) => {
  const port = await freePort();
  const log = { info() {}, warn() {}, error() {} };
  const webhookUrl = `http://127.0.0.1:${port}/api/webhooks/stripe`;
  const sandbox = await startPaymentSandbox({ webhookUrl, dataDir: null, production: false, log });
  t.after(() => sandbox.close());
  const payments = createStripePayments({ ...sandbox, isSandbox: true });
  const test = await startApp(t, {}, { payments });
  await test.app.listen({ host: '127.0.0.1', port });
  const { call, mailAbout } = test;
  const control = (name: string, body: object) =>
    fetch(`${sandbox.apiBase}/sandbox/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(async (answer) => JSON.parse(await answer.text()));

  const person = await test.person();
  const { accessToken: token, email } = person;
  const path = (rest: string) => `/api/subscription/${rest}`;
  const buy = () =>
    call('POST', path('checkout-session'), { token, body: { packageId: PERSONAL, interval: 'month' } });
  const status = async () => (await call('GET', path('status'), { token })).body;

  // Done at the provider, and the answer lost: the library and the key of the page see to it.
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
  const away = await call('POST', path('checkout-session'), {
    ...{ token, body: { packageId: FAMILY, interval: 'month' } },
  });
  t.same([away.status, away.body.code], [503, 'PROVIDER_UNAVAILABLE']);
  await control('no-faults', {});
  t.same((await buy()).body, answers[0]?.body);

  const { url } = answers[0]?.body ?? {};
  const paid = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(url).origin },
    body: new URLSearchParams({ do: 'pay' }),
  });
  t.equal(paid.headers.get('location'), 'https://qr.example.org/api/subscription/checkout/done');
  t.equal((await buy()).body.code, 'ALREADY_SUBSCRIBED');
  const bought = await status();
  t.match(bought, { state: 'ACTIVE', price: 300, package: { code: 'PERSONAL' } });
  const [invoice] = await until(async () => {
    const { data } = (await call('GET', path('invoices'), { token })).body;
    return data.length === 1 && data;
  });
  t.match(invoice, { state: 'PAID', total: 300, subscriptionId: bought.id });
  const page = await call('GET', path(`invoices/${invoice.id}/page`), { token });
  t.equal((await fetch(page.body.url)).status, 200);
  const receipt = await until(() => mailAbout(email, /payment of €3\.00/));
  t.match(receipt?.text, 'You paid €3.00 for “Personal”');

  const wish = { packageId: FAMILY, interval: 'year' };
  const preview = await call('POST', path('change/preview'), { token, body: wish });
  t.match(preview.body, { perPeriod: 6000 });
  const { previewedAt, dueNow } = preview.body;
  const changed = await call('POST', path('change'), { token, body: { ...wish, previewedAt } });
  t.match(changed.body, { price: 6000, package: { code: 'FAMILY' } });
  await until(async () => {
    const { data } = (await call('GET', path('invoices'), { token })).body;
    return data.some(({ amountPaid }: { amountPaid: number }) => amountPaid === dueNow);
  });
  t.match((await call('POST', path('portal-session'), { token })).body, { url: /^http:\/\/127\.0\.0\.1:/ });
  t.match((await call('DELETE', path(`cancel/${bought.id}`), { token })).body, { cancelAtPeriodEnd: true });
  t.match((await call('POST', path(`${bought.id}/keep`), { token })).body, { cancelAtPeriodEnd: false });

  await erase(test, person);
  await erasuresFinished(test);
  t.same([await count('customers'), await count('subscriptions?status=active')], [0, 0]);
});
