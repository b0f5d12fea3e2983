import { formatAmount } from '../../../packages/stripe-emulator/src/money.ts';
import { t } from '../../tap.ts';
import { createPrice, DAY_SECONDS, startSandbox } from './helper.ts';

/** A browser that presses buttons by their labels and does not follow redirects. */
function browser(base: string) {
  const see = async (url: string) => {
    const answer = await fetch(new URL(url, base), { redirect: 'manual' });
    return { answer, text: await answer.text() };
  };
  const post = async (path: string, fields: URLSearchParams, origin = base) => {
    const headers = { origin };
    const answer = await fetch(new URL(path, base), {
      method: 'POST',
      body: fields,
      redirect: 'manual',
      headers,
    });
    return { status: answer.status, next: answer.headers.get('location') ?? '' };
  };
  const press = async (url: string, label: string, more: Record<string, string> = {}) => {
    const { text } = await see(url);
    const form =
      text.split('<form').find((one) => one.split('</form>')[0]?.includes(`>${label}</button>`)) ?? '';
    const fields = new URLSearchParams(more);
    for (const [, name = '', value = ''] of form.matchAll(
      /<input type="hidden" name="(\w+)" value="([^"]*)">/g,
    ))
      fields.set(name, value);
    const named = new RegExp(`<button name="(\\w+)" value="([^"]*)">${label}</button>`).exec(form);
    if (named) fields.set(named[1] ?? '', named[2] ?? '');
    return post(/action="([^"]*)"/.exec(form)?.[1] ?? 'no form', fields);
  };
  return { see, post, press };
}

t.test('shows amounts as charged, also of zero-decimal currencies in hundredths', async (t) => {
  t.equal(formatAmount(300, 'eur'), '€3.00');
  t.match(formatAmount(50_000, 'isk'), /\D500$/);
  t.match(formatAmount(15_000, 'mga'), /\D15,000$/);
});

t.test('a purchase works on pages without scripts', async (t) => {
  const { stripe, control, apiBase, pageUrl } = await startSandbox(t);
  const { see, post, press } = browser(apiBase);
  const price = await createPrice(stripe, 123_456, { name: '<b>Family</b>' });
  const customer = await stripe.customers.create({ email: 'ada@example.org' });
  const open = async () =>
    stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      locale: 'de',
      line_items: [{ price: price.id }],
      success_url: 'https://qr.example.org/done?session={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://qr.example.org/back',
    });
  const session = await open();
  const page = String(session.url);
  const getState = async () => (await stripe.checkout.sessions.retrieve(session.id)).status;

  const { answer, text } = await see(page);
  t.match(
    answer.headers.get('content-security-policy'),
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action/,
  );
  t.match(text, 'Sandbox, no money moves');
  t.match(text, '1.234,56');
  t.notMatch(text, /<b>|<script|Pay with/);
  t.same(await press(page, 'Go back'), { status: 303, next: 'https://qr.example.org/back' });
  const failed = await press(page, 'Payment fails');
  t.match((await see(failed.next)).text, 'The card was declined. Nothing was paid.');
  const confirmation = await press(page, 'Payment needs confirmation');
  const refused = await press(confirmation.next, 'Refuse');
  t.match((await see(refused.next)).text, 'Nothing was paid.');
  t.equal(await getState(), 'open');
  const foreign = await post(
    new URL(page).pathname,
    new URLSearchParams({ do: 'pay' }),
    'https://evil.example',
  );
  t.equal(foreign.status, 403);
  t.equal(await getState(), 'open');
  const done = { status: 303, next: `https://qr.example.org/done?session=${session.id}` };
  t.same(await press(page, 'Pay'), done);
  t.equal(await getState(), 'complete');
  t.same(
    await post(new URL(page).pathname, new URLSearchParams({ do: 'pay' })),
    done,
    'a second payment is ignored',
  );
  t.equal((await stripe.subscriptions.list({ customer: customer.id })).data.length, 1);
  t.match((await see(page)).text, 'This has been paid.');
  const confirmed = await open();
  const question = await press(String(confirmed.url), 'Payment needs confirmation');
  t.match((await press(question.next, 'Confirm')).next, confirmed.id);
  const second = String((await stripe.checkout.sessions.retrieve(confirmed.id)).subscription);
  await stripe.subscriptions.cancel(second);

  const portal = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    return_url: 'https://qr.example.org/me',
  });
  t.match((await see(portal.url)).text, 'https://qr.example.org/me');
  await press(portal.url, 'Use this card', { card: 'declines' });
  await press(portal.url, 'End it with the period');
  const [subscription] = (await stripe.subscriptions.list({ customer: customer.id })).data;
  t.equal(subscription?.cancel_at_period_end, true);
  await press(portal.url, 'Keep it');
  t.same(await press(pageUrl, '31 days'), { status: 303, next: '/' });
  t.equal((await stripe.subscriptions.retrieve(String(subscription?.id))).status, 'past_due');
  t.match((await see(pageUrl)).text, 'past_due');

  const [invoice] = (await stripe.invoices.list({ customer: customer.id, status: 'open' })).data;
  const invoicePage = String(invoice?.hosted_invoice_url);
  await press(invoicePage, 'Pay with a card that pays');
  t.equal((await stripe.invoices.retrieve(String(invoice?.id))).status, 'paid');
  await press(invoicePage, 'As the seller: give the money back');
  t.equal((await stripe.refunds.list()).data[0]?.amount, 123_456);
  await press(pageUrl, 'Use this card', { card: 'confirms' });
  await control('clock', { seconds: 31 * DAY_SECONDS });
  const [next] = (await stripe.invoices.list({ customer: customer.id, status: 'open' })).data;
  const nextPage = String(next?.hosted_invoice_url);
  t.match((await see((await press(nextPage, 'Refuse it')).next)).text, 'declined');
  await press(nextPage, 'Confirm the payment');
  await press(nextPage, 'As the bank: dispute the payment');
  t.equal((await stripe.disputes.list()).data[0]?.amount, 123_456);

  for (const path of ['/nothing', '/checkout/cs_test_x', '/checkout', '/portal/a/b', '/%'])
    t.equal((await see(path)).answer.status, 404, path);
  t.equal((await post('/', new URLSearchParams({ do: 'clock', days: '-1' }))).status, 400);
});
