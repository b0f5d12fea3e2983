import { randomBytes } from 'node:crypto';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { SignInAttempt } from '../../../providers/identity/identity.port.ts';
import { timingSafeEquals } from '../../../shared/crypto/keyed-hash.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

/**
 * `<random>.<expiry>` bound by a cookie, or `<random>.<expiry>.<challenge>.<signature>` without cookies. Not
 * stored before its use; nonce and PKCE verifier are keyed hashes of it.
 */
export interface SignInState {
  state: string;
  /** Null when a cookie binds the state. */
  codeChallenge: string | null;
  expiresAt: Date;
}

export function createSignInState(fieldCipher: FieldCipher, codeChallenge: string | undefined): SignInState {
  const seconds = Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.signInAttempt;
  const start = `${randomBytes(32).toString('base64url')}.${seconds}`;
  const state = codeChallenge
    ? `${start}.${codeChallenge}.${signSignInState(fieldCipher, start, codeChallenge)}`
    : start;
  return { state, codeChallenge: codeChallenge ?? null, expiresAt: new Date(seconds * 1000) };
}

export function deriveSignInStateCookieValue(fieldCipher: FieldCipher, state: string): string {
  return fieldCipher.hash('sign-in-cookie', state).toString('base64url');
}

export function deriveSignInCodeCookieValue(fieldCipher: FieldCipher, code: string): string {
  return fieldCipher.hash('sign-in-code-cookie', code).toString('base64url');
}

/** Null when the state is forged, expired, or bound to another browser. */
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
      : timingSafeEquals(deriveSignInStateCookieValue(fieldCipher, state), cookie ?? '');
  return isBound ? { state, codeChallenge: challenge ?? null, expiresAt } : null;
}

export function deriveSignInAttempt(
  fieldCipher: FieldCipher,
  state: string,
  redirectUri: string,
): SignInAttempt {
  const secret = (purpose: string) => fieldCipher.hash(purpose, state).toString('base64url');
  return { redirectUri, state, nonce: secret('sign-in-nonce'), codeVerifier: secret('sign-in-verifier') };
}

function signSignInState(fieldCipher: FieldCipher, start: string, challenge: string): string {
  return fieldCipher.hash('sign-in-state', start, challenge).toString('base64url');
}
