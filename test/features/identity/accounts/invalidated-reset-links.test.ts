import { insertPasswordResetIfLoginAllowed } from '../../../../src/features/identity/accounts/password-reset.repository.ts';
import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { enableSecondFactor } from '../second-factor/helper.ts';
import { isProblem, queryDatabase, requestResetToken } from './helper.ts';
import { pauseTransaction, waitForLock } from './paused-operations.ts';

const NEW = 'a quite different password';

const app = await startTestApp(t);

const attempt = (token: string) =>
  app.call('POST', '/api/auth/reset-password', { body: { token, password: 'words of somebody else' } });
const change = (token: string) =>
  app.call('POST', '/api/auth/change-password', {
    token,
    body: { currentPassword: TEST_PASSWORD, newPassword: NEW },
  });

t.test('reset links mailed before a password change are void', async (t) => {
  const createUser = await app.createUser();
  const links = [
    await requestResetToken(app, createUser.email),
    await requestResetToken(app, createUser.email),
  ];
  t.equal((await change(createUser.accessToken)).status, 200);
  for (const link of links) t.ok(isProblem(await attempt(link), 400, 'RESET_TOKEN_INVALID'));
  t.equal((await attempt(await requestResetToken(app, createUser.email))).status, 200, 'a later link works');
});

t.test('a reset link created during a password change is void', async (t) => {
  const { email, accessToken } = await app.createUser();
  const { createHash } = await import('node:crypto');
  const tokenHash = Buffer.from(createHash('sha256').update('link').digest());
  const requested = pauseTransaction(app, (tx) =>
    insertPasswordResetIfLoginAllowed(tx, { email, tokenHash, expiresAt: new Date(Date.now() + 60_000) }),
  );
  await requested.paused;
  const changing = change(accessToken);
  await waitForLock(app, changing);
  requested.release();
  await requested.done;
  t.equal((await changing).status, 200);
  t.ok(isProblem(await attempt('link'), 400, 'RESET_TOKEN_INVALID'));
});

t.test('changing the second factor or ending all sessions voids reset links', async (t) => {
  const root = await app.createUser({ role: 'ADMIN' });
  const createUser = await app.createUser();
  const isVoid = async (link: string) => isProblem(await attempt(link), 400, 'RESET_TOKEN_INVALID');
  const first = await requestResetToken(app, createUser.email);
  const { recoveryCodes } = await enableSecondFactor(app, createUser);
  t.ok(await isVoid(first), 'switched on');

  const second = await requestResetToken(app, createUser.email);
  const body = { password: TEST_PASSWORD, recoveryCode: recoveryCodes[0] };
  t.equal((await app.call('DELETE', '/api/auth/mfa', { token: createUser.accessToken, body })).status, 200);
  t.ok(await isVoid(second), 'switched off');

  await queryDatabase(app, "DELETE FROM attempt_budgets WHERE key LIKE '%mail%'");
  const third = await requestResetToken(app, createUser.email);
  await app.call('DELETE', `/api/admin/users/${createUser.id}/sessions`, { token: root.accessToken });
  t.ok(await isVoid(third), 'logged out everywhere');
});
