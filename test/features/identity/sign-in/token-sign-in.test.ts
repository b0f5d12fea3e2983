import { t } from '../../../tap.ts';
import { countStatuses, findAuditEntries, isProblem, runConcurrently } from '../accounts/helper.ts';
import { ID_TOKEN_URL, startSignInApp } from './helper.ts';

const ADA = { sub: '1001', email: 'ada@example.org', given_name: 'Ada' };
const HOUR = 60 * 60;
const now = () => Math.floor(Date.now() / 1000);

const app = await startSignInApp(t);
const { provider, database } = app;
const send = (body: object) => app.call('POST', ID_TOKEN_URL, { body });

t.test('only one of 20 parallel native sign-ins with one ID token works', async (t) => {
  const idToken = provider.tokenOf(ADA);
  const answers = await runConcurrently(20, () => send({ idToken }));
  const counts = countStatuses(answers);
  t.equal(counts[200], 1);
  // A loaded machine answers some with "try again".
  t.equal((counts[401] ?? 0) + (counts[503] ?? 0), 19);
  const tokens = answers.find(({ status }) => status === 200);
  t.match(tokens?.body.user, { email: 'ada@example.org', status: 'VERIFIED', firstName: 'Ada' });
  t.equal((await app.call('GET', '/api/auth/me', { token: tokens?.body.accessToken })).status, 200);
  t.equal((await send({ idToken })).status, 401, 'not later either');
  t.equal(
    (await send({ idToken: `${idToken.slice(0, idToken.lastIndexOf('.'))}.${'A'.repeat(342)}` })).status,
    401,
  );
  t.equal((await send({ idToken: `${idToken}=` })).status, 401, 'not with another encoding either');
  t.equal(await database.client.session.count(), 1);
  const proofs = await database.client.usedSignInProof.findMany({ where: { kind: 'ID_TOKEN' } });
  t.ok(
    proofs.every(({ expiresAt }) => expiresAt.getTime() > (now() + 600) * 1000),
    'a used token is stored until it expires',
  );
  t.equal((await send({ idToken: provider.tokenOf({ ...ADA, jti: '2' }) })).status, 200, 'another token');
});

t.test('a token with a nonce requires it, and a token without one accepts none', async (t) => {
  const signIn = (claims: object, nonce?: string) =>
    send({
      idToken: provider.tokenOf({ ...ADA, jti: String(Math.random()), ...claims }),
      ...(nonce ? { nonce } : {}),
    });
  t.equal((await signIn({ nonce: 'n-1' }, 'n-1')).status, 200);
  t.equal((await signIn({ nonce: 'n-1' }, 'n-2')).status, 401);
  t.equal((await signIn({ nonce: 'n-1' })).status, 401);
  t.equal((await signIn({}, 'n-1')).status, 401);
});

t.test('a token of another client, issuer, time or key is rejected and audited', async (t) => {
  const claims: Record<string, Record<string, unknown>> = {
    'another audience': { aud: 'another-client' },
    'a list with another authorized party': { aud: ['the-service', 'b'], azp: 'b' },
    'another authorized party': { azp: 'another-client' },
    'an authorized party that is no text': { azp: ['the-service'] },
    'another issuer': { iss: 'https://accounts.google.com' },
    expired: { iat: now() - 2 * HOUR, exp: now() - HOUR },
    'valid for a year': { exp: now() + 365 * 24 * HOUR },
    'without an expiry': { exp: undefined },
    'an expiry beyond any date': { exp: 1e300 },
    'no subject': { sub: undefined },
  };
  const before = (await findAuditEntries(app, 'IDENTITY_SIGN_IN_REJECTED')).length;
  for (const [name, providerClaims] of Object.entries(claims)) {
    t.ok(
      isProblem(
        await send({ idToken: provider.tokenOf({ ...ADA, ...providerClaims }) }),
        401,
        'SIGN_IN_INVALID',
      ),
      name,
    );
  }
  const signatures = ['none', 'HS256 by the public key', 'HS256 by the secret', 'another key'] as const;
  for (const signature of signatures) {
    provider.does.signature = signature;
    const answer = await send({ idToken: provider.tokenOf({ ...ADA, jti: signature }) });
    delete provider.does.signature;
    t.ok(isProblem(answer, 401, 'SIGN_IN_INVALID'), signature);
  }
  const garbage = [
    'x',
    'a.b.c',
    '..',
    '.',
    `${'a'.repeat(16_000)}`,
    'e30.e30.e30',
    'eyJhbGciOiJSUzI1NiJ9.bnVsbA.AA',
  ];
  for (const idToken of garbage)
    t.ok(isProblem(await send({ idToken }), 401, 'SIGN_IN_INVALID'), idToken.slice(0, 30));
  const refused = Object.keys(claims).length + signatures.length + garbage.length;
  t.equal((await findAuditEntries(app, 'IDENTITY_SIGN_IN_REJECTED')).length, before + refused);
  for (const body of [
    {},
    { idToken: '' },
    { idToken: 5 },
    { idToken: 'x'.repeat(16_385) },
    { idToken: ['a.b.c'] },
  ]) {
    t.equal((await send(body)).status, 400);
  }
});

t.test('a token may come from a native application that is listed', async (t) => {
  const { provider, call } = await startSignInApp(t, { OIDC_AUTHORIZED_PARTIES: 'android-app, ios-app' });
  const signIn = (claims: object) =>
    call('POST', ID_TOKEN_URL, { body: { idToken: provider.tokenOf({ ...ADA, ...claims }) } });
  for (const azp of ['android-app', 'ios-app', 'the-service'])
    t.equal((await signIn({ azp, jti: azp })).status, 200, azp);
  t.ok(isProblem(await signIn({ azp: 'another-app' }), 401, 'SIGN_IN_INVALID'));
});

t.test('a token with an unverified address gets its own error', async (t) => {
  const idToken = provider.tokenOf({ sub: 'new', email: 'new@example.org', email_verified: false });
  t.ok(isProblem(await send({ idToken }), 403, 'IDENTITY_NOT_VERIFIED'));
  t.equal(await database.client.user.count({ where: { email: 'new@example.org' } }), 0);
});
