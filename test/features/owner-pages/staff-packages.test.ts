import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { signInBrowser } from './signed-in-browser.ts';

const PATH = '/app/staff/packages';

async function startAsAdministrator(t: Parameters<typeof startTestApp>[0]) {
  const test = await startTestApp(t);
  const admin = await test.createUser({ role: 'ADMIN' });
  const { body } = await test.call('GET', '/api/admin/packages', { token: admin.accessToken });
  const getId = (code: string): string =>
    body.data.find((one: { code: string }) => one.code === code)?.id ?? '';
  const read = async (code: string) => {
    const answer = await test.call('GET', '/api/admin/packages', { token: admin.accessToken });
    return answer.body.data.find((one: { code: string }) => one.code === code);
  };
  return { test, getId, read, browser: await signInBrowser(test, admin) };
}

t.test('an administrator finds the packages; one that is not changed stays as it is', async (t) => {
  const { test, browser, getId, read } = await startAsAdministrator(t);
  const listed = await captureAuditEntries(test, () => browser.open(PATH));
  t.match(listed, [{ action: 'ADMIN_PACKAGES_READ' }]);
  const before = await read('PERSONAL');
  const path = `${PATH}/${getId('PERSONAL')}`;
  t.match(browser.main, `href="${path}"`);
  await browser.open(path);
  t.match(browser.main, 'Who has bought this plan keeps their price', 'what will happen is said before');
  const same = await captureAuditEntries(test, () =>
    browser.fill(path, before.onOffer ? { onOffer: 'yes' } : {}),
  );
  t.equal(browser.path, `${PATH}?done=saved`);
  t.notMatch(same, [{ action: 'PACKAGE_CHANGED' }]);
  t.same(await read('PERSONAL'), before, 'nothing was changed');
});

t.test('a package is saved with a new version, unless somebody else changed it', async (t) => {
  const { test, browser, getId, read } = await startAsAdministrator(t);
  const path = `${PATH}/${getId('PERSONAL')}`;
  await browser.open(path);
  const trail = await captureAuditEntries(test, () =>
    browser.fill(path, { 'limits.qrCodes': '300', 'names.de': '<b>Persönlich', onOffer: 'yes' }),
  );
  t.match(trail[0], { action: 'PACKAGE_CHANGED', changes: ['version 1 to 2', 'names', 'limits'] });
  t.match(browser.main, 'The plan is saved.');
  t.match(await read('PERSONAL'), { version: 2, limits: { qrCodes: 300 }, onOffer: true });
  await browser.open(path);
  t.notMatch(browser.page.text, '<b>Pers');
  await browser.fill(path, { version: '1', 'limits.qrCodes': '400', onOffer: 'yes' });
  t.equal(browser.page.status, 412);
  t.match(browser.main, 'Somebody else changed this plan');
  await browser.fill(path, { onOffer: 'yes' });
  t.match(await read('PERSONAL'), { version: 3, limits: { qrCodes: 400 } });
});

t.test('what is wrong is refused at its field', async (t) => {
  const { browser, getId, read } = await startAsAdministrator(t);
  const path = `${PATH}/${getId('PERSONAL')}`;
  await browser.open(path);
  await browser.fill(path, { 'names.en': '', 'limits.documents': 'many', 'prices[0].amount': '4.999' });
  t.equal(browser.page.status, 400);
  for (const field of ['names.en', 'limits.documents', 'prices[0].amount'])
    t.match(browser.main, `id="${field}-error"`);
  await browser.open(path);
  const { fields } = browser.readForm(path);
  const without = Object.keys(fields).filter((name) => name.endsWith('.amount'));
  await browser.fill(path, { ...Object.fromEntries(without.map((name) => [name, ''])), onOffer: 'yes' });
  t.match(browser.main, 'A plan on offer needs a price.');
  await browser.open(path);
  await browser.fill(path, { 'prices[0].currency': 'XQX', onOffer: 'yes' });
  t.match(browser.main, 'id="prices[0].currency-error"');
  t.match(await read('PERSONAL'), { version: 1 });
});

t.test('the free package has limits only', async (t) => {
  const { browser, getId, read } = await startAsAdministrator(t);
  const path = `${PATH}/${getId('FREE')}`;
  await browser.open(path);
  t.match(browser.main, 'A change applies at once to everybody without another plan.');
  t.notMatch(browser.main, 'name="prices[0].amount"');
  await browser.fill(path, { 'limits.qrCodes': '7', 'limits.storageBytes': '250,5' });
  t.match(await read('FREE'), { limits: { qrCodes: 7, storageBytes: 262_668_288 }, onOffer: true });
  await browser.open(`${PATH}/0123456789abcdef01234567`);
  t.equal(browser.page.status, 404);
});

t.test('only administrators have the page of packages', async (t) => {
  const test = await startTestApp(t);
  for (const role of ['USER', 'SUPPORT', 'AUDITOR'] as const) {
    const browser = await signInBrowser(test, await test.createUser({ role }));
    t.equal((await browser.open(PATH)).status, 404, role);
  }
});
