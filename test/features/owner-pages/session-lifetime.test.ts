import { startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';
import { TestBrowser } from './browser.ts';

const DAY_MS = 86_400_000;

t.test('the session of a browser lasts 30 days from its last visit, and 180 at most', async (t) => {
  const test = await startTestApp(t);
  const { client, pool } = test.database;
  const user = await test.createUser();
  const browser = new TestBrowser(test);
  await browser.open('/app/sign-in');
  await browser.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  const { id } = await client.session.findFirstOrThrow({ where: { cookieHash: { not: null } } });
  const setAge = (createdDays: number, usedDays: number) =>
    pool.query(
      `UPDATE sessions SET created_at = now() - $2 * interval '1 day', last_used_at = now() - $3 * interval '1 day',
         expires_at = now() + (30 - $3) * interval '1 day' WHERE id = $1`,
      [id, createdDays, usedDays],
    );
  const visit = async () => {
    const cookie = browser.cookies.get('__Host-session');
    await browser.open(`/app/${user.id}`);
    t.equal(browser.cookies.get('__Host-session'), cookie, 'a visit changes no cookie');
    const { expiresAt, createdAt } = await client.session.findUniqueOrThrow({ where: { id } });
    return {
      title: browser.title,
      daysLeft: Math.round((expiresAt.getTime() - Date.now()) / DAY_MS),
      daysInAll: Math.round((expiresAt.getTime() - createdAt.getTime()) / DAY_MS),
    };
  };
  t.match(await visit(), { title: 'Home', daysLeft: 30 });
  await setAge(29, 29);
  t.match(await visit(), { title: 'Home', daysLeft: 30 });
  await setAge(170, 10);
  t.match(await visit(), { title: 'Home', daysLeft: 10, daysInAll: 180 });
  await setAge(181, 1);
  t.match(await visit(), { title: 'Sign in' });
});

t.test('in enterprise mode it ends after 15 minutes without a visit', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = new TestBrowser(test);
  await browser.open('/app/sign-in');
  await browser.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  // A second factor would be asked for first.
  const { client, pool } = test.database;
  await client.user.update({ where: { id: user.id }, data: { enterpriseMode: true } });
  await pool.query("UPDATE sessions SET last_used_at = now() - interval '16 minutes'");
  await browser.open(`/app/${user.id}`);
  t.equal(browser.title, 'Sign in');
  const session = await client.session.findFirstOrThrow({ where: { cookieHash: { not: null } } });
  t.match(session, { endReason: 'IDLE', endedAt: Date });
});
