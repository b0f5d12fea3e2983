import {
  INVALID_RESPONSES,
  type ProviderOverrides,
  sendJson,
} from '../../../providers/identity/test-identity-provider.ts';
import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import { isProblem } from '../accounts/helper.ts';
import { followCallback, isErrorRedirect, startSignIn, startSignInApp } from './helper.ts';
import { startSecondInstance } from './second-instance.ts';

const ADA = { sub: '1001', email: 'ada@example.org' };
const HOUR = 60 * 60;
const now = () => Math.floor(Date.now() / 1000);

const app = await startSignInApp(t);
const { provider, database, call } = app;

/** Responses of the provider, by their defect; the browser behaves correctly. */
const HOSTILE_RESPONSES: Record<string, ProviderOverrides> = {
  'a wrong nonce': { claims: { nonce: 'another' } },
  'no nonce': { claims: { nonce: undefined } },
  'the audience of another client': { claims: { aud: 'another-client' } },
  'another authorized party': { claims: { azp: 'b' } },
  'two audiences and another authorized party': { claims: { aud: ['the-service', 'b'], azp: 'b' } },
  'another issuer': { claims: { iss: 'https://accounts.google.com' } },
  'an issuer with the right prefix': { claims: { iss: `${provider.issuer}/` } },
  'an expired token': { claims: { iat: now() - 2 * HOUR, exp: now() - HOUR } },
  'a token without an expiry': { claims: { exp: undefined } },
  'a token that is not valid yet': { claims: { nbf: now() + HOUR } },
  'an expiry that is not a number': { claims: { exp: '9999999999' } },
  'alg none': { signature: 'none' },
  'alg none, announced': { signature: 'none', metadata: { id_token_signing_alg_values_supported: ['none'] } },
  'HS256 with the public key': { signature: 'HS256 by the public key' },
  'HS256 with the client secret': { signature: 'HS256 by the secret' },
  'the signature of another key': { signature: 'another key' },
  'an unknown kid': { header: { kid: 'unknown' } },
  'a key address in the header': { header: { kid: 'x', jku: 'https://evil.example/keys' } },
  'a critical extension': { header: { crit: ['b64'], b64: false } },
  'no subject': { claims: { sub: undefined } },
  'an empty subject': { claims: { sub: '' } },
  'a subject that is a number': { claims: { sub: 1001 } },
  'a subject of 256 characters': { claims: { sub: 'x'.repeat(256) } },
  'a subject with a NUL': { claims: { sub: 'a\u0000b' } },
  'no ID token': {
    token: (_request, response) => sendJson(response, { access_token: 'x', token_type: 'Bearer' }),
  },
  'a malformed ID token': {
    token: (_request, response) =>
      sendJson(response, { access_token: 'x', token_type: 'Bearer', id_token: 'a.b.c' }),
  },
};

/** As above, but with an error word for the user. */
const UNVERIFIED: Record<string, ProviderOverrides> = {
  'email_verified false': { claims: { email_verified: false } },
  'email_verified as a string': { claims: { email_verified: 'true' } },
  'no email_verified': { claims: { email_verified: undefined } },
  'two addresses': { claims: { email: 'a@example.org,b@example.org' } },
  'an address with a line break': { claims: { email: 'a@example.org\r\nBcc: b@example.org' } },
  'an address that is an object': { claims: { email: { $ne: '' } } },
};

/** Defects in valid HTTP responses. */
const MALFORMED_RESPONSES = new Set(['no JSON', 'a JSON array']);

t.test('an invalid provider response never signs a user in', async (t) => {
  const before = await database.client.user.count();
  const cases = [
    ...Object.entries(HOSTILE_RESPONSES).map(([name, does]) => ({ name, does, word: 'sign_in_failed' })),
    ...Object.entries(UNVERIFIED).map(([name, does]) => ({ name, does, word: 'email_not_verified' })),
  ];
  for (const { name, does, word } of cases) {
    await t.test(name, async (t) => {
      const trail = await captureAuditEntries(app, async () => {
        const { authorizationUrl, cookie } = await app.begin();
        const query = provider.authorize(authorizationUrl, ADA);
        t.ok(
          isErrorRedirect(await runWithMisbehaviour(does, () => app.returnFromProvider(query, cookie)), word),
        );
        t.ok(
          isErrorRedirect(await app.returnFromProvider(query, cookie)),
          'the same response again is rejected too',
        );
      });
      t.match(trail, [
        { action: 'IDENTITY_SIGN_IN_REJECTED', outcome: 'DENIED' },
        { action: 'IDENTITY_SIGN_IN_REJECTED', outcome: 'DENIED' },
      ]);
    });
  }
  t.equal(await database.client.user.count(), before);
  t.equal(await database.client.session.count(), 0);
});

