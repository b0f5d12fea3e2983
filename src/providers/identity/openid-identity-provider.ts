import * as openid from 'openid-client';
import { DAY_MS } from '../../shared/durations.ts';
import { sendHttpRequest } from '../../shared/http-client.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { type IdentityProvider, IdentityProviderError, type VerifiedIdentity } from './identity.port.ts';

export interface OpenIdSettings {
  /** HTTPS, or HTTP on loopback. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Other clients that may ask for ID tokens of ours. */
  authorizedParties?: readonly string[];
  /** Set for the emulator, whose URL changes with every start. */
  isEmulator?: boolean;
}

const REQUEST_TIMEOUT_SECONDS = 4;

const RETRY_DELAY_MS = 2_000;

const ID_TOKEN_GRANT = 'urn:qr-profile-service:id-token';

/** Maximum lifetime of an accepted ID token, and the time that its use is remembered. */
const MAX_ID_TOKEN_LIFETIME_MS = DAY_MS;

interface DiscoveredConfigurations {
  redirect: openid.Configuration;
  token: openid.Configuration;
}

/** Create a client of an OpenID Connect provider. It makes no request before the first sign-in. */
export function createOpenIdIdentityProvider(settings: OpenIdSettings): IdentityProvider {
  const discovered = cacheDiscovery(() => discoverConfigurations(settings));
  const authorizedParties = new Set<unknown>([settings.clientId, ...(settings.authorizedParties ?? [])]);
  /** The library checks the authorized party of several audiences only (OpenID Connect Core, 3.1.3.7). */
  const requireAuthorizedParty = ({ azp }: openid.IDToken) => {
    if (azp !== undefined && !authorizedParties.has(azp)) throw new IdentityProviderError('REFUSED');
  };

  return {
    issuer: settings.isEmulator ? 'sandbox' : settings.issuer.replace(/\/$/, ''),
    isEmulator: settings.isEmulator ?? false,

    createAuthorizationUrl: (attempt) =>
      mapIdentityErrors(async () => {
        const { redirect } = await discovered();
        const url = openid.buildAuthorizationUrl(redirect, {
          redirect_uri: attempt.redirectUri,
          scope: 'openid email profile',
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(attempt.codeVerifier),
          code_challenge_method: 'S256',
        });
        return url.href;
      }),

    exchangeCode: (attempt, answer) =>
      mapIdentityErrors(async () => {
        const { redirect } = await discovered();
        const url = new URL(attempt.redirectUri);
        for (const [name, value] of Object.entries(answer)) {
          if (value !== undefined) url.searchParams.set(name, value);
        }
        const tokens = await openid.authorizationCodeGrant(redirect, url, {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new IdentityProviderError('REFUSED');
        requireAuthorizedParty(claims);
        // Some providers return the email address only from the userinfo endpoint.
        if (claims.email !== undefined) return toVerifiedIdentity(claims);
        return toVerifiedIdentity(await openid.fetchUserInfo(redirect, tokens.access_token, claims.sub));
      }),

    verifyIdToken: (idToken, nonce) =>
      mapIdentityErrors(async () => {
        const { token } = await discovered();
        const answer = await openid.genericGrantRequest(token, ID_TOKEN_GRANT, { id_token: idToken });
        const claims = answer.claims();
        if (!claims || claims.nonce !== nonce) throw new IdentityProviderError('REFUSED');
        requireAuthorizedParty(claims);
        const expiresAt = new Date(claims.exp * 1000);
        if (!(expiresAt.getTime() <= Date.now() + MAX_ID_TOKEN_LIFETIME_MS))
          throw new IdentityProviderError('REFUSED');
        return { ...toVerifiedIdentity(claims), expiresAt };
      }),
  };
}

async function discoverConfigurations({
  issuer,
  clientId,
  clientSecret,
}: OpenIdSettings): Promise<DiscoveredConfigurations> {
  const url = new URL(issuer);
  const plain = url.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
  try {
    const found = await openid.discovery(url, clientId, undefined, openid.None(), {
      timeout: REQUEST_TIMEOUT_SECONDS,
      execute: plain,
      [openid.customFetch]: fetchWithLimits,
    });
    const server = found.serverMetadata();
    const configuration = (
      authentication: openid.ClientAuth,
      fetchWith: openid.CustomFetch,
    ): openid.Configuration => {
      const config = new openid.Configuration(server, clientId, undefined, authentication);
      config.timeout = REQUEST_TIMEOUT_SECONDS;
      config[openid.customFetch] = fetchWith;
      for (const extension of plain) extension(config);
      // Otherwise the library relies on TLS and does not check signatures.
      openid.enableNonRepudiationChecks(config);
      return config;
    };
    return {
      redirect: configuration(selectClientAuthentication(server, clientSecret), fetchWithLimits),
      token: configuration(openid.None(), createIdTokenFetch(server.token_endpoint)),
    };
  } catch (cause) {
    throw new IdentityProviderError('UNAVAILABLE', { cause });
  }
}

/** Select the first supported method; a missing list means Basic (OpenID Connect Discovery, section 3). */
function selectClientAuthentication(server: openid.ServerMetadata, secret: string): openid.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_post')
    ? openid.ClientSecretPost(secret)
    : openid.ClientSecretBasic(secret);
}

/** Wrap an ID token in a token response: the library verifies it only there. Keys come from the provider. */
function createIdTokenFetch(endpoint = ''): openid.CustomFetch {
  const tokenEndpoint = URL.canParse(endpoint) ? new URL(endpoint).href : null;
  return async (url, request) => {
    if (url !== tokenEndpoint) return fetchWithLimits(url, request);
    const idToken = new URLSearchParams(String(request.body)).get('id_token');
    return Response.json({ access_token: 'none', token_type: 'bearer', id_token: idToken });
  };
}

function cacheDiscovery(
  load: () => Promise<DiscoveredConfigurations>,
): () => Promise<DiscoveredConfigurations> {
  let cached: { answer: Promise<DiscoveredConfigurations>; until: number } | undefined;
  return () => {
    if (!cached || cached.until <= Date.now()) {
      const entry = { answer: load(), until: Date.now() + LIFETIMES_SECONDS.providerDiscovery * 1000 };
      cached = entry;
      entry.answer.catch(() => {
        entry.until = Date.now() + RETRY_DELAY_MS;
      });
    }
    return cached.answer;
  };
}

async function mapIdentityErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toIdentityProviderError(error);
  }
}

