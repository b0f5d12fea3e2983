import { startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';
import { TestBrowser } from './browser.ts';

t.test('an account is created, left and entered again without a script', async (t) => {
  const test = await startTestApp(t);
  const browser = new TestBrowser(test);
  await browser.open('/app');
  t.equal(browser.title, 'Sign in', 'whoever is not signed in signs in first');
  await browser.open('/app/sign-up');
  await browser.send('/sign-up', {
    firstName: 'Ada',
    lastName: '',
    email: 'ada@example.org',
    password: 'short',
  });
  t.equal(browser.page.status, 400);
  t.match(browser.main, /Please fill this in\..*This is too short\./s, 'each error stands at its field');
  t.match(browser.main, 'value="ada@example.org"', 'what was entered is still there');
  await browser.send('/sign-up', {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.org',
    password: TEST_PASSWORD,
    timeZone: 'Europe/Lisbon',
  });
  t.equal(browser.path, '/app/sign-up/code');
  t.match(browser.main, 'ada@example.org');
  await browser.send('/code', { code: '000000' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'This code is wrong or too old.');
  await browser.send('/code', { code: (await test.getOtp('ada@example.org')).replace(/(...)/, '$1 ') });
  t.equal(browser.title, 'Home');
  const user = await test.database.client.user.findUniqueOrThrow({ where: { email: 'ada@example.org' } });
  t.equal(browser.path, `/app/${user.id}`);
  t.match(user, { firstName: 'Ada', status: 'ACTIVE', timeZone: 'Europe/Lisbon' });
  t.match(browser.page.headers, { 'cache-control': 'no-store' });

  const session = browser.cookies.get('__Host-session') ?? '';
  await browser.send('/sign-out');
  t.equal(browser.title, 'Sign in');
  t.notOk(browser.cookies.has('__Host-session'));
  browser.cookies.set('__Host-session', session);
  await browser.open(`/app/${user.id}`);
  t.equal(browser.title, 'Sign in', 'the cookie of an ended session opens nothing');

  await browser.send('/sign-in', { email: 'ada@example.org', password: 'wrong password' });
  t.equal(browser.page.status, 401);
  t.match(browser.main, 'Email address and password don’t match.');
  await browser.send('/sign-in', { email: 'ada@example.org', password: TEST_PASSWORD });
  t.equal(browser.path, `/app/${user.id}`, 'it leads to what was wanted');
  t.not(browser.cookies.get('__Host-session'), session);
});
