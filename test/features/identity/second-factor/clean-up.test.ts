import { createCleanUpJob } from '../../../../src/platform/clean-up.job.ts';
import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { queryDatabase } from '../accounts/helper.ts';
import { enableSecondFactor, getMfaToken } from './helper.ts';

t.test('clean-up deletes only expired pending logins and enrollments', async (t) => {
  const app = await startTestApp(t);
  const [one, other] = [await app.createUser(), await app.createUser()];
  await enableSecondFactor(app, one);
  await getMfaToken(app, one.email);
  await getMfaToken(app, one.email);
  await app.call('POST', '/api/auth/mfa/enroll', {
    token: other.accessToken,
    body: { password: TEST_PASSWORD },
  });
  const counts = async () => [
    await app.database.client.pendingLogin.count(),
    await app.database.client.secondFactor.count(),
    await app.database.client.recoveryCode.count(),
  ];
  const cleanUp = createCleanUpJob(app.services);
  await cleanUp({});
  t.same(await counts(), [2, 2, 10]);
  await queryDatabase(
    app,
    "UPDATE pending_logins SET expires_at = now() - interval '1 second' WHERE token_hash = (SELECT min(token_hash) FROM pending_logins)",
  );
  await queryDatabase(
    app,
    "UPDATE second_factors SET pending_until = now() - interval '1 second' WHERE confirmed_at IS NULL",
  );
  await cleanUp({});
  t.same(await counts(), [1, 1, 10]);
});
