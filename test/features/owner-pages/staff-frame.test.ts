import { buildApp } from '../../../src/app.ts';
import { TEST_PASSWORD, type TestApp, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { enableSecondFactor, generateUnusedTotpCode } from '../identity/second-factor/helper.ts';
import { TestBrowser } from './browser.ts';
import { signInBrowser } from './signed-in-browser.ts';
import { HOSTILE, startStaff } from './staff-helper.ts';

const NAVIGATION = /<nav class="nav[^"]*"[^>]*>.*?<\/nav>/s;

t.test('an administrator finds the pages of staff from their own, and the way back', async (t) => {
  const test = await startStaff(t);
  const { user, browser } = await test.signIn('ADMIN');
  await browser.open('/app');
  t.match(browser.page.text, /<a href="\/app\/staff">Staff<\/a>/);
  await browser.open('/app/staff');
  t.equal(browser.path, '/app/staff/reports', 'the first that the role may see');
  t.equal(browser.title, 'Reports');
  const [navigation = ''] = NAVIGATION.exec(browser.page.text) ?? [];
  t.match(navigation, 'aria-label="Pages for staff"');
  t.match(navigation, '<a href="/app/staff/reports" aria-current="page">Reports</a>');
  t.match(navigation, '<a href="/app">My own pages</a>');
  t.notMatch(navigation, user.id, 'nothing of their own');
  t.match(browser.page.headers, { 'cache-control': 'no-store' });
});

t.test('the pages of staff do not exist for others, who see no link to them', async (t) => {
  const test = await startStaff(t);
  for (const role of ['USER', 'SUPPORT', 'AUDITOR'] as const) {
    const { browser } = await test.signIn(role);
    if (role === 'USER') {
      await browser.open('/app');
      t.notMatch(browser.page.text, '/app/staff');
      t.equal((await browser.open('/app/staff')).status, 404);
    }
    const trail = await captureAuditEntries(test, async () => {
      t.equal((await browser.open('/app/staff/reports')).status, 404, role);
    });
    t.match(trail, [{ action: 'ACCESS_DENIED', outcome: 'DENIED' }], 'as with the API');
    t.notMatch(browser.main, 'Reports');
  }
  const stranger = new TestBrowser(test);
  await stranger.open('/app/staff/reports');
  t.equal(stranger.title, 'Sign in');
  const browser = await signInBrowser(test, { email: 'auditor@example.org' });
  for (const path of ['/app/staff/inbox', '/app/staff/settings', '/app/staff/unknown'])
    t.equal((await browser.open(path)).status, 404, path);
});

t.test('in production, staff without a second factor are led to setting one up', async (t) => {
  const test = await startStaff(t);
  const { services } = test;
  const app = await buildApp({ ...services, config: { ...services.config, production: true } }, false);
  t.teardown(() => app.close());
  const call: TestApp['call'] = async (method, url, { body, headers } = {}) => {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: { host: 'localhost', ...headers },
      ...(body !== undefined && { payload: String(body) }),
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      body: undefined,
    } as TestResponse;
  };
  const admin = await test.createUser({ email: 'admin@example.org', role: 'ADMIN' });
  const browser = await signInBrowser({ call }, admin);
  for (const path of ['/app/staff', '/app/staff/reports']) {
    await browser.open(path);
    t.match(browser.path, `/app/${admin.id}/settings/security/second-factor?to=${encodeURIComponent(path)}`);
    t.match(browser.main, 'Set up a second factor for this account before you go on.');
  }
  const { secret } = await enableSecondFactor(test, admin);
  await browser.open('/app/staff/reports');
  await browser.send('/sign-in', { email: admin.email, password: TEST_PASSWORD });
  await browser.send('/second-factor', { code: await generateUnusedTotpCode(test, secret) });
  t.equal(browser.title, 'Reports');
});

t.test('the navigation counts what waits for a decision', async (t) => {
  const test = await startStaff(t);
  const { browser } = await test.signIn('ADMIN');
  await browser.open('/app/staff/reports');
  t.match(browser.main, 'Nobody has reported a code.');
  await test.report(await test.createCode({ title: HOSTILE }));
  await test.report(await test.createCode({ title: 'Bella' }));
  await browser.open('/app/staff/reports');
  t.match(browser.page.text, '<span class="visually-hidden"> 2 to decide</span>');
  t.notMatch(browser.page.text, '<img src=x', 'titles are text');
  t.match(browser.main, /Bella.*Pet · reported once · last on .*Fraud or scam/s);
  await browser.open('/app/staff/reports?status=DECIDED');
  t.match(browser.main, 'Nothing was decided yet.');
});
