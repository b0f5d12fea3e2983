import { generateKeyPair, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { type Account, Provider } from 'oidc-provider';
import { MemoryStore } from './memory-store.ts';
import { SIGN_IN_PAGE } from './sign-in-page.ts';

const MAX_FORM_BYTES = 4_096;
const EMAIL_PATTERN = /^[!-?A-~]{1,190}@[!-?A-~]{1,60}$/;
const UNVERIFIED_PREFIX = 'unverified:';

export async function createProvider(options: {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}) {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const provider = new Provider(options.issuer, {
    adapter: MemoryStore,
    clients: [
      {
        client_id: options.clientId,
        client_secret: options.clientSecret,
        redirect_uris: [options.redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', kid: 'emulator' }] },
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: [] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    pkce: { required: () => true },
    ttl: {
      AuthorizationCode: 60,
      Interaction: 600,
      Session: 600,
      Grant: 600,
      AccessToken: 600,
      IdToken: 600,
    },
    findAccount: (_context, id) => createAccount(id),
    // No consent page: the address was typed for this sign-in.
    async loadExistingGrant(context) {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client?.clientId,
        accountId: context.oidc.session?.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();

  return (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url?.split('?')[0] ?? '';
    // Without a session each sign-in shows the form.
    if (path === '/auth') delete request.headers.cookie;
    const form = path.startsWith('/interaction/')
      ? handleInteraction(provider, request, response)
      : callback(request, response);
    form.catch(() => {
      if (!response.headersSent) response.writeHead(400);
      response.end('This sign-in has expired. Start again.');
    });
  };
}

async function handleInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await provider.interactionDetails(request, response);
  const form = request.method === 'POST' ? await readForm(request) : null;
  const email = form?.get('email')?.trim().toLowerCase() ?? '';
  if (!EMAIL_PATTERN.test(email)) {
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    });
    response.end(SIGN_IN_PAGE);
    return;
  }
  const accountId = form?.get('verified') ? email : `${UNVERIFIED_PREFIX}${email}`;
  await provider.interactionFinished(request, response, { login: { accountId, remember: false } });
}

/** Every address has an account. */
function createAccount(accountId: string): Account {
  const claims = {
    sub: accountId,
    email: accountId.replace(UNVERIFIED_PREFIX, ''),
    email_verified: !accountId.startsWith(UNVERIFIED_PREFIX),
  };
  return { accountId, claims: () => claims };
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_FORM_BYTES) throw new Error('the form is too large');
  }
  return new URLSearchParams(text);
}
