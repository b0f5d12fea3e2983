import * as openid from 'openid-client';
import { LIFETIMES } from '../../shared/lifetimes.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { IdentityFailure, type IdentityProvider } from './identity.port.ts';
import { identityOf } from './identity-claims.ts';

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
const TIMEOUT = 4;

/** Milliseconds during which a provider that could not be reached is not asked again. */
const PAUSE = 2_000;

const ID_TOKEN_GRANT = 'urn:qr-profile-service:id-token';

/** The longest life of an ID token that is accepted, in milliseconds: so long it is remembered as used. */
const LONGEST_TOKEN = 24 * 60 * 60 * 1000;

interface Discovered {
  /** For sign-ins by redirect. */
  redirect: openid.Configuration;
  /** For ID tokens alone. */
  token: openid.Configuration;
}

/** Signs in by any OpenID Connect provider. Asks it nothing before the first sign-in. */
export function createOpenIdIdentity(settings: OpenIdSettings): IdentityProvider {
  const discovered = remembered(() => discover(settings));

  return {
    issuer: settings.isEmulator ? 'sandbox' : settings.issuer.replace(/\/$/, ''),
    isEmulator: settings.isEmulator ?? false,

    authorizationUrl: (attempt) =>
      withFailures(async () => {
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

    redeem: (attempt, answer) =>
      withFailures(async () => {
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
        if (!claims) throw new IdentityFailure('REFUSED');
        // Some providers tell of the address only when asked with the access token.
        if (claims.email !== undefined) return identityOf(claims);
        return identityOf(await openid.fetchUserInfo(redirect, tokens.access_token, claims.sub));
      }),

    verifyIdToken: (idToken, nonce) =>
      withFailures(async () => {
        const { token } = await discovered();
        const answer = await openid.genericGrantRequest(token, ID_TOKEN_GRANT, { id_token: idToken });
        const claims = answer.claims();
        if (!claims || claims.nonce !== nonce) throw new IdentityFailure('REFUSED');
        const expiresAt = new Date(claims.exp * 1000);
        if (!(expiresAt.getTime() <= Date.now() + LONGEST_TOKEN)) throw new IdentityFailure('REFUSED');
        return { ...identityOf(claims), expiresAt };
      }),
  };
}

async function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Discovered> {
  const url = new URL(issuer);
  const plain = url.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
  try {
    const found = await openid.discovery(url, clientId, undefined, openid.None(), {
      timeout: TIMEOUT,
      execute: plain,
      [openid.customFetch]: boundedFetch,
    });
    const server = found.serverMetadata();
    const configuration = (
      authentication: openid.ClientAuth,
      fetchWith: openid.CustomFetch,
    ): openid.Configuration => {
      const made = new openid.Configuration(server, clientId, undefined, authentication);
      made.timeout = TIMEOUT;
      made[openid.customFetch] = fetchWith;
      for (const extension of plain) extension(made);
      // Without it the library trusts TLS alone and looks at no signature.
      openid.enableNonRepudiationChecks(made);
      return made;
    };
    return {
      redirect: configuration(authenticationOf(server, clientSecret), boundedFetch),
      token: configuration(openid.None(), answeringWithToken(server.token_endpoint)),
    };
  } catch (cause) {
    throw new IdentityFailure('UNAVAILABLE', { cause });
  }
}

/** The first that the provider takes; a list that is not given means Basic (OpenID Connect Discovery, section 3). */
function authenticationOf(server: openid.ServerMetadata, secret: string): openid.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_post')
    ? openid.ClientSecretPost(secret)
    : openid.ClientSecretBasic(secret);
}

/**
 * The library verifies ID tokens only as a part of a token endpoint's answer. For one that came from elsewhere the
 * answer is made of it; its keys come from the provider all the same.
 */
function answeringWithToken(endpoint = ''): openid.CustomFetch {
  const tokenEndpoint = URL.canParse(endpoint) ? new URL(endpoint).href : null;
  return async (url, request) => {
    if (url !== tokenEndpoint) return boundedFetch(url, request);
    const idToken = new URLSearchParams(String(request.body)).get('id_token');
    return Response.json({ access_token: 'none', token_type: 'bearer', id_token: idToken });
  };
}

/** A result that is kept for an hour, and a failure for a moment; parallel calls wait for one request. */
function remembered(ask: () => Promise<Discovered>): () => Promise<Discovered> {
  let known: { answer: Promise<Discovered>; until: number } | undefined;
  return () => {
    if (!known || known.until <= Date.now()) {
      const entry = { answer: ask(), until: Date.now() + LIFETIMES.providerDiscovery * 1000 };
      known = entry;
      entry.answer.catch(() => {
        entry.until = Date.now() + PAUSE;
      });
    }
    return known.answer;
  };
}

async function withFailures<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(error);
  }
}

/** The library wraps what the fetch above threw, at some depth. */
function failureOf(error: unknown): IdentityFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof IdentityFailure) return cause;
  }
  if (error instanceof openid.AuthorizationResponseError) {
    if (error.error === 'access_denied') return new IdentityFailure('DENIED');
    const isAway = ['server_error', 'temporarily_unavailable'].includes(error.error);
    return new IdentityFailure(isAway ? 'UNAVAILABLE' : 'REFUSED', { cause: error });
  }
  return new IdentityFailure('REFUSED', { cause: error });
}
