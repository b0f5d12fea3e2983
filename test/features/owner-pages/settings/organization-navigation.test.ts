import { ACCOUNT_ROLES, type AccountRole } from '../../../../src/shared/account-roles.ts';
import type { TestApp } from '../../../helper.ts';
import { insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import { PERSONAL_PACKAGE_ID, startShop } from '../../billing/subscriptions/shop-helper.ts';
import type { TestBrowser } from '../browser.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const shop = await startShop(t);
const { database } = shop;

async function joinOrganization(role: AccountRole, test: TestApp = shop) {
  const user = await test.createUser();
  const id = await insertOrganization(test, { members: [{ userId: user.id, role }] });
  return { user, id, browser: await signInBrowser(test, user), settings: `/app/${user.id}/settings` };
}

const listAddresses = (text: string, attribute = 'href') =>
  [...text.matchAll(new RegExp(` ${attribute}="(/app[^"?#]*)`, 'g'))].map(([, address = '']) => address);

async function findClosed(browser: TestBrowser, addresses: readonly string[]) {
  const closed: string[] = [];
  for (const address of addresses) {
    const { status } = await browser.open(address);
    if (status !== 200) closed.push(`${status} ${address}`);
  }
  return closed;
}

t.test('each role opens the organization from its list, and whatever the page leads to', async (t) => {
  for (const role of ACCOUNT_ROLES) {
    const { id, browser, settings } = await joinOrganization(role);
    await browser.open(`${settings}/organizations`);
    const [entry = ''] = listAddresses(browser.main).filter((address) => address.includes(id));
    t.equal((await browser.open(entry)).status, 200, `${role}: ${entry}`);
    const navigation = /<nav class="nav".*?<\/nav>/s.exec(browser.page.text)?.[0] ?? '';
    t.same(await findClosed(browser, listAddresses(navigation)), [], `navigation of ${role}`);

    await browser.open(`${settings}/organizations/${id}`);
    const links = listAddresses(browser.main);
    t.same(await findClosed(browser, links), [], `page of the organization for ${role}`);
    const plan = `/app/${id}/settings/plan`;
    const developers = `/app/${id}/developers`;
    t.equal(links.includes(plan), ['OWNER', 'MANAGER', 'BILLING'].includes(role), `plan for ${role}`);
    t.equal(links.includes(developers), ['OWNER', 'MANAGER', 'EDITOR'].includes(role), `keys for ${role}`);
  }
});

t.test(
  'the tabs of an organization lead to its plan and keys, and to the settings of the user',
  async (t) => {
    const { id, browser, settings } = await joinOrganization('OWNER');
    const expected = [
      settings,
      `${settings}/security`,
      `${settings}/notifications`,
      `${settings}/organizations`,
      `/app/${id}/settings/plan`,
      `${settings}/data`,
      `/app/${id}/developers`,
    ];
    const listTabs = () => listAddresses(/<ul class="tabs">.*?<\/ul>/s.exec(browser.main)?.[0] ?? '');
    for (const path of ['settings/plan', 'developers']) {
      await browser.open(`/app/${id}/${path}`);
      t.same(listTabs(), expected, path);
      t.match(browser.main, `<a href="${settings}/organizations/${id}">Organization</a>`, 'whose they are');
      t.same(await findClosed(browser, expected), []);
    }
    const billing = await joinOrganization('BILLING');
    await billing.browser.open(`/app/${billing.id}/settings/plan`);
    const tabs = /<ul class="tabs">.*?<\/ul>/s.exec(billing.browser.main)?.[0] ?? '';
    t.notMatch(tabs, '/developers', 'which a BILLING member does not read');
    t.same(await findClosed(billing.browser, listAddresses(tabs)), []);
  },
);

t.test('the palette leads each role to pages that it may open', async (t) => {
  for (const role of ACCOUNT_ROLES) {
    const { user, id, browser } = await joinOrganization(role);
    for (const accountId of [user.id, id]) {
      const { status, text } = await browser.open(`/app/${accountId}/palette?search=e`);
      const isOpen = accountId === user.id || role !== 'BILLING';
      t.equal(status, isOpen ? 200 : 404, role);
      if (!isOpen) continue;
      const addresses = listAddresses(text, 'data-href');
      t.ok(addresses.length > 0);
      t.same(
        await findClosed(browser, addresses),
        [],
        `${role} of ${accountId === id ? 'it' : 'themselves'}`,
      );
    }
  }
  const { user, browser } = await joinOrganization('OWNER');
  const { text } = await browser.open(`/app/${user.id}/palette?search=develop`);
  t.same(listAddresses(text, 'data-href'), [`/app/${user.id}/developers`]);
});

t.test('whoever paid for an organization returns to its plan, if they may read it', async (t) => {
  const { user, id, browser } = await joinOrganization('BILLING');
  const plan = `/app/${id}/settings/plan`;
  await browser.open(plan);
  const { fields } = browser.readForm('/checkout');
  const choice = {
    token: fields.token ?? '',
    packageId: PERSONAL_PACKAGE_ID,
    interval: 'month',
    currency: 'EUR',
  };
  const body = String(new URLSearchParams(choice));
  t.equal((await browser.open(`${plan}/checkout`, { method: 'POST', body })).status, 200, browser.main);
  const { sessionId } = await database.client.checkoutSession.findFirstOrThrow({ where: { accountId: id } });
  const order = shop.fake.pages.get(sessionId ?? '')?.order;
  t.match(order, {
    successUrl: `https://qr.example.org/app/subscription/checkout/done?account=${id}`,
    cancelUrl: `https://qr.example.org/app/subscription/checkout/back?account=${id}`,
  });
  shop.fake.pay(sessionId ?? '');
  await browser.open(`/app/subscription/checkout/done?account=${id}`);
  t.equal(browser.path, `${plan}?done=plan-changed`);
  await browser.open(`/app/subscription/portal/back?account=${id}`);
  t.equal(browser.path, `${plan}?done=portal`);

  const own = `/app/${user.id}/settings/plan`;
  const foreign = await insertOrganization(shop);
  const viewed = await insertOrganization(shop, { members: [{ userId: user.id, role: 'VIEWER' }] });
  for (const account of [foreign, viewed, 'https://evil.example', '']) {
    await browser.open(`/app/subscription/checkout/back?${new URLSearchParams({ account })}`);
    t.equal(browser.path, `${own}?done=left`, account);
  }
});

t.test('whoever paid for an organization returns to its plan, whatever it requires by then', async (t) => {
  const { user, id, browser } = await joinOrganization('BILLING');
  const plan = `/app/${id}/settings/plan`;
  const change = (data: { status?: string; enterpriseMode?: boolean }) =>
    database.client.account.update({ where: { id }, data });
  await change({ enterpriseMode: true });
  await browser.open(`/app/subscription/checkout/back?account=${id}`);
  const enrollment = `/app/${user.id}/settings/security/second-factor`;
  t.equal(browser.path, `${enrollment}?to=${encodeURIComponent(`${plan}?done=left`)}`);
  await change({ enterpriseMode: false, status: 'SUSPENDED' });
  await browser.open(`/app/subscription/checkout/back?account=${id}`);
  t.equal(browser.path, `${plan}?done=left`);
  t.equal(browser.title, 'This organization is suspended');
});

t.test('the portal returns to the plan of the organization, and to that of a user as before', async (t) => {
  const { user, id } = await joinOrganization('OWNER');
  for (const accountId of [id, user.id]) {
    const customer = { accountId, provider: shop.fake.provider.name, customerId: `cus_${accountId}` };
    await database.client.paymentCustomer.create({ data: customer });
  }
  const query = { [id]: `?account=${id}`, [user.id]: '' };
  for (const accountId of [id, user.id]) {
    const options = { token: user.accessToken, headers: { 'account-id': accountId }, body: {} };
    const opened = await shop.call('POST', '/api/subscription/portal-session', options);
    t.match(opened.text, `/app/subscription/portal/back${query[accountId]}"`);
  }
});
