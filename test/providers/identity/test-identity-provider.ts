import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

type JsonObject = Record<string, unknown>;
type ProviderResponse = (request: IncomingMessage, response: ServerResponse) => void;

const SIGNING_KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const UNKNOWN_KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Only RS256 is accepted. */
export type SignatureVariant =
  | 'RS256'
  | 'none'
  | 'HS256 by the public key'
  | 'HS256 by the secret'
  | 'another key';

/** Deviations from a correct provider, set by a test. */
export interface ProviderOverrides {
  /** Changed claims; undefined removes one. */
  claims?: JsonObject;
  header?: JsonObject;
  signature?: SignatureVariant;
  metadata?: JsonObject;
  discovery?: ProviderResponse;
  token?: ProviderResponse;
  jwks?: ProviderResponse;
  userinfo?: ProviderResponse;
}

export const TEST_CLIENT = {
  clientId: 'the-service',
  clientSecret: 'a secret of the tests, long enough for HS256',
};

/**
 * Start an OpenID Connect provider on loopback. `authorize` acts as its sign-in page and returns the
 * parameters of the redirect.
 */
export async function startTestIdentityProvider(t: Test) {
  const behavior: ProviderOverrides = {};
  const codes = new Map<string, { nonce: string; challenge: string; claims: JsonObject }>();
  const requests: { path: string; form: URLSearchParams }[] = [];
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    let text = '';
    for await (const chunk of request) text += String(chunk);
    requests.push({ path, form: new URLSearchParams(text) });
    if (path === '/.well-known/openid-configuration')
      return behavior.discovery ? behavior.discovery(request, response) : sendJson(response, metadata());
    if (path === '/jwks')
      return behavior.jwks
        ? behavior.jwks(request, response)
        : sendJson(response, { keys: [getPublicJwk()] });
    if (path === '/token') {
      if (behavior.token) return behavior.token(request, response);
      const { body, status } = tokenAnswer(text);
      return sendJson(response, body, status);
    }
    if (path === '/userinfo' && behavior.userinfo) return behavior.userinfo(request, response);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });

  function metadata(): JsonObject {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      ...behavior.metadata,
    };
  }

  function tokenAnswer(text: string): { body: JsonObject; status: number } {
    const form = new URLSearchParams(text);
    const known = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isClient =
      form.get('client_id') === TEST_CLIENT.clientId &&
      form.get('client_secret') === TEST_CLIENT.clientSecret;
    if (!known || !isClient || challenge !== known.challenge)
      return { body: { error: 'invalid_grant' }, status: 400 };
    const idToken = createIdToken({ nonce: known.nonce, ...known.claims });
    return {
      body: { access_token: 'an-access-token', token_type: 'Bearer', id_token: idToken },
      status: 200,
    };
  }

  /** Sign an ID token with the default claims and these. */
  function createIdToken(claims: JsonObject): string {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: issuer, aud: TEST_CLIENT.clientId, iat: now, exp: now + 600, email_verified: true };
    return signIdToken(
      { ...usual, ...claims, ...behavior.claims },
      behavior.header ?? {},
      behavior.signature ?? 'RS256',
    );
  }

  return {
    issuer,
    does: behavior,
    requests,
    tokenOf: createIdToken,
    settings: { issuer, ...TEST_CLIENT },
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: TEST_CLIENT.clientId,
      OIDC_CLIENT_SECRET: TEST_CLIENT.clientSecret,
    },
    /** Approve a sign-in and return the parameters of the redirect. */
    authorize(authorizationUrl: string, claims: JsonObject): { code: string; state: string; iss: string } {
      const query = new URL(authorizationUrl).searchParams;
      const code = `code-${codes.size}-${Math.random().toString(36).slice(2)}`;
      const [nonce, challenge] = [query.get('nonce') ?? '', query.get('code_challenge') ?? ''];
      codes.set(code, { nonce, challenge, claims });
      return { code, state: query.get('state') ?? '', iss: issuer };
    },
  };
}

export type TestIdentityProvider = Awaited<ReturnType<typeof startTestIdentityProvider>>;

function signIdToken(claims: JsonObject, header: JsonObject, signature: SignatureVariant): string {
  const alg = signature.startsWith('HS256') ? 'HS256' : signature === 'none' ? 'none' : 'RS256';
  const part = (value: JsonObject) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${part({ alg, kid: 'k1', ...header })}.${part(claims)}`;
  return `${input}.${computeSignature(input, signature)}`;
}

function computeSignature(input: string, signature: SignatureVariant): string {
  const rsa = (key: KeyObject) => sign('sha256', Buffer.from(input), key).toString('base64url');
  const hmac = (key: string) => createHmac('sha256', key).update(input).digest('base64url');
  switch (signature) {
    case 'none':
      return '';
    case 'HS256 by the public key':
      return hmac(SIGNING_KEYS.publicKey.export({ type: 'spki', format: 'pem' }).toString());
    case 'HS256 by the secret':
      return hmac(TEST_CLIENT.clientSecret);
    case 'another key':
      return rsa(UNKNOWN_KEYS.privateKey);
    case 'RS256':
      return rsa(SIGNING_KEYS.privateKey);
  }
}

function getPublicJwk(): JsonObject {
  return { ...SIGNING_KEYS.publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' };
}

export function sendJson(response: ServerResponse, body: JsonObject, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Invalid responses by kind. */
export const INVALID_RESPONSES: Record<string, ProviderResponse> = {
  'nothing at all': () => undefined,
  'another host, by a redirect': (_request, response) =>
    void response.writeHead(302, { Location: 'http://127.0.0.1:9/elsewhere' }).end(),
  'nothing, slowly': (_request, response) =>
    void response.writeHead(200, { 'Content-Type': 'application/json' }).write('{'),
  '300 KB': (_request, response) => sendJson(response, { padding: 'x'.repeat(300_000) }),
  'no end': (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  },
  'no JSON': (_request, response) =>
    void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Not here</h1>'),
  'a JSON array': (_request, response) =>
    void response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]'),
  '500': (_request, response) => sendJson(response, { error: 'server_error' }, 500),
  'a reset': (request) => void request.socket.destroy(),
};
