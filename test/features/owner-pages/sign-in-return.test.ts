import { startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { createTestCode } from '../codes/code-helper.ts';
import { CALLBACK_URL, startSignInApp } from '../identity/sign-in/helper.ts';
import { TestBrowser } from './browser.ts';
import { ageSessions } from './settings/helper.ts';
import { signInBrowser } from './signed-in-browser.ts';

const GOOGLE_ADA = { sub: '1001', email: 'ada@example.org', given_name: 'Ada', family_name: 'Lovelace' };

/** Return from the provider, which the browser was sent to. */
async function comeBack(test: Awaited<ReturnType<typeof startSignInApp>>, browser: TestBrowser) {
  const answer = test.provider.authorize(String(browser.page.headers.location), GOOGLE_ADA);
  return browser.open(`${CALLBACK_URL}?${new URLSearchParams(answer)}`);
}

t.test('a form goes along with a sign-in at the provider', async (t) => {
  const test = await startSignInApp(t, { FRONTEND_URL: '' });
  const { pool, client } = test.database;
  const browser = new TestBrowser(test);
  await browser.open('/app/sign-in');
  await browser.open('/app/sign-in/provider');
  await comeBack(test, browser);
  await browser.send('/welcome', { firstName: 'Ada', lastName: 'Lovelace' });
  const user = await client.user.findFirstOrThrow();
  const path = `/app/${user.id}/settings/profile`;
  await browser.open(path);
  await pool.query(`UPDATE sessions SET ended_at = now(), end_reason = 'REVOKED'`);
  await browser.fill('/profile', { firstName: 'Augusta' });
  t.equal(browser.title, 'Sign in');
  const cookie = browser.cookies.get('__Host-form-draft') ?? '';
  t.notMatch(Buffer.from(cookie, 'base64url').toString('latin1'), 'Augusta', 'it is encrypted');
  await browser.open('/app/sign-in/provider');
  await comeBack(test, browser);
  t.match(browser.main, 'What you entered is still here.');
  t.notOk(browser.cookies.has('__Host-form-draft'));
  await browser.send('/profile');
  t.equal((await client.user.findFirstOrThrow()).firstName, 'Augusta');

  await browser.open(path);
  await pool.query(`UPDATE sessions SET ended_at = now(), end_reason = 'REVOKED'`);
  await browser.fill('/profile', { firstName: 'Changed' });
  browser.cookies.set('__Host-form-draft', `x${browser.cookies.get('__Host-form-draft')}`);
  await browser.open('/app/sign-in/provider');
  await comeBack(test, browser);
  t.equal(browser.path, `/app/${user.id}`, 'one that somebody changed is none');
});

t.test('who has no password proves a recent sign-in at the provider', async (t) => {
  const test = await startSignInApp(t, { FRONTEND_URL: '' });
  const browser = new TestBrowser(test);
  await browser.open('/app/sign-in/provider');
  await comeBack(test, browser);
  await browser.send('/welcome', { firstName: 'Ada', lastName: 'Lovelace' });
  const { id } = await test.database.client.user.findFirstOrThrow();
  await ageSessions(test);
  await browser.open(`/app/${id}/settings/security/second-factor`);
  t.equal(browser.title, 'Sign in');
  t.match(browser.main, 'Please sign in with the provider once more.');
  t.notMatch(browser.main, 'name="password"');
  const link = /href="([^"]*\/sign-in\/provider[^"]*)"/.exec(browser.main)?.[1] ?? '';
  await browser.open(link);
  await comeBack(test, browser);
  t.equal(browser.path, `/app/${id}/settings/security/second-factor`);
  t.equal(browser.page.status, 200);
});

t.test('a form of an organization is still there after a sign-in, for its members', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const accountId = await insertOrganization(test, { members: [{ userId: user.id, role: 'EDITOR' }] });
  const signInWithDraft = async (email: string) => {
    const browser = await signInBrowser(test, user);
    await browser.open(`/app/${accountId}/memorials/new`);
    await test.database.pool.query(`UPDATE sessions SET ended_at = now(), end_reason = 'REVOKED'`);
    await browser.fill('/memorials', { name: 'Grandma Grace' });
    t.equal(browser.title, 'Sign in');
    await browser.fill('/sign-in', { email, password: TEST_PASSWORD });
    return browser.main;
  };
  t.match(await signInWithDraft(user.email), 'value="Grandma Grace"');
  const stranger = await test.createUser();
  t.notMatch(await signInWithDraft(stranger.email), 'Grandma Grace');
});