/** The library wraps errors of the fetch above at varying depth. */
function toIdentityProviderError(error: unknown): IdentityProviderError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof IdentityProviderError) return cause;
  }
  if (error instanceof openid.AuthorizationResponseError) {
    if (error.error === 'access_denied') return new IdentityProviderError('DENIED');
    const isUnavailable = ['server_error', 'temporarily_unavailable'].includes(error.error);
    return new IdentityProviderError(isUnavailable ? 'UNAVAILABLE' : 'REFUSED', { cause: error });
  }
  return new IdentityProviderError('REFUSED', { cause: error });
}

/** Visible ASCII (OpenID Connect Core, section 2). */
const SUBJECT_PATTERN = /^[\x20-\x7e]{1,255}$/;

/** Convert verified claims. @throws IdentityProviderError REFUSED for an invalid subject */
function toVerifiedIdentity(claims: { sub: string } & Record<string, unknown>): VerifiedIdentity {
  if (!SUBJECT_PATTERN.test(claims.sub)) throw new IdentityProviderError('REFUSED');
  return {
    subject: claims.sub,
    email: toOptionalString(claims.email),
    emailVerified: claims.email_verified === true,
    givenName: toOptionalString(claims.given_name),
    familyName: toOptionalString(claims.family_name),
  };
}

function toOptionalString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Far above any real response. */
const MAX_RESPONSE_BYTES = 256 * 1024;

interface FetchOptions {
  method: string;
  headers: Record<string, string>;
  body?: RequestInit['body'] | undefined;
  signal?: AbortSignal | undefined;
}

/** Fetch without redirects. @throws IdentityProviderError UNAVAILABLE, also for a server error */
async function fetchWithLimits(url: string, request: FetchOptions): Promise<Response> {
  try {
    const { status, headers, body } = await sendHttpRequest(url, {
      method: request.method === 'POST' ? 'POST' : 'GET',
      headers: request.headers,
      ...(request.body ? { body: String(request.body) } : {}),
      timeoutMs: REQUEST_TIMEOUT_SECONDS * 1000,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      signal: request.signal,
    });
    const isUsable = (status >= 200 && status < 300) || (status >= 400 && status < 500);
    if (!isUsable) throw new Error(`status ${status}`);
    return new Response(body.length > 0 ? body : null, { status, headers });
  } catch (cause) {
    throw new IdentityProviderError('UNAVAILABLE', { cause });
  }
}