t.test('a sign-in sends its code verifier, and fails without a PKCE challenge', async (t) => {
  const { authorizationUrl, cookie } = await app.begin();
  const tamperedUrl = new URL(authorizationUrl);
  tamperedUrl.searchParams.delete('code_challenge');
  t.ok(isErrorRedirect(await app.returnFromProvider(provider.authorize(tamperedUrl.href, ADA), cookie)));
  const form = provider.requests.filter(({ path }) => path === '/token').at(-1)?.form;
  t.match(form?.get('code_verifier'), /^[\w-]{43}$/);
});

t.test('a response with another issuer is rejected', async (t) => {
  for (const iss of ['https://accounts.google.com', `${provider.issuer}/`, 'http://evil.example']) {
    const { authorizationUrl, cookie } = await app.begin();
    t.ok(
      isErrorRedirect(
        await app.returnFromProvider({ ...provider.authorize(authorizationUrl, ADA), iss }, cookie),
      ),
      iss,
    );
  }
});

t.test('an authorization code works only for the sign-in it was issued for', async (t) => {
  const [mine, theirs] = [await app.begin(), await app.begin()];
  const [first, second] = [
    provider.authorize(mine.authorizationUrl, ADA),
    provider.authorize(theirs.authorizationUrl, { sub: '666', email: 'mallory@example.org' }),
  ];
  t.ok(
    isErrorRedirect(await app.returnFromProvider({ ...first, code: second.code }, mine.cookie)),
    'the code of another sign-in',
  );
  const third = await app.begin();
  t.ok(
    isErrorRedirect(
      await app.returnFromProvider(
        { ...provider.authorize(third.authorizationUrl, ADA), code: first.code },
        third.cookie,
      ),
    ),
  );
});

t.test('a malformed provider response becomes an error code within the time limit', async (t) => {
  for (const [name, token] of Object.entries(INVALID_RESPONSES)) {
    await t.test(name, async (t) => {
      const { authorizationUrl, cookie } = await app.begin();
      const query = provider.authorize(authorizationUrl, ADA);
      const trail = await captureAuditEntries(app, async () => {
        const refused = await runWithMisbehaviour({ token }, () => app.returnFromProvider(query, cookie));
        t.ok(
          isErrorRedirect(refused, MALFORMED_RESPONSES.has(name) ? 'sign_in_failed' : 'provider_unavailable'),
        );
      });
      t.match(trail, [{ action: 'IDENTITY_SIGN_IN_REJECTED' }]);
    });
  }
  t.equal(await database.client.session.count(), 0);
});

t.test('a sign-in fails when the signing keys are unavailable', async (t) => {
  const fresh = await startSecondInstance(t, app);
  const { authorizationUrl, cookie } = await startSignIn(fresh);
  const query = provider.authorize(authorizationUrl, ADA);
  const jwks = INVALID_RESPONSES['another host, by a redirect'];
  const refused = await runWithMisbehaviour(jwks ? { jwks } : {}, () => followCallback(fresh, query, cookie));
  t.ok(isErrorRedirect(refused, 'provider_unavailable'));
});

t.test('a valid response is accepted after all invalid ones', async (t) => {
  const answer = await app.signIn(ADA);
  t.equal(answer.status, 200);
  t.equal(answer.body.user.email, 'ada@example.org');
});

t.test('an unavailable provider is 503 with Retry-After, at the start and for an ID token', async (t) => {
  provider.does.discovery = (_request, response) => sendJson(response, {}, 500);
  const fresh = await startSecondInstance(t, app);
  const started = await fresh.call('GET', '/api/auth/google');
  t.ok(isProblem(started, 503, 'PROVIDER_UNAVAILABLE'));
  const token = await fresh.call('POST', '/api/auth/google/token', {
    body: { idToken: provider.tokenOf(ADA) },
  });
  t.ok(isProblem(token, 503, 'PROVIDER_UNAVAILABLE'));
  t.notOk(
    JSON.stringify(started.body).includes('127.0.0.1'),
    'the response does not reveal the provider’s address',
  );
  delete provider.does.discovery;
  t.equal(
    (await call('GET', '/api/auth/google')).status,
    200,
    'an instance with cached metadata keeps working',
  );
});

async function runWithMisbehaviour<Result>(
  does: ProviderOverrides,
  work: () => Promise<Result>,
): Promise<Result> {
  Object.assign(provider.does, does);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(does)) Reflect.deleteProperty(provider.does, name);
  }
}
