import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { waitFor } from '../../personal-data/helper.ts';
import { ageSessions, signIn } from './helper.ts';

t.test('an archive is requested with the password, and downloaded after a recent sign-in', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const path = `/app/${user.id}/settings/data`;
  await browser.open(path);
  await browser.send('/exports', { password: 'wrong' });
  t.equal(browser.page.status, 401);
  t.match(browser.main, /id="password-error">This password is wrong\./);
  await browser.send('/exports', { password: TEST_PASSWORD });
  t.equal(browser.path, `${path}?done=exported`);
  const { id } = await test.database.client.dataExport.findFirstOrThrow({ where: { userId: user.id } });
  const { client } = test.database;
  await waitFor(async () => (await client.dataExport.count({ where: { id, status: 'READY' } })) === 1);
  await browser.open(path);
  const link = `${path}/exports/${id}`;
  t.match(browser.main, link);
  const archive = await browser.open(link);
  t.equal(archive.status, 200);
  t.match(archive.headers, { 'content-type': 'application/zip', 'cache-control': 'no-store' });

  await ageSessions(test);
  await browser.open(path);
  t.notMatch(browser.main, link);
  t.match(browser.main, 'Sign in again to download it');
  await browser.open(link);
  t.equal(browser.title, 'Sign in');
  const other = await signIn(test, await test.createUser());
  await other.open(link);
  t.equal(other.page.status, 404, 'the archive of somebody else');
});

t.test('a key is asked for where archives must be encrypted', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  await browser.open(`/app/${user.id}/settings/data`);
  t.notMatch(browser.main, 'name="ageRecipient"');
  await browser.send('/exports', { password: TEST_PASSWORD, ageRecipient: 'age1nothing' });
  t.equal(browser.page.status, 400);
});

t.test('the page lists who accessed the account', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const admin = await test.createUser({ role: 'ADMIN' });
  const browser = await signIn(test, user);
  const path = `/app/${user.id}/settings/data/accesses`;
  await browser.open(path);
  t.notMatch(browser.main, 'Staff of this service');
  await test.call('GET', `/api/auth/profile/${user.id}`, { token: admin.accessToken });
  await browser.open(path);
  t.match(browser.main, 'Staff of this service');
  t.notMatch(browser.main, `href="${path}?cursor`);
  await browser.open(`${path}?by=me`);
  t.match(browser.main, /<td>You<\/td>/);
  t.notMatch(browser.main, 'Staff of this service');

  await test.database.client.user.update({ where: { id: user.id }, data: { language: 'de' } });
  await browser.open(path);
  t.match(browser.main, '<td>Profil von Mitarbeitenden gelesen</td>', 'in the language of the reader');
});

t.test('an account is erased only with the password and knowing that it is for good', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const path = `/app/${user.id}/settings/data/erase`;
  await browser.open(path);
  await browser.send('/erase', { password: TEST_PASSWORD });
  t.equal(browser.page.status, 400);
  await browser.send('/erase', { password: 'wrong', understood: 'yes' });
  t.equal(browser.page.status, 401);
  t.match(browser.main, 'This password is wrong.');
  await browser.send('/erase', { password: TEST_PASSWORD, understood: 'yes' });
  t.equal(browser.title, 'Sign in');
  t.match(browser.main, 'Your account is erased.');
  t.notOk(browser.cookies.has('__Host-session'));
  const row = await test.database.client.user.findUnique({ where: { id: user.id } });
  t.not(row?.status, 'ACTIVE');
});
