import { startStripeEmulator } from '@qr-profile-service/stripe-emulator';
import { createStripePaymentProvider } from '../../../../src/providers/payments/stripe/stripe-payment-provider.ts';
import { findFreePort } from '../../../../src/start/find-free-port.ts';
import { BROWSER_SKIP_REASON } from '../../../browser.ts';
import { SILENT_LOG } from '../../../packages/stripe-emulator/helper.ts';
import { t } from '../../../tap.ts';
import { startJourney } from './start-journey.ts';

t.test('a plan is bought, changed and canceled', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const port = await findFreePort();
  const webhookUrl = `http://127.0.0.1:${port}/api/webhooks/stripe`;
  const emulator = await startStripeEmulator({ webhookUrl, store: null, production: false, log: SILENT_LOG });
  t.teardown(() => emulator.close());
  const payments = createStripePaymentProvider({ ...emulator, isSandbox: true });
  const { page, check, follow, press, expect } = await startJourney(t, { port, services: { payments } });
  await follow('Settings');
  await follow('Plan');
  await expect('There are no invoices yet.');
  await check('the plans');
  await press('€3.00 a month');
  await press('Pay');
  await expect('Your plan is changed.');
  await expect('It renews on');
  await check('a plan');
  await page
    .getByRole('link', { name: /, Family$/ })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Change to Family' }).waitFor();
  await check('the price of a change');
  await press('Change my plan');
  await expect('Your plan is changed.');
  await press('Cancel the subscription');
  await expect('Your subscription is canceled.');
  await press('Keep the subscription');
  await expect('Your subscription goes on.');
  const invoice = page.locator('main td a').first();
  await invoice.click();
  await page.waitForURL((url) => url.port !== String(port));
});
