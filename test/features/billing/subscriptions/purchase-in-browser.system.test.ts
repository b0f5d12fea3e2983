import { startStripeEmulator } from '@qr-profile-service/stripe-emulator';
import type { Page } from 'playwright-core';
import { createStripePaymentProvider } from '../../../../src/providers/payments/stripe/stripe-payment-provider.ts';
import { findFreePort } from '../../../../src/start/find-free-port.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
} from '../../../browser.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { waitFor } from '../../personal-data/helper.ts';
import { PERSONAL_PACKAGE_ID } from './shop-helper.ts';

t.test('a purchase works in a browser on accessible pages', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const log = { info() {}, warn() {}, error() {} };
  const webhookUrl = `${base}/api/webhooks/stripe`;
  const sandbox = await startStripeEmulator({ webhookUrl, store: null, production: false, log });
  t.teardown(() => sandbox.close());
  const payments = createStripePaymentProvider({ ...sandbox, isSandbox: true });
  const { app, call, createUser, getMailBySubject } = await startTestApp(
    t,
    { PUBLIC_BASE_URL: base },
    { payments },
  );
  await app.listen({ host: '127.0.0.1', port });
  const { accessToken: token, email } = await createUser();
  const ask = async (method: 'GET' | 'POST', path: string, body?: object) =>
    (await call(method, `/api/subscription/${path}`, { token, ...(body ? { body } : {}) })).body;

  const open = await openBrowser(t);
  const page = await open({ locale: 'ar' });
  const otherTab = await page.context().newPage();
  const checkVisible = async (what: string, text: string | RegExp, where: Page = page) => {
    t.match(await where.textContent('main'), text, what);
    t.same(await findAccessibilityViolations(where), [], what);
    t.ok((await measureHorizontalOverflow(where)) <= 0, `${what}: nothing is beside the window`);
  };
  const press = (label: string) => page.click(`button:text-is("${label}")`);
  const returned = (name: string) => page.waitForURL(`${base}/app/subscription/${name}`);

  await page.goto(sandbox.pageUrl);
  t.match(await page.textContent('header'), 'Sandbox, no money moves');
  await checkVisible('the first page', 'Nobody has bought anything yet.');
  const { url } = await ask('POST', 'checkout-session', {
    packageId: PERSONAL_PACKAGE_ID,
    interval: 'month',
  });
  await page.goto(url);
  await otherTab.goto(url);
  await checkVisible('the page to pay on', 'to be paid now by');
  await press('Payment fails');
  await checkVisible('a declined card', 'The card was declined. Nothing was paid.');
  await press('Go back');
  await returned('checkout/back');
  await checkVisible('back', 'لم يُخصم أي مبلغ');
  await page.goto(url);
  await press('Payment needs confirmation');
  await checkVisible('the question', 'The bank asks');
  await press('Refuse');
  t.match(await ask('GET', 'status'), { status: 'NONE', package: { code: 'FREE' } });
  await press('Pay');
  await returned('checkout/done');
  await checkVisible('done', 'شكرًا لك');
  await otherTab.click('button:text-is("Pay")');
  await otherTab.waitForURL(`${base}/app/subscription/checkout/done`);
  await otherTab.goto(url);
  await checkVisible('the same page once more', 'This has been paid.', otherTab);

  await waitFor(async () => (await ask('GET', 'status')).status === 'ACTIVE');
  await waitFor(async () => (await ask('GET', 'invoices')).data[0]?.status === 'PAID');
  const invoices = (await ask('GET', 'invoices')).data;
  t.equal(invoices.length, 1, 'paid in two tabs is paid once');
  await page.goto((await ask('POST', 'portal-session')).url);
  await checkVisible('the portal', 'Your subscriptions');
  await page.selectOption('select', 'declines');
  await press('Use this card');
  await page.click('text=Go back');
  await returned('portal/back');
  await checkVisible('back from the portal', /./);
  await page.goto(sandbox.pageUrl);
  await press('31 days');
  await checkVisible('the first page, with a customer', 'past_due');
  await waitFor(async () => (await ask('GET', 'status')).status === 'PAST_DUE');
  const unpaid = await waitFor(async () => {
    const [newest] = (await ask('GET', 'invoices')).data;
    return newest.status === 'OPEN' && newest;
  });
  await page.goto((await ask('GET', `invoices/${unpaid.id}/page`)).url);
  await press('Pay with a card that pays');
  await waitFor(async () => (await ask('GET', 'status')).status === 'ACTIVE');
  await press('As the seller: give the money back');
  await checkVisible('an invoice that was given back', /Given back\s*€3\.00/);
  await waitFor(() => getMailBySubject(email, /payment of €3\.00/));
  await page.goto(`${base}/api/sandbox/mailbox`);
  await checkVisible('the mailbox', 'We received your payment of €3.00');
  await page.click('text=We received your payment >> nth=0');
  await checkVisible('a receipt', 'You paid €3.00 for the “Personal” plan');
  t.equal(await page.getAttribute('pre', 'dir'), 'auto', 'each line in its own direction');
  await page.goto(sandbox.pageUrl);
  await page.click('text=All that is in the sandbox');
  await page.waitForURL(sandbox.pageUrl);
});
