import { startTestApp, TEST_PASSWORD, type TestApp } from '../../../helper.ts';
import { insertOrganization } from '../../../insert-organization.ts';
import { t } from '../../../tap.ts';
import {
  generateTotpCode,
  generateUnusedTotpCode,
  generateWrongTotpCode,
} from '../../identity/second-factor/helper.ts';
import { TestBrowser } from '../browser.ts';
import { ageSessions, copyCookies, openTab, signIn } from './helper.ts';

const ENROLL = '/security/second-factor';

/** Enroll on the page that is shown; returns the secret. */
async function enroll(browser: TestBrowser): Promise<string> {
  await browser.send(ENROLL, { password: TEST_PASSWORD });
  const { secret = '' } = browser.findForm('/confirm')?.hidden ?? {};
  await browser.send('/confirm', { code: generateTotpCode(secret) });
  return secret;
}

async function signInWithCode(test: TestApp, browser: TestBrowser, email: string, secret: string) {
  await browser.send('/sign-in', { email, password: TEST_PASSWORD });
  await browser.send('/second-factor', { code: await generateUnusedTotpCode(test, secret) });
}

t.test('the second factor is turned on with a QR code, and replaces the cookie', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const thief = copyCookies(test, browser);
  const path = `/app/${user.id}/settings/security`;
  await browser.open(`${path}/second-factor`);
  await browser.send(ENROLL, { password: 'wrong' });
  t.equal(browser.page.status, 401);
  t.match(browser.main, 'This password is wrong.');
  await browser.send(ENROLL, { password: TEST_PASSWORD });
  t.match(browser.main, 'src="data:image/png;base64,');
  const { secret = '' } = browser.findForm('/confirm')?.hidden ?? {};
  t.match(browser.main, secret.replaceAll(/(.{4})(?=.)/g, '$1 '), 'the secret can be typed');
  await browser.send('/confirm', { code: generateWrongTotpCode(secret) });
  t.equal(browser.page.status, 401);
  t.match(browser.main, /This code didn’t work\..*/);
  t.match(browser.main, 'src="data:image/png;base64,', 'the code is shown again');
  const arabic = generateTotpCode(secret).replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '');
  await browser.send('/confirm', { code: arabic });
  t.equal(browser.title, 'Your recovery codes');
  t.equal(browser.main.match(/([0-9a-z]{4}-){5}[0-9a-z]{4}/g)?.length, 10);
  t.match(browser.main, `href="${path}"`);

  const tab = openTab(test, browser);
  await tab.open(path);
  t.match(tab.main, 'You have 10 recovery codes left.', 'the browser stays signed in');
  await thief.open(path);
  t.equal(thief.title, 'Sign in', 'the former cookie opens nothing');
  await browser.open(`${path}/second-factor`);
  t.equal(browser.path, path, 'it is on already');
});

t.test('recovery codes are renewed after a recent sign-in with the second factor', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const path = `/app/${user.id}/settings/security`;
  await browser.open(`${path}/second-factor`);
  const secret = await enroll(browser);
  await ageSessions(test);
  await browser.open(`${path}/second-factor/recovery-codes`);
  t.match(browser.main, 'This needs a recent sign-in.');
  await signInWithCode(test, browser, user.email, secret);
  t.equal(browser.path, `${path}/second-factor/recovery-codes`);
  await browser.send('/recovery-codes', { code: generateWrongTotpCode(secret) });
  t.equal(browser.page.status, 401);
  t.match(browser.main, 'This code didn’t work.');
  await browser.send('/recovery-codes', { code: await generateUnusedTotpCode(test, secret) });
  const codes = browser.main.match(/([0-9a-z]{4}-){5}[0-9a-z]{4}/g) ?? [];
  t.equal(codes.length, 10);

  const thief = copyCookies(test, browser);
  await browser.open(`${path}/second-factor/off`);
  await browser.send('/off', { password: TEST_PASSWORD, code: codes[0] ?? '' });
  t.match(browser.main, 'The second factor is off.');
  await thief.open(path);
  t.equal(thief.title, 'Sign in', 'the former cookie opens nothing');
});

t.test('a form that needs a recent sign-in is sent after the second factor', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const path = `/app/${user.id}/settings/security`;
  await browser.open(`${path}/second-factor`);
  const secret = await enroll(browser);
  const phone = new TestBrowser(test);
  await phone.open('/app/sign-in');
  await signInWithCode(test, phone, user.email, secret);
  await ageSessions(test);
  const sessions = await test.database.client.session.findMany({ where: { userId: user.id, endedAt: null } });
  await browser.open(path);
  const other = sessions.find(({ id }) => browser.findForm(`/sessions/${id}/end`));
  await browser.send(`/sessions/${other?.id}/end`);
  await signInWithCode(test, browser, user.email, secret);
  t.equal(browser.title, 'You’re signed in');
  await browser.send(`/sessions/${other?.id}/end`);
  t.equal(browser.path, `${path}?done=session-ended`);
  await phone.open(path);
  t.equal(phone.title, 'Sign in');
});

t.test('an account that must enroll is led to it, and then to what it wanted', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  await test.database.client.user.update({ where: { id: user.id }, data: { enterpriseMode: true } });
  const browser = await signIn(test, user);
  t.equal(browser.title, 'Set up a second factor');
  t.match(browser.main, 'Set up a second factor for this account before you go on.');
  await browser.open(`/app/${user.id}/settings/security`);
  t.equal(
    browser.path,
    `/app/${user.id}/settings/security/second-factor?to=%2Fapp%2F${user.id}%2Fsettings%2Fsecurity`,
  );
  const accountId = await insertOrganization(test, { members: [{ userId: user.id, role: 'OWNER' }] });
  await browser.open(`/app/${accountId}/codes`);
  t.equal(
    browser.path,
    `/app/${user.id}/settings/security/second-factor?to=%2Fapp%2F${accountId}%2Fcodes`,
    'also from an organization',
  );
  t.equal(browser.page.status, 200);
  await browser.open(`/app/${user.id}/settings/security`);
  await enroll(browser);
  t.equal(browser.title, 'Your recovery codes');
  t.match(browser.main, `href="/app/${user.id}/settings/security"`);
  await browser.open(`/app/${user.id}/settings/security`);
  t.equal(browser.title, 'Settings');
});

t.test('a form that an account sends before it has enrolled is kept until then', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const path = `/app/${user.id}/settings/notifications`;
  await browser.open(path);
  await test.database.client.user.update({ where: { id: user.id }, data: { enterpriseMode: true } });
  await browser.send('/notifications', { digest: 'DAILY' });
  t.equal(browser.title, 'Set up a second factor');
  await enroll(browser);
  await browser.send('/notifications');
  t.equal(browser.path, `${path}?done=notifications`);
  t.match(browser.main, '<option value="DAILY" selected>');
});
