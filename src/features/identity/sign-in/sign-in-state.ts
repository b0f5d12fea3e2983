import { randomBytes } from 'node:crypto';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { SignInAttempt } from '../../../providers/identity/identity.port.ts';
import { CONTEXT, defineSignedToken } from '../../../shared/crypto/signed-token.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import { hashSignInProof } from './proof-hash.ts';

const RANDOM = /^[\w-]{43}$/;

/** Bound by a PKCE challenge, for clients without cookies. */
const challengedState = defineSignedToken({
  purpose: 'sign-in-state',
  parts: { random: RANDOM, codeChallenge: RANDOM },
  lifetimeSeconds: LIFETIMES_SECONDS.signInAttempt,
});

/** Bound by a cookie, which has the signature. */
const cookieState = defineSignedToken({
  purpose: 'sign-in-cookie',
  parts: { random: RANDOM },
  lifetimeSeconds: LIFETIMES_SECONDS.signInAttempt,
});

/** Binds the code of a sign-in without a challenge to the browser, and ends with it. */
const codeCookie = defineSignedToken({
  purpose: 'sign-in-code-cookie',
  parts: { code: CONTEXT },
  lifetimeSeconds: null,
});

/** Binds a sign-in that links an identity to the session in which it began. */
const identityLink = defineSignedToken({
  purpose: 'identity-link',
  parts: { state: CONTEXT, user: CONTEXT, session: CONTEXT },
  lifetimeSeconds: null,
});

/** Not stored before its use. Nonce and PKCE verifier are keyed hashes of it. */
export interface SignInState {
  state: string;
  /** Null when a cookie binds the state. */
  codeChallenge: string | null;
  expiresAt: Date;
}

/** The cookie is null with a challenge. */
export function createSignInState(
  fieldCipher: FieldCipher,
  codeChallenge?: string,
): { state: string; cookie: string | null } {
  const random = randomBytes(32).toString('base64url');
  if (codeChallenge)
    return { state: challengedState.create(fieldCipher, { random, codeChallenge }), cookie: null };
  const token = cookieState.create(fieldCipher, { random });
  const end = token.lastIndexOf('.');
  return { state: token.slice(0, end), cookie: token.slice(end + 1) };
}

export function createSignInCodeCookieValue(fieldCipher: FieldCipher, code: string): string {
  return codeCookie.create(fieldCipher, { code });
}

export function isSignInCodeCookieValid(
  fieldCipher: FieldCipher,
  code: string,
  cookie: string | undefined,
): boolean {
  return codeCookie.verify(fieldCipher, cookie, { code }) !== null;
}

export function createIdentityLinkBinding(
  fieldCipher: FieldCipher,
  state: string,
  user: { id: string; sessionId: string },
): string {
  return identityLink.create(fieldCipher, toIdentityLinkContext(state, user));
}

export function isIdentityLinkBound(
  fieldCipher: FieldCipher,
  state: string,
  user: { id: string; sessionId: string },
  binding: string | undefined,
): boolean {
  return identityLink.verify(fieldCipher, binding, toIdentityLinkContext(state, user)) !== null;
}

/** A state has the separator of tokens, a hash of it does not. */
function toIdentityLinkContext(state: string, { id, sessionId }: { id: string; sessionId: string }) {
  return { state: hashSignInProof(state).toString('base64url'), user: id, session: sessionId };
}

/** Null when the state is forged, expired, or bound to another browser. */
export function verifySignInState(fieldCipher: FieldCipher, state = '', cookie = ''): SignInState | null {
  const challenged = challengedState.verify(fieldCipher, state, {});
  if (challenged) {
    const { codeChallenge, expiresAt } = challenged;
    return { state, codeChallenge, expiresAt };
  }
  // Otherwise the same token could be divided in two ways.
  if (cookie.includes('.')) return null;
  const bound = cookieState.verify(fieldCipher, `${state}.${cookie}`, {});
  return bound && { state, codeChallenge: null, expiresAt: bound.expiresAt };
}

export function deriveSignInAttempt(
  fieldCipher: FieldCipher,
  state: string,
  redirectUri: string,
): SignInAttempt {
  const secret = (purpose: string) => fieldCipher.hash(purpose, state).toString('base64url');
  return { redirectUri, state, nonce: secret('sign-in-nonce'), codeVerifier: secret('sign-in-verifier') };
}
