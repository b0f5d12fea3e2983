import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  FAMILY_PACKAGE_ID,
  PERSONAL_PACKAGE_ID,
  startShop,
} from '../../billing/subscriptions/shop-helper.ts';
import { signIn } from './helper.ts';

t.test('a plan is bought, changed, canceled and kept', async (t) => {
  const shop = await startShop(t);
  const { database, call, fake } = shop;
  const user = await shop.createUser();
  const browser = await signIn(shop, user);
  const path = `/app/${user.id}/settings/plan`;
  await browser.open(path);
  t.match(browser.main, /<b>[^<]+<\/b> · Free/);
  t.match(browser.main, 'There are no invoices yet.');

  const { token = '' } = browser.readForm('/checkout').fields;
  const choose = (fields: Record<string, string>) =>
    browser.open(`${path}/checkout`, {
      method: 'POST',
      body: String(new URLSearchParams({ token, ...fields })),
    });
  t.equal((await choose({ packageId: PERSONAL_PACKAGE_ID, interval: 'day' })).status, 400);
  await choose({ packageId: PERSONAL_PACKAGE_ID, interval: 'month', currency: 'EUR' });
  t.equal(browser.page.status, 200);
  const url = /<a class="act" href="([^"]*)"/.exec(browser.main)?.[1] ?? '';
  t.match(url, /^https:/);
  t.equal(browser.page.headers.refresh, `0;url=${url}`, 'a form cannot redirect to another site');
  const { sessionId } = await database.client.checkoutSession.findFirstOrThrow({
    where: { accountId: user.id },
  });
  await browser.open('/app/subscription/checkout/done');
  t.equal(browser.path, `${path}?done=paid`);
  t.match(browser.main, 'confirming your payment');
  fake.pay(sessionId ?? '');
  await browser.open('/app/subscription/checkout/done');
  t.equal(browser.path, `${path}?done=plan-changed`, 'without waiting for the webhook');
  t.match(browser.main, /€3\.00 a month/);
  t.match(browser.main, 'It renews on');
  t.equal(browser.findForm('/checkout'), null, 'nobody buys twice');

  await browser.open(`${path}/change?packageId=${FAMILY_PACKAGE_ID}&interval=month`);
  t.match(browser.title, 'Change to Family');
  await browser.send('/change');
  t.match(browser.main, 'Your plan is changed.');
  const status = async () =>
    (await call('GET', '/api/subscription/status', { token: user.accessToken })).body;
  t.match(await status(), { package: { code: 'FAMILY' } });
  await browser.open(`${path}/change?packageId=${FAMILY_PACKAGE_ID}&interval=month`);
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'You have this plan');

  await browser.open(path);
  await browser.send('/cancel');
  t.match(browser.main, 'Your subscription is canceled.');
  t.match(browser.main, 'It ends on');
  await browser.send('/keep');
  t.match(browser.main, 'Your subscription goes on.');
  t.match(await status(), { cancelAtPeriodEnd: false });
  await browser.send('/portal');
  t.match(browser.page.headers.refresh, /^0;url=https:/);

  const other = await signIn(shop, await shop.createUser());
  t.equal((await other.open(path)).status, 404);
});

t.test('where nothing is sold, the page says so', async (t) => {
  const test = await startTestApp(t, { BILLING: 'off' });
  const user = await test.createUser();
  const browser = await signIn(test, user);
  await browser.open(`/app/${user.id}/settings/plan`);
  t.match(browser.main, 'Nothing is sold here');
  t.match(browser.main, 'unlimited');
  t.notMatch(browser.main, '/checkout');
});

t.test('whoever paid without a session in this browser reads that, too', async (t) => {
  const { call } = await startTestApp(t);
  for (const path of ['checkout/done', 'checkout/back', 'portal/back'])
    t.equal((await call('GET', `/app/subscription/${path}`)).status, 200, path);
});
