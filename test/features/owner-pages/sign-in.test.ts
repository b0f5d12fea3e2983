import { t as translate } from '../../../src/shared/i18n/translate.ts';
import { startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';
import {
  enableSecondFactor,
  generateUnusedTotpCode,
  generateWrongTotpCode,
} from '../identity/second-factor/helper.ts';
import { CALLBACK_URL, startSignInApp } from '../identity/sign-in/helper.ts';
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

t.test('a second factor, or a recovery code, is asked for after the password', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const { secret, recoveryCodes } = await enableSecondFactor(test, user);
  const browser = new TestBrowser(test);
  const enterPassword = async () => {
    await browser.open(`/app/${user.id}/welcome`);
    await browser.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
    t.equal(browser.title, 'Enter your code');
    t.notOk(browser.cookies.has('__Host-session'));
  };
  await enterPassword();
  await browser.send('/second-factor', { code: generateWrongTotpCode(secret) });
  t.equal(browser.page.status, 401);
  t.match(browser.main, 'This code didn’t work.');
  await browser.send('/second-factor', { code: await generateUnusedTotpCode(test, secret) });
  t.equal(browser.path, `/app/${user.id}`, 'by way of what was wanted');
  t.ok(browser.cookies.has('__Host-session'));
  t.notOk(browser.cookies.has('__Host-sign-in-step'));

  await browser.send('/sign-out');
  await enterPassword();
  await browser.send('/second-factor', { switch: 'recovery' });
  t.match(browser.main, 'Recovery code');
  await browser.send('/second-factor', { recoveryCode: recoveryCodes[0] ?? '' });
  t.equal(browser.path, `/app/${user.id}`);

  await browser.send('/sign-out');
  await enterPassword();
  browser.cookies.delete('__Host-sign-in-step');
  await browser.send('/second-factor', { code: await generateUnusedTotpCode(test, secret) });
  t.match(browser.main, 'That took too long. Please sign in again.');
});

t.test('a forgotten password is replaced by the link of an email', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = new TestBrowser(test);
  const signedIn = new TestBrowser(test);
  await signedIn.open('/app/sign-in');
  await signedIn.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  await browser.open('/app/forgot-password');
  await browser.send('/forgot-password', { email: 'no address' });
  t.match(browser.page.status, 400);
  await browser.send('/forgot-password', { email: user.email });
  t.match(browser.main, 'If there’s an account with this address, a link is on its way.');
  const mail = await test.getMailBySubject(user.email, /password/i);
  const link = /https:\S+#token=[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
  t.match(link, /^https:\/\/qr\.example\.org\/app\/reset-password#token=/);
  await browser.open(link.replace('https://qr.example.org', '').split('#')[0] ?? '');
  await browser.send('/reset-password', { link, password: 'short' });
  t.match(browser.main, 'This is too short.');
  await browser.send('/reset-password', { link, password: 'a new and long password' });
  t.match(browser.main, 'Your new password is saved.');
  await signedIn.open(`/app/${user.id}`);
  t.equal(signedIn.title, 'Sign in', 'all sessions have ended');
  await browser.send('/sign-in', { email: user.email, password: 'a new and long password' });
  t.equal(browser.path, `/app/${user.id}`);
  await browser.send('/sign-out');
  await browser.open('/app/reset-password');
  await browser.send('/reset-password', { link, password: 'another long password' });
  t.match(browser.main, 'This link was used already, or is too old.');
});

t.test('an account of a provider signs in, and an attempt from elsewhere does not', async (t) => {
  const frontEnds: Record<string, string>[] = [
    {},
    { FRONTEND_URL: 'https://app.example.org/base', OWNER_PAGES: 'on' },
  ];
  for (const frontEnd of frontEnds) {
    const test = await startSignInApp(t, { FRONTEND_URL: '', ...frontEnd });
    const { provider } = test;
    const ada = { sub: '1001', email: 'ada@example.org', given_name: 'Ada', family_name: 'Lovelace' };
    const browser = new TestBrowser(test);
    const goToProvider = async () => {
      await browser.open('/app/sign-in?to=/app/sign-up');
      t.match(browser.main, 'Continue with Google');
      await browser.open('/app/sign-in/provider?to=/app/sign-up');
      return provider.authorize(String(browser.page.headers.location), ada);
    };
    const answer = await goToProvider();
    const stranger = new TestBrowser(test);
    stranger.cookies.set('__Host-sign-in-target', '/app');
    stranger.cookies.set('__Host-sign-in', 'of-another-attempt');
    await stranger.open(`${CALLBACK_URL}?${new URLSearchParams(answer)}`);
    t.equal(stranger.title, 'Sign in');
    t.match(stranger.main, 'That sign-in has expired or began in another browser.');
    await browser.open(`${CALLBACK_URL}?${new URLSearchParams(await goToProvider())}`);
    t.match(browser.path, /^\/app\/[0-9a-f]{24}\/welcome\?to=%2Fapp%2Fsign-up$/);
    t.ok(browser.cookies.has('__Host-session'));
    t.notOk(
      [...browser.cookies.keys()].some((name) => name.startsWith('__Host-sign-in')),
      'no other cookie is left',
    );
    await browser.open('/app/sign-in/provider/done');
    t.equal(browser.page.status, 401, 'a code works once');
  }
});

t.test('pages speak the language of the browser, and later that of the account', async (t) => {
  const test = await startTestApp(t);
  const browser = new TestBrowser(test);
  await browser.open('/app/sign-in?lang=de');
  t.equal(browser.title, translate({ tag: 'de' }, 'signIn.title'));
  t.match(browser.main, '/app/sign-up?lang=de');
  await browser.open('/app/sign-up?lang=de');
  t.equal(browser.title, translate({ tag: 'de' }, 'signUp.title'));
  await browser.send('/sign-up', {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.org',
    password: TEST_PASSWORD,
  });
  t.equal(browser.path, '/app/sign-up/code?lang=de', 'it goes on in this language');
  await browser.send('/code', { code: await test.getOtp('ada@example.org') });
  t.match(browser.page.text, '<html lang="de"');
});
