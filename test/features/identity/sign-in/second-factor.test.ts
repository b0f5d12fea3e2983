import { TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { queryDatabase, requestResetToken } from '../accounts/helper.ts';
import {
  enableSecondFactor,
  generateUnusedTotpCode,
  logInWithPassword,
  verifySecondFactorCode,
} from '../second-factor/helper.ts';
import { startSignInApp } from './helper.ts';

t.test('every way to open an account with a second factor asks for it', async (t) => {
  const app = await startSignInApp(t);
  const user = await app.createUser();
  await app.signIn({ sub: 'same', email: user.email });
  const { accessToken } = (await logInWithPassword(app, user.email)).body;
  const { secret } = await enableSecondFactor(app, { accessToken });
  const countSessions = async () =>
    (await queryDatabase(app, 'SELECT count(*)::int AS count FROM sessions WHERE ended_at IS NULL'))[0].count;
  const before = await countSessions();

  const reset = await requestResetToken(app, user.email);
  const answers = {
    'a password': await logInWithPassword(app, user.email),
    'a provider': await app.signIn({ sub: 'same', email: user.email, amr: ['pwd', 'otp'], acr: 'high' }),
  };
  for (const [way, { status, body }] of Object.entries(answers)) {
    t.same([status, body.mfaRequired, body.accessToken], [200, true, undefined], way);
  }
  t.equal(await countSessions(), before, 'no session was opened');

  const done = await app.call('POST', '/api/auth/reset-password', {
    body: { token: reset, password: TEST_PASSWORD },
  });
  t.same(done.body, { done: true }, 'a reset opens no session');
  const { mfaToken, mfaRequired } = (await logInWithPassword(app, user.email)).body;
  t.equal(mfaRequired, true, 'nor does it remove the second factor');
  const code = await generateUnusedTotpCode(app, secret);
  t.equal((await verifySecondFactorCode(app, { mfaToken, code })).status, 200);
});
