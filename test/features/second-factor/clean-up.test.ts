import { cleanUpJob } from '../../../src/features/housekeeping/clean-up.job.ts';
import { PASSWORD, startApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { sql } from '../accounts/helper.ts';
import { firstStep, withSecondFactor } from './helper.ts';

t.test('Log-ins and enrollments that nobody finished are forgotten, and nothing else', async (t) => {
  const app = await startApp(t);
  const [one, other] = [await app.person(), await app.person()];
  await withSecondFactor(app, one);
  await firstStep(app, one.email);
  await firstStep(app, one.email);
  await app.call('POST', '/api/auth/mfa/enroll', { token: other.accessToken, body: { password: PASSWORD } });
  const counts = async () => [
    await app.database.client.pendingLogin.count(),
    await app.database.client.secondFactor.count(),
    await app.database.client.recoveryCode.count(),
  ];
  const cleanUp = cleanUpJob(app.services);
  await cleanUp({});
  t.same(await counts(), [2, 2, 10]);
  await sql(
    app,
    "UPDATE pending_logins SET expires_at = now() - interval '1 second' WHERE token_hash = (SELECT min(token_hash) FROM pending_logins)",
  );
  await sql(
    app,
    "UPDATE second_factors SET pending_until = now() - interval '1 second' WHERE confirmed_at IS NULL",
  );
  await cleanUp({});
  t.same(await counts(), [1, 1, 10]);
});