t.test('who signs up comes to what was wanted', async (t) => {
  const test = await startTestApp(t);
  const browser = new TestBrowser(test);
  await browser.open('/app/sign-in?to=%2Fapp%2Fnotifications');
  const link = /href="([^"]*\/sign-up[^"]*)"/.exec(browser.main)?.[1] ?? '';
  await browser.open(link);
  const email = 'ada@example.org';
  const names = { firstName: 'Ada', lastName: 'Lovelace' };
  await browser.send('/sign-up', { ...names, email, password: 'short' });
  t.equal(browser.page.status, 400);
  await browser.send('/sign-up', { ...names, email, password: TEST_PASSWORD });
  await browser.send('/code', { code: '000000' });
  await browser.send('/resend');
  await browser.send('/code', { code: await test.getOtp(email) });
  t.match(browser.path, /\/notifications/);

  const other = new TestBrowser(test);
  await other.open('/app/sign-up?to=https://evil.example/app');
  await other.send('/sign-up', { ...names, email: 'eve@example.org', password: TEST_PASSWORD });
  await other.send('/code', { code: await test.getOtp('eve@example.org') });
  t.match(other.path, /^\/app\/[0-9a-f]{24}$/, 'no other site');
});

t.test('a second tab comes to what it wanted, once the first has signed in', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const [first, second] = [new TestBrowser(test), new TestBrowser(test)];
  await first.open('/app/sign-in');
  for (const [name, value] of first.cookies) second.cookies.set(name, value);
  await second.open(`/app/sign-in?to=/app/${user.id}/inbox`);
  await first.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  for (const [name, value] of first.cookies) second.cookies.set(name, value);
  await second.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  t.equal(second.path, `/app/${user.id}/inbox`);
});

t.test('a page that needs a profile comes after it, with what was sent', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser({ profile: false });
  const browser = await signInBrowser(test, user);
  await browser.open(`/app/${user.id}/codes`);
  t.equal(browser.path, `/app/${user.id}/welcome?to=%2Fapp%2F${user.id}%2Fcodes`);
  await browser.send('/welcome', { firstName: 'Ada', lastName: 'Lovelace' });
  t.equal(browser.path, `/app/${user.id}/codes`);
});

t.test('a long text in any script is kept, and one that is too long is named', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signInBrowser(test, user);
  const id = (await createTestCode(test, user, { title: 'Rex' })).id;
  const path = `/app/${user.id}/codes/${id}`;
  const end = () => test.database.pool.query(`UPDATE sessions SET ended_at = now(), end_reason = 'REVOKED'`);
  await browser.open(`${path}/lost`);
  await end();
  await browser.send('/lost', { message: 'अ'.repeat(19_000) });
  t.equal(browser.title, 'Sign in');
  t.notMatch(browser.main, 'too long');
  await browser.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  t.match(browser.main, 'What you entered is still here.');
  t.ok(browser.main.includes('अ'.repeat(19_000)));
  await browser.open(`${path}/lost`);
  await end();
  await browser.send('/lost', { message: 'अ'.repeat(19_000), reward: 'अ'.repeat(5_000) });
  t.match(browser.main, 'What you entered is too long to be kept here.');
});

t.test('what was filled in before there is an account outlives its form', async (t) => {
  const browser = new TestBrowser(await startTestApp(t));
  await browser.open('/app/start/pet');
  await browser.fill('/start/pet', { 'data.name': 'Rex', token: 'old' });
  t.equal(browser.page.status, 403);
  t.match(browser.main, 'Please send this again');
  await browser.send('/start/pet');
  t.equal(browser.path, '/app/start/pet/photo');
});
