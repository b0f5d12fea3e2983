import {
  IdentityProviderError,
  type IdentityProviderErrorReason,
} from '../../../src/providers/identity/identity.port.ts';
import { createOpenIdIdentityProvider } from '../../../src/providers/identity/openid-identity-provider.ts';
import { t } from '../../tap.ts';
import { INVALID_RESPONSES, sendJson, startTestIdentityProvider } from './test-identity-provider.ts';

const ATTEMPT = {
  redirectUri: 'https://qr.example.org/back',
  state: 'state',
  nonce: 'nonce',
  codeVerifier: 'v'.repeat(43),
};
const ADA = { sub: '1001', email: 'ada@example.org', nonce: 'nonce' };

const provider = await startTestIdentityProvider(t);
const { does, requests } = provider;

/** Get the reason of a failure; undefined for a success. */
async function getFailureReason(work: Promise<unknown>): Promise<IdentityProviderErrorReason | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof IdentityProviderError) return error.reason;
    throw error;
  }
}

t.test(
  'a discovery document that is malformed, or of another issuer, makes the provider unavailable',
  async (t) => {
    const others = {
      'another issuer': (_request: unknown, response: Parameters<typeof sendJson>[0]) =>
        sendJson(response, {
          issuer: 'https://accounts.google.com',
          token_endpoint: `${provider.issuer}/token`,
        }),
      'no issuer': (_request: unknown, response: Parameters<typeof sendJson>[0]) => sendJson(response, {}),
      '404': (_request: unknown, response: Parameters<typeof sendJson>[0]) => sendJson(response, {}, 404),
    };
    for (const [name, discovery] of Object.entries({ ...INVALID_RESPONSES, ...others })) {
      does.discovery = discovery;
      const identity = createOpenIdIdentityProvider(provider.settings);
      t.equal(await getFailureReason(identity.createAuthorizationUrl(ATTEMPT)), 'UNAVAILABLE', name);
      delete does.discovery;
    }
  },
);

t.test('unavailable keys make the provider unavailable, invalid keys reject the token', async (t) => {
  const invalidBodies = ['no JSON', 'a JSON array'];
  for (const [name, jwks] of Object.entries(INVALID_RESPONSES)) {
    does.jwks = jwks;
    const identity = createOpenIdIdentityProvider(provider.settings);
    const expected = invalidBodies.includes(name) ? 'REFUSED' : 'UNAVAILABLE';
    t.equal(await getFailureReason(identity.verifyIdToken(provider.tokenOf(ADA), 'nonce')), expected, name);
    delete does.jwks;
  }
});

t.test('caches the discovery document, and failures briefly', async (t) => {
  const countDiscoveryRequests = () => requests.filter(({ path }) => path.startsWith('/.well-known')).length;
  const identity = createOpenIdIdentityProvider(provider.settings);
  const before = countDiscoveryRequests();
  t.equal(before, countDiscoveryRequests(), 'nothing before the first sign-in');
  await Promise.all(Array.from({ length: 20 }, () => identity.createAuthorizationUrl(ATTEMPT)));
  t.equal(countDiscoveryRequests(), before + 1);
  does.discovery = (_request, response) => sendJson(response, {}, 500);
  const unavailable = createOpenIdIdentityProvider(provider.settings);
  for (let tries = 0; tries < 5; tries++)
    t.equal(await getFailureReason(unavailable.createAuthorizationUrl(ATTEMPT)), 'UNAVAILABLE');
  delete does.discovery;
  t.ok(countDiscoveryRequests() <= before + 1 + 3, 'at most every other second');
});

t.test('an unreachable server is unavailable', async (t) => {
  const unreachable = createOpenIdIdentityProvider({ ...provider.settings, issuer: 'http://127.0.0.1:1' });
  t.equal(await getFailureReason(unreachable.createAuthorizationUrl(ATTEMPT)), 'UNAVAILABLE');
  t.equal(
    await getFailureReason(unreachable.exchangeCode(ATTEMPT, { code: 'x', state: 'state' })),
    'UNAVAILABLE',
  );
});

t.test('never requests an https issuer over http', async (t) => {
  const identity = createOpenIdIdentityProvider({
    ...provider.settings,
    issuer: provider.issuer.replace('http:', 'https:'),
  });
  const before = requests.length;
  t.equal(await getFailureReason(identity.createAuthorizationUrl(ATTEMPT)), 'UNAVAILABLE');
  t.equal(requests.length, before);
});

t.test('sends the secret in the header when required', async (t) => {
  does.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
  let header = '';
  does.token = (request, response) => {
    header = String(request.headers.authorization);
    sendJson(response, { error: 'invalid_grant' }, 400);
  };
  const identity = createOpenIdIdentityProvider(provider.settings);
  t.equal(await getFailureReason(identity.exchangeCode(ATTEMPT, { code: 'x', state: 'state' })), 'REFUSED');
  t.match(header, /^Basic /);
  delete does.metadata;
  delete does.token;
});

t.test('gets the email address from the userinfo endpoint for the same subject only', async (t) => {
  does.metadata = { userinfo_endpoint: `${provider.issuer}/userinfo` };
  does.claims = { email: undefined, email_verified: undefined };
  const identity = createOpenIdIdentityProvider(provider.settings);
  const redeem = async (claims: Record<string, unknown>) => {
    does.userinfo = (request, response) => {
      if (request.headers.authorization === 'Bearer an-access-token') sendJson(response, claims);
      else sendJson(response, {}, 401);
    };
    const { code, iss } = provider.authorize(await identity.createAuthorizationUrl(ATTEMPT), ADA);
    return identity.exchangeCode(ATTEMPT, { code, iss, state: ATTEMPT.state });
  };
  const ada = { sub: '1001', email: 'ada@example.org', email_verified: true };
  t.match(await redeem({ ...ada, given_name: 'Ada' }), {
    subject: '1001',
    emailVerified: true,
    givenName: 'Ada',
  });
  t.equal(await getFailureReason(redeem({ ...ada, sub: '1002' })), 'REFUSED');
  const { code, iss } = provider.authorize(await identity.createAuthorizationUrl(ATTEMPT), ADA);
  does.userinfo = () => undefined;
  const silent = identity.exchangeCode(ATTEMPT, { code, iss, state: ATTEMPT.state });
  t.equal(await getFailureReason(silent), 'UNAVAILABLE', 'it accepts and never answers');
  delete does.userinfo;
  delete does.metadata;
  delete does.claims;
});

t.test('the emulator has a name that no provider can have', async (t) => {
  const identity = createOpenIdIdentityProvider({ ...provider.settings, isEmulator: true });
  t.same(
    { issuer: identity.issuer, isEmulator: identity.isEmulator },
    { issuer: 'sandbox', isEmulator: true },
  );
});
