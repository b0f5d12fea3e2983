import { t } from '../../../tap.ts';
import { findAuditEntries, isProblem, listMailsCausedBy, queryDatabase } from '../accounts/helper.ts';
import {
  enableSecondFactor,
  generateUnusedTotpCode,
  generateWrongTotpCode,
  logInWithPassword,
  verifySecondFactorCode,
} from '../second-factor/helper.ts';
import { ID_TOKEN_URL, startSignInApp } from './helper.ts';

const app = await startSignInApp(t);

const listIdentities = async (token: string) =>
  (await app.call('GET', '/api/auth/identities', { token })).body.data;

for (const way of ['code', 'ID token'] as const) {
  t.test(`an identity is linked after the second factor, not before it (${way})`, async (t) => {
    const user = await app.createUser();
    const { email, accessToken } = user;
    const { secret } = await enableSecondFactor(app, user);
    const claims = { sub: `someone-${way.slice(0, 2)}`, email };
    const signIn = async (sub = claims.sub) =>
      way === 'code'
        ? app.signIn({ ...claims, sub })
        : app.call('POST', ID_TOKEN_URL, { body: { idToken: app.provider.tokenOf({ ...claims, sub }) } });
    const linkedBefore = (await findAuditEntries(app, 'IDENTITY_LINKED')).length;

    const mails = await listMailsCausedBy(app, email, async () => {
      const { mfaToken } = (await signIn(`${claims.sub}-attacker`)).body;
      const answer = await verifySecondFactorCode(app, { mfaToken, code: generateWrongTotpCode(secret) });
      t.ok(isProblem(answer, 401, 'MFA_CODE_INVALID'));
    });
    t.same(mails, [], 'no mail');
    t.same(await listIdentities(accessToken), [], 'nothing is linked');
    t.equal((await findAuditEntries(app, 'IDENTITY_LINKED')).length, linkedBefore);
    await queryDatabase(app, 'DELETE FROM attempt_budgets');

    const { mfaToken } = (await signIn()).body;
    const linked = await listMailsCausedBy(app, email, async () => {
      const code = await generateUnusedTotpCode(app, secret);
      t.equal((await verifySecondFactorCode(app, { mfaToken, code })).status, 200);
    });
    t.match(linked, [{ subject: /^You can now sign in with/ }]);
    t.match(await listIdentities(accessToken), [{ email }]);
    t.equal((await findAuditEntries(app, 'IDENTITY_LINKED')).length, linkedBefore + 1);
    const again = await signIn(`${claims.sub}-attacker`);
    t.not(again.status, 200, 'the other subject is refused from then on');
  });
}

t.test('an identity whose login was not completed gives no access without a second factor', async (t) => {
  const user = await app.createUser();
  await enableSecondFactor(app, user);
  await app.signIn({ sub: 'half-way', email: user.email });
  await queryDatabase(app, 'DELETE FROM second_factors WHERE user_id = $1', user.id);
  const other = await app.createUser();
  const idToken = app.provider.tokenOf({ sub: 'half-way', email: other.email });
  const signedIn = await app.call('POST', ID_TOKEN_URL, { body: { idToken } });
  t.match(signedIn.body, { user: { id: other.id } }, 'found by the verified address, not by the subject');
});

t.test('a login with the password links no identity', async (t) => {
  const user = await app.createUser();
  const { secret } = await enableSecondFactor(app, user);
  await app.signIn({ sub: 'waiting', email: user.email });
  const { mfaToken } = (await logInWithPassword(app, user.email)).body;
  const code = await generateUnusedTotpCode(app, secret);
  t.equal((await verifySecondFactorCode(app, { mfaToken, code })).status, 200);
  t.same(await queryDatabase(app, 'SELECT confirmed_at FROM user_identities WHERE user_id = $1', user.id), [
    { confirmed_at: null },
  ]);
});
