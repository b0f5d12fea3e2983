import { randomBytes } from 'node:crypto';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { SignInAttempt } from '../../../providers/identity/identity.port.ts';
import { timingSafeEquals } from '../../../shared/crypto/keyed-hash.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

/**
 * The state of a sign-in, which goes to the provider and comes back: `<chance>.<end>` bound by a cookie, or
 * `<chance>.<end>.<challenge>.<signature>` bound by the challenge of a client that keeps no cookie of ours.
 * Nothing is stored before it is used. Nonce and PKCE secret are keyed hashes of it, so that only the service knows
 * them.
 */
export interface SignInState {
  state: string;
  /** Of the client that began; null where a cookie binds. */
  codeChallenge: string | null;
  expiresAt: Date;
}

/** A new state, with the challenge of the client where it has one. */
export function createSignInState(fieldCipher: FieldCipher, codeChallenge: string | undefined): SignInState {
  const seconds = Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.signInAttempt;
  const start = `${randomBytes(32).toString('base64url')}.${seconds}`;
  const state = codeChallenge
    ? `${start}.${codeChallenge}.${signSignInState(fieldCipher, start, codeChallenge)}`
    : start;
  return { state, codeChallenge: codeChallenge ?? null, expiresAt: new Date(seconds * 1000) };
}

/** The value of the cookie that binds a state to a browser. */
export function deriveStateCookieValue(fieldCipher: FieldCipher, state: string): string {
  return fieldCipher.hash('sign-in-cookie', state).toString('base64url');
}

/** The value of the cookie that binds a one-time code to the browser that it was given to. */
export function deriveCodeCookieValue(fieldCipher: FieldCipher, code: string): string {
  return fieldCipher.hash('sign-in-code-cookie', code).toString('base64url');
}

/** The state that came back, where it is ours, has not ended, and is bound to whoever brings it; else null. */
export function verifySignInState(
  fieldCipher: FieldCipher,
  state: string | undefined,
  cookie: string | undefined,
): SignInState | null {
  const [, start = '', seconds = '', , challenge, signed] =
    /^([\w-]{43}\.(\d{10}))(\.([\w-]{43})\.([\w-]{43}))?$/.exec(state ?? '') ?? [];
  const expiresAt = new Date(Number(seconds) * 1000);
  if (!state || !start || expiresAt.getTime() <= Date.now()) return null;
  const isBound =
    challenge !== undefined && signed !== undefined
      ? timingSafeEquals(signSignInState(fieldCipher, start, challenge), signed)
      : timingSafeEquals(deriveStateCookieValue(fieldCipher, state), cookie ?? '');
  return isBound ? { state, codeChallenge: challenge ?? null, expiresAt } : null;
}

/** What goes to the provider, and what its answer is checked against. */
export function toSignInAttempt(fieldCipher: FieldCipher, state: string, redirectUri: string): SignInAttempt {
  const secret = (purpose: string) => fieldCipher.hash(purpose, state).toString('base64url');
  return { redirectUri, state, nonce: secret('sign-in-nonce'), codeVerifier: secret('sign-in-verifier') };
}

function signSignInState(fieldCipher: FieldCipher, start: string, challenge: string): string {
  return fieldCipher.hash('sign-in-state', start, challenge).toString('base64url');
}
