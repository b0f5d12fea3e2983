import { findOpenSession } from '../../../../src/platform/authentication.repository.ts';
import { startTestApp, type TestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { enableSecondFactor } from '../second-factor/helper.ts';
import {
  captureStatements,
  countStatuses,
  findAuditEntries,
  isProblem,
  queryDatabase,
  runConcurrently,
} from './helper.ts';

async function createObservedUser(app: TestApp) {
  const user = await app.createUser();
  await enableSecondFactor(app, user);
  await queryDatabase(app, 'UPDATE users SET enterprise_mode = true WHERE id = $1', user.id);
  return user;
}

const setIdleTime = (app: TestApp, time: string) =>
  queryDatabase(app, 'UPDATE sessions SET last_used_at = now() - $1::interval', time);

t.test('a session in enterprise mode ends after 15 minutes without a request', async (t) => {
  const app = await startTestApp(t);
  const { accessToken: token, refreshToken } = await createObservedUser(app);
  const me = () => app.call('GET', '/api/auth/me', { token });
  const isIdleAfter = (time: string) =>
    // In one transaction, where now() stands still; the column rounds to milliseconds, half of the time up.
    app.database.transaction(async (tx) => {
      const [session] = await tx.$queryRaw<{ id: string }[]>`
        UPDATE sessions SET last_used_at = date_trunc('milliseconds', now()) - ${time}::interval RETURNING id`;
      const open = await findOpenSession(tx, session?.id ?? '', false);
      return open?.isIdle;
    });
  t.equal(await isIdleAfter('14 minutes 59.999 seconds'), false);
  t.equal(await isIdleAfter('15 minutes'), true);
  await setIdleTime(app, '10 minutes');
  t.equal((await me()).status, 200);
  await setIdleTime(app, '15 minutes');
  const answers = await runConcurrently(10, me);
  t.same(countStatuses(answers), { 401: 10 });
  t.match(await queryDatabase(app, 'SELECT end_reason FROM sessions'), [{ end_reason: 'IDLE' }]);
  t.match(await findAuditEntries(app, 'SESSION_IDLE_ENDED'), [{ outcome: 'SUCCESS', actorReference: null }]);
  t.equal((await findAuditEntries(app, 'SESSION_IDLE_ENDED')).length, 1, 'one entry');
  const refreshed = await app.call('POST', '/api/auth/refresh-token', { body: { refreshToken } });
  t.ok(isProblem(refreshed, 401, 'REFRESH_TOKEN_INVALID'));
});

t.test('a refresh token does not revive an idle session', async (t) => {
  const app = await startTestApp(t);
  const { accessToken: token, refreshToken } = await createObservedUser(app);
  await setIdleTime(app, '16 minutes');
  const answers = await runConcurrently(5, () =>
    app.call('POST', '/api/auth/refresh-token', { body: { refreshToken } }),
  );
  t.same(countStatuses(answers), { 401: 5 });
  t.match(await queryDatabase(app, 'SELECT end_reason FROM sessions'), [{ end_reason: 'IDLE' }]);
  t.equal((await findAuditEntries(app, 'SESSION_IDLE_ENDED')).length, 1);
  t.equal((await app.call('GET', '/api/auth/me', { token })).status, 401);
});

t.test('requests keep a session alive, with at most one update a minute', async (t) => {
  const app = await startTestApp(t);
  const { accessToken: token } = await createObservedUser(app);
  const updates = async (work: () => Promise<unknown>) =>
    (await captureStatements(t, app, work)).filter((text) => /UPDATE sessions/.test(text)).length;
  const me = () => app.call('GET', '/api/auth/me', { token });
  // From the future: a busy machine may take more than a minute.
  await setIdleTime(app, '-10 minutes');
  t.equal(await updates(me), 0, 'the session was used a moment ago');
  await setIdleTime(app, '10 minutes');
  t.equal(await updates(me), 1);
  const [row] = await queryDatabase(
    app,
    "SELECT now() - last_used_at < interval '9 minutes' AS used FROM sessions",
  );
  t.equal(row.used, true);
  await setIdleTime(app, '-10 minutes');
  t.equal(
    await updates(async () => {
      for (let count = 0; count < 20; count++) await me();
    }),
    0,
  );
});

t.test('outside enterprise mode no session ends for being idle', async (t) => {
  const app = await startTestApp(t);
  const { accessToken: token, refreshToken } = await app.createUser();
  await setIdleTime(app, '2 days');
  t.equal((await app.call('GET', '/api/auth/me', { token })).status, 200);
  const refreshed = await app.call('POST', '/api/auth/refresh-token', { body: { refreshToken } });
  t.equal(refreshed.status, 200);
});
