import { insertPasswordReset } from '../../../src/features/accounts/password-reset.repository.ts';
import { promote } from '../../../src/features/administration/change-administrators.ts';
import { PASSWORD, startApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { withSecondFactor } from '../second-factor/helper.ts';
import { holdTransaction, untilWaiting } from './held.ts';
import { isProblem, resetToken, sql } from './helper.ts';

const NEW = 'a quite different password';

const app = await startApp(t);

const attempt = (token: string) =>
  app.call('POST', '/api/auth/reset-password', { body: { token, password: 'words of somebody else' } });
const change = (token: string) =>
  app.call('POST', '/api/auth/change-password', {
    token,
    body: { currentPassword: PASSWORD, newPassword: NEW },
  });

t.test('A16 links that were mailed before are void after a change of the password', async (t) => {
  const person = await app.person();
  const links = [await resetToken(app, person.email), await resetToken(app, person.email)];
  t.equal((await change(person.accessToken)).status, 200);
  for (const link of links) t.ok(isProblem(await attempt(link), 400, 'RESET_TOKEN_INVALID'));
  t.equal((await attempt(await resetToken(app, person.email))).status, 200, 'a later one is good');
});

t.test('A16 so is one that is being made at that moment', async (t) => {
  const { email, accessToken } = await app.person();
  const { createHash } = await import('node:crypto');
  const tokenHash = Buffer.from(createHash('sha256').update('link').digest());
  const asked = holdTransaction(app, (tx) =>
    insertPasswordReset(tx, { email, tokenHash, expiresAt: new Date(Date.now() + 60_000) }),
  );
  await asked.reached;
  const changing = change(accessToken);
  await untilWaiting(app, changing);
  asked.release();
  await asked.done;
  t.equal((await changing).status, 200);
  t.ok(isProblem(await attempt('link'), 400, 'RESET_TOKEN_INVALID'));
});

t.test('A16 a changed second factor and an end of all sessions void them, too', async (t) => {
  const root = await app.person();
  await promote(app.database, root.email);
  const person = await app.person();
  const isVoid = async (link: string) => isProblem(await attempt(link), 400, 'RESET_TOKEN_INVALID');
  const first = await resetToken(app, person.email);
  const { recoveryCodes } = await withSecondFactor(app, person);
  t.ok(await isVoid(first), 'switched on');

  const second = await resetToken(app, person.email);
  const body = { password: PASSWORD, recoveryCode: recoveryCodes[0] };
  t.equal((await app.call('DELETE', '/api/auth/mfa', { token: person.accessToken, body })).status, 200);
  t.ok(await isVoid(second), 'switched off');

  await sql(app, "DELETE FROM attempt_budgets WHERE key LIKE '%mail%'");
  const third = await resetToken(app, person.email);
  await app.call('DELETE', `/api/admin/users/${person.id}/sessions`, { token: root.accessToken });
  t.ok(await isVoid(third), 'logged out everywhere');
});
