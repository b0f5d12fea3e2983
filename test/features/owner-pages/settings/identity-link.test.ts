import type { TestUser } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { CALLBACK_URL, type SignInApp, startSignInApp } from '../../identity/sign-in/helper.ts';
import type { TestBrowser } from '../browser.ts';
import { ageSessions, signIn } from './helper.ts';

const GOOGLE_ADA = { sub: '1001', email: 'ada.at.google@example.org', given_name: 'Ada' };

/** Go to the provider; returns the address to which it redirects. */
async function authorize(
  { provider }: SignInApp,
  browser: TestBrowser,
  user: Pick<TestUser, 'id'>,
  claims: Record<string, unknown> = GOOGLE_ADA,
): Promise<string> {
  await browser.open(`/app/${user.id}/settings/security/identities/link`);
  const answer = provider.authorize(String(browser.page.headers.location), claims);
  return `${CALLBACK_URL}?${new URLSearchParams(answer)}`;
}

t.test('an owner links an account of the provider, signs in with it and unlinks it', async (t) => {
  const test = await startSignInApp(t, { FRONTEND_URL: '' });
  const { client } = test.database;
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const path = `/app/${user.id}/settings/security`;
  await browser.open(path);
  t.match(browser.main, `href="${path}/identities/link"`);
  await browser.open(await authorize(test, browser, user));
  t.equal(browser.path, `${path}?done=linked`);
  t.match(browser.main, 'It’s linked. You can sign in with it from now on.');
  t.match(browser.main, '<bdi>ada.at.google@example.org</bdi>');
  t.notMatch(browser.main, '/identities/link"', 'one of each provider');
  t.notOk(
    [...browser.cookies.keys()].some((name) => name.startsWith('__Host-sign-in')),
    'no other cookie is left',
  );
  t.match(await client.userIdentity.findMany(), [{ userId: user.id, subject: '1001' }]);
  t.equal(await client.user.count({ where: { email: GOOGLE_ADA.email } }), 0, 'no other account is made');
  t.match(await client.auditEntry.findMany({ where: { action: 'IDENTITY_LINKED' } }), [
    { changes: ['identities'] },
  ]);
  t.ok(await test.getMailBySubject(user.email, /You can now sign in with/), 'the owner gets an email');

  await browser.send('/sign-out');
  await browser.open('/app/sign-in/provider');
  const answer = test.provider.authorize(String(browser.page.headers.location), GOOGLE_ADA);
  await browser.open(`${CALLBACK_URL}?${new URLSearchParams(answer)}`);
  t.equal(browser.path, `/app/${user.id}`);
  await browser.open(path);
  await browser.send('/unlink');
  t.match(browser.main, 'It’s unlinked.');
  t.match(browser.main, `href="${path}/identities/link"`);
});

t.test('what is not linked says why on the settings page', async (t) => {
  const test = await startSignInApp(t, { FRONTEND_URL: '' });
  const { client } = test.database;
  const [user, other] = [await test.createUser(), await test.createUser()];
  const browser = await signIn(test, user);
  const path = `/app/${user.id}/settings/security`;

  await browser.open(await authorize(test, browser, user, { ...GOOGLE_ADA, email_verified: false }));
  t.match(browser.main, 'The email address of that account isn’t confirmed there.');
  await authorize(test, browser, user);
  const state = new URL(String(browser.page.headers.location)).searchParams.get('state') ?? '';
  await browser.open(`${CALLBACK_URL}?${new URLSearchParams({ error: 'access_denied', state })}`);
  t.match(browser.main, 'You canceled, so nothing was linked.');

  const second = await signIn(test, other);
  await second.open(await authorize(test, second, other));
  await browser.open(await authorize(test, browser, user));
  t.match(browser.main, 'That account is linked to somebody else here');
  t.match(await client.userIdentity.findMany(), [{ userId: other.id }]);
  await browser.open(`${path}?link=constructor`);
  t.notMatch(browser.main, 'class="note');
});

t.test('only the session that began links, after a recent sign-in, and from no other site', async (t) => {
  const test = await startSignInApp(t, { FRONTEND_URL: '' });
  const { client } = test.database;
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const path = `/app/${user.id}/settings/security`;

  // Somebody else gives their own answer of the provider to the owner.
  const stranger = await test.createUser();
  const thief = await signIn(test, stranger);
  const planted = await authorize(test, thief, stranger);
  await browser.open(planted);
  t.equal(await client.userIdentity.count(), 0, 'without the cookies of the attempt');
  for (const name of ['__Host-sign-in', '__Host-sign-in-link'])
    browser.cookies.set(name, thief.cookies.get(name) ?? '');
  await browser.open(planted);
  t.match(browser.main, 'It wasn’t linked.');
  t.equal(await client.userIdentity.count(), 0, 'with them, too');

  // An answer to a sign-in is none to a link, and an answer to a link signs nobody in.
  await browser.open(`${path}/identities/link`);
  const link = browser.cookies.get('__Host-sign-in-link') ?? '';
  const begun = await test.begin();
  const answer = test.provider.authorize(begun.authorizationUrl, GOOGLE_ADA);
  browser.cookies.set('__Host-sign-in', begun.cookie.split('=')[1]?.split(';')[0] ?? '');
  browser.cookies.set('__Host-sign-in-link', link);
  await browser.open(`${CALLBACK_URL}?${new URLSearchParams(answer)}`);
  t.match(browser.main, 'It wasn’t linked.');
  t.equal(await client.userIdentity.count(), 0);

  const { cookies } = browser;
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const crossSite = await test.call('GET', `${path}/identities/link`, {
    headers: { cookie, 'sec-fetch-site': 'cross-site' },
  });
  t.match(crossSite, { status: 303, headers: { location: path } });

  await ageSessions(test);
  await browser.open(`${path}/identities/link`);
  t.equal(browser.title, 'Sign in');
  t.match(browser.main, 'This needs a recent sign-in.');
});
