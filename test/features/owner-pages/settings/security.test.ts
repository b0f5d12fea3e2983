import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { ageSessions, copyCookies, openTab, signIn } from './helper.ts';

const NEW_PASSWORD = 'seven quiet otters in the fog';

t.test('a new password replaces the cookie, so that copies of it open nothing', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const phone = await signIn(test, user);
  const thief = copyCookies(test, browser);
  const path = `/app/${user.id}/settings/security`;
  await browser.open(path);
  t.equal(browser.title, 'Settings');
  await browser.send('/password', { currentPassword: 'wrong', newPassword: NEW_PASSWORD });
  t.equal(browser.page.status, 401);
  t.match(browser.main, 'This password is wrong.');
  await browser.send('/password', { currentPassword: '', newPassword: 'short' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, /Please fill this in\..*This is too short\./s, 'each error stands at its field');

  const device = browser.cookies.get('__Host-device');
  await browser.send('/password', { currentPassword: TEST_PASSWORD, newPassword: NEW_PASSWORD });
  t.equal(browser.path, `${path}?done=password`);
  t.match(browser.main, 'Your new password is saved.');
  t.not(browser.cookies.get('__Host-device'), device);
  const tab = openTab(test, browser);
  await tab.open(path);
  t.equal(tab.title, 'Settings', 'tabs of the browser share the cookie');
  await thief.open(path);
  t.equal(thief.title, 'Sign in', 'the former cookie opens nothing');
  await phone.open(path);
  t.equal(phone.title, 'Sign in', 'other sessions have ended');
  await phone.send('/sign-in', { email: user.email, password: NEW_PASSWORD });
  t.equal(phone.path, path);
});

t.test('a session that is ended elsewhere leads to the sign-in', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const phone = await signIn(test, user);
  const path = `/app/${user.id}/settings/security`;
  await ageSessions(test);
  await browser.open(path);
  const count = (text: string) => browser.main.split(text).length - 1;
  t.equal(count('Safari (iOS)'), 3, 'those of the application are listed, too');
  t.equal(count('This device'), 1);
  const sessions = await test.database.client.session.findMany({
    where: { userId: user.id, cookieHash: { not: null } },
  });
  const other = sessions.find(({ id }) => browser.findForm(`/sessions/${id}/end`));
  await browser.send(`/sessions/${other?.id}/end`);
  t.equal(browser.page.status, 401);
  t.match(browser.main, 'This needs a recent sign-in.');
  await browser.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  t.equal(browser.title, 'You’re signed in');
  await browser.send(`/sessions/${other?.id}/end`);
  t.equal(browser.path, `${path}?done=session-ended`);
  t.match(browser.main, 'That device is signed out.');
  await phone.open(path);
  t.equal(phone.title, 'Sign in');
  await phone.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  t.equal(phone.path, path, 'it leads back to what was wanted');
});

t.test('nobody sees the settings of another account', async (t) => {
  const test = await startTestApp(t);
  const [user, other] = [await test.createUser(), await test.createUser()];
  const browser = await signIn(test, user);
  await browser.open(`/app/${other.id}/settings/security`);
  t.equal(browser.page.status, 404);
  const path = `/app/${user.id}/settings/security`;
  await browser.open(path);
  const { token = '' } = browser.findForm('/password')?.hidden ?? {};
  const { client } = test.database;
  const session = await client.session.findFirstOrThrow({ where: { userId: other.id } });
  const body = String(new URLSearchParams({ token }));
  await browser.open(`${path}/sessions/${session.id}/end`, { method: 'POST', body });
  t.equal(browser.page.status, 404);
  t.equal(await client.session.count({ where: { id: session.id, endedAt: null } }), 1);
});

t.test('whoever has no password gets a link to choose one, and keeps the only way to sign in', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const { client } = test.database;
  await client.user.update({ where: { id: user.id }, data: { passwordHash: null } });
  await client.userIdentity.create({
    data: {
      id: 'a'.repeat(24),
      userId: user.id,
      issuer: 'https://accounts.google.com',
      subject: '1',
      email: '<b>@example.org',
      confirmedAt: new Date(),
    },
  });
  await browser.open(`/app/${user.id}/settings/security`);
  t.notOk(browser.findForm('/password'));
  t.match(browser.main, /href="\/app\/forgot-password"/);
  t.match(browser.page.text, '<bdi>&#60;b&#62;@example.org</bdi>');
  await browser.send('/unlink');
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'This is your only way to sign in.');
});

t.test('all other sessions end at once', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const [browser, other, third] = [
    await signIn(test, user),
    await signIn(test, user),
    await signIn(test, user),
  ];
  const path = `/app/${user.id}/settings/security`;
  await browser.open(path);
  await browser.send('/sessions/end-others');
  t.match(browser.main, 'All other devices are signed out.');
  t.equal(browser.findForm('/sessions/end-others'), null);
  for (const one of [other, third]) {
    await one.open(path);
    t.equal(one.title, 'Sign in');
  }
});
