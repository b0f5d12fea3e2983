import type { Test } from 'tap';
import { startTestApp, TEST_PASSWORD, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { queryDatabase } from '../../identity/accounts/helper.ts';
import { TestBrowser } from '../browser.ts';

const DOG = { 'data.name': 'Rex', 'data.owner.name': 'Anna', 'data.owner.phone': '+49 170 1234567' };

async function startBrowser(t: Test) {
  const test = await startTestApp(t);
  return { test, browser: new TestBrowser(test) };
}

async function signUp(test: TestApp, browser: TestBrowser, email: string) {
  await browser.send('/sign-up', { firstName: 'Ada', lastName: 'Byron', email, password: TEST_PASSWORD });
  await browser.send('/code', { code: await test.getOtp(email) });
}

t.test('the language that was chosen stays until the account is made', async (t) => {
  const { browser } = await startBrowser(t);
  await browser.open('/app/start?lang=de');
  t.match(browser.main, 'href="/app/start/pet?lang=de"');
  await browser.open('/app/start/pet?lang=de');
  await browser.fill('/start/pet', DOG);
  t.equal(browser.path, '/app/start/pet/photo?lang=de');
  t.match(browser.main, 'href="/app/sign-up?lang=de"');
});

t.test('somebody without an account fills in a code, sees its page, and signs up for it', async (t) => {
  const { test, browser } = await startBrowser(t);
  await browser.open('/');
  t.match(browser.main, 'href="/app/start?lang=en"');
  await browser.open('/app/start?lang=en');
  t.equal(browser.title, 'What should the code be on?');
  await browser.open('/app/start/pet');
  await browser.fill('/start/pet');
  t.equal(browser.page.status, 400);
  t.match(browser.main, /id="data\.name-error">Please fill this in/);
  const { fields } = browser.readForm('/start/pet');
  const body = String(new URLSearchParams({ ...fields, ...DOG }));
  const preview = await browser.open('/app/start/pet/preview', { method: 'POST', body });
  t.match(preview.text, '<h1>Rex');
  t.match(preview.headers, { 'content-security-policy': /frame-ancestors 'self'/ });

  await browser.open('/app/start/pet');
  await browser.fill('/start/pet', DOG);
  t.equal(browser.path, '/app/start/pet/photo');
  await browser.open('/app/sign-up');
  t.match(browser.main, 'Your page is saved in this browser for 24 hours.');
  await browser.open('/app/start/pet');
  t.match(browser.main, 'value="Rex"', 'it can still be changed');
  await browser.fill('/start/pet', { 'data.name': 'Rexy' });
  await browser.open('/app/sign-up');
  await signUp(test, browser, 'ada@example.org');
  t.match(browser.path, /^\/app\/[0-9a-f]{24}\/start$/);
  t.equal(browser.title, 'Your page is ready');
  t.match((await browser.open('/app/start/pet/preview')).text, '<h1>Rexy');

  await browser.open('/app');
  await browser.open(`${browser.path}/start`);
  await browser.send('/start');
  t.match(browser.path, /\/codes\/[0-9a-f]{24}\/print$/);
  t.equal(browser.title, 'Rexy');
  t.notOk(browser.cookies.has('__Host-draft'));
  t.same(await queryDatabase(test, 'SELECT count(*)::int AS codes FROM qr_codes'), [{ codes: 1 }]);
  t.same(await queryDatabase(test, 'SELECT id FROM code_drafts'), []);
});

t.test('a draft is of one browser, is encrypted, and ends after a day', async (t) => {
  const { test, browser } = await startBrowser(t);
  await browser.open('/app/start/pet');
  await browser.fill('/start/pet', DOG);
  const [row] = await queryDatabase(
    test,
    'SELECT id, content, extract(epoch FROM expires_at - now()) / 3600 AS hours FROM code_drafts',
  );
  t.notOk(row?.content.includes('Rex'));
  t.ok(Number(row?.hours) <= 24 && Number(row?.hours) > 23);
  const other = new TestBrowser(test);
  for (const value of [row?.id ?? '', 'x'.repeat(43)]) {
    other.cookies.set('__Host-draft', value);
    await other.open('/app/start/pet');
    t.notMatch(other.main, 'Rex');
    t.notMatch((await other.open('/app/start/pet/preview')).text, 'Rex');
  }
  await browser.open('/app/start/car');
  t.notMatch(browser.main, 'Rex', 'a form of another kind');

  await queryDatabase(test, "UPDATE code_drafts SET expires_at = now() - interval '1 second'");
  await browser.open('/app/sign-up');
  await signUp(test, browser, 'ada@example.org');
  t.match(browser.path, /^\/app\/[0-9a-f]{24}$/, 'without a draft the sign-in leads home');
});

t.test('whoever has an account already makes the code with it, or discards it', async (t) => {
  const { test, browser } = await startBrowser(t);
  const user = await test.createUser();
  const begin = async () => {
    await browser.open('/app/start/text');
    await browser.fill('/start/text', { 'data.text': 'Water me' });
    await browser.open('/app/sign-in');
    await browser.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
    t.equal(browser.path, `/app/${user.id}/start`);
  };
  await begin();
  const cookies = new Map(browser.cookies);
  await browser.send('/start', { discard: 'yes' });
  t.equal(browser.path, `/app/${user.id}`);
  t.same(await queryDatabase(test, 'SELECT id FROM code_drafts'), []);
  await browser.send('/sign-out');
  await begin();
  const form = browser.findForm('/start');
  const body = String(new URLSearchParams(form?.hidden));
  const twice = await Promise.all(
    [1, 2].map(async () => {
      const again = new TestBrowser(test);
      for (const [name, value] of browser.cookies) again.cookies.set(name, value);
      return again.open(form?.action ?? '', { method: 'POST', body });
    }),
  );
  t.ok(twice.every(({ status }) => status < 500));
  t.same(await queryDatabase(test, 'SELECT count(*)::int AS codes FROM qr_codes'), [{ codes: 1 }]);
  t.not(cookies.get('__Host-draft'), browser.cookies.get('__Host-draft'));
});

t.test('drafts of strangers are bounded for a network and in size', async (t) => {
  const { test } = await startBrowser(t);
  const start = async (text: string) => {
    const browser = new TestBrowser(test);
    await browser.open('/app/start/text');
    await browser.fill('/start/text', { 'data.text': text });
    return browser;
  };
  const large = await start('x'.repeat(100_000));
  t.equal(large.page.status, 400, 'too long for its field');
  t.same(await queryDatabase(test, 'SELECT id FROM code_drafts'), []);
  const browsers: TestBrowser[] = [];
  for (let number = 0; number < 31; number += 1) browsers.push(await start(`Page ${number}`));
  t.same(
    browsers.map(({ page }) => page.status),
    [...Array<number>(30).fill(200), 429],
  );
  t.match(browsers.at(-1)?.main, /Too many pages were started from your network/);
  t.match(browsers.at(-1)?.main, 'Page 30', 'what was entered is still there');
  const [first] = browsers;
  await first?.open('/app/start/text');
  await first?.fill('/start/text', { 'data.text': 'Page 0, changed' });
  t.equal(first?.path, '/app/sign-up', 'a draft that is there can be changed');
});
