import * as openid from 'openid-client';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { fetchWithLimits } from './fetch-with-limits.ts';
import { type IdentityProvider, IdentityProviderError } from './identity.port.ts';
import { toVerifiedIdentity } from './identity-claims.ts';

/** Where the provider is, and how it knows the service. */
export interface OpenIdSettings {
  /** Https, but on loopback. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Set for the emulator, whose address changes with every start. */
  isEmulator?: boolean;
}

/** Seconds for each of the two or three requests that a sign-in makes. */
const REQUEST_TIMEOUT_SECONDS = 4;

/** Milliseconds during which a provider that could not be reached is not asked again. */
const RETRY_DELAY_MS = 2_000;

const ID_TOKEN_GRANT = 'urn:qr-profile-service:id-token';

/** The longest life of an ID token that is accepted, in milliseconds: so long it is remembered as used. */
const MAX_ID_TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000;

interface DiscoveredConfigurations {
  /** For sign-ins by redirect. */
  redirect: openid.Configuration;
  /** For ID tokens alone. */
  token: openid.Configuration;
}

/** Signs in by any OpenID Connect provider. Asks it nothing before the first sign-in. */
export function createOpenIdIdentityProvider(settings: OpenIdSettings): IdentityProvider {
  const discovered = cacheDiscovery(() => discoverConfigurations(settings));

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
        // Some providers tell of the address only when asked with the access token.
        if (claims.email !== undefined) return toVerifiedIdentity(claims);
        return toVerifiedIdentity(await openid.fetchUserInfo(redirect, tokens.access_token, claims.sub));
      }),

    verifyIdToken: (idToken, nonce) =>
      mapIdentityErrors(async () => {
        const { token } = await discovered();
        const answer = await openid.genericGrantRequest(token, ID_TOKEN_GRANT, { id_token: idToken });
        const claims = answer.claims();
        if (!claims || claims.nonce !== nonce) throw new IdentityProviderError('REFUSED');
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
      // Without it the library trusts TLS alone and looks at no signature.
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

/** The first that the provider takes; a list that is not given means Basic (OpenID Connect Discovery, section 3). */
function selectClientAuthentication(server: openid.ServerMetadata, secret: string): openid.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_post')
    ? openid.ClientSecretPost(secret)
    : openid.ClientSecretBasic(secret);
}

/**
 * The library verifies ID tokens only as a part of a token endpoint's answer. For one that came from elsewhere the
 * answer is made of it; its keys come from the provider all the same.
 */
function createIdTokenFetch(endpoint = ''): openid.CustomFetch {
  const tokenEndpoint = URL.canParse(endpoint) ? new URL(endpoint).href : null;
  return async (url, request) => {
    if (url !== tokenEndpoint) return fetchWithLimits(url, request);
    const idToken = new URLSearchParams(String(request.body)).get('id_token');
    return Response.json({ access_token: 'none', token_type: 'bearer', id_token: idToken });
  };
}

/** A result that is kept for an hour, and a failure for a moment; parallel calls wait for one request. */
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

/** The library wraps what the fetch above threw, at some depth. */
function toIdentityProviderError(error: unknown): IdentityProviderError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof IdentityProviderError) return cause;
  }
  if (error instanceof openid.AuthorizationResponseError) {
    if (error.error === 'access_denied') return new IdentityProviderError('DENIED');
    const isAway = ['server_error', 'temporarily_unavailable'].includes(error.error);
    return new IdentityProviderError(isAway ? 'UNAVAILABLE' : 'REFUSED', { cause: error });
  }
  return new IdentityProviderError('REFUSED', { cause: error });
}
