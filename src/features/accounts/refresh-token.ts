import { randomBytes } from 'node:crypto';
import type { Vault } from '../../platform/vault.ts';

/** Milliseconds in which a replaced token gets the same successor again, for answers lost on the way. */
export const ROTATION_GRACE = 30_000;

/** The first refresh token of a session: 256 bits of chance. */
export function firstRefreshToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The token that replaces another. It is derived, so that a repeat gets the same one and none is stored. */
export function successorOf(vault: Vault, token: string): string {
  return vault.hash('refresh-rotation', token).toString('base64url');
}

/** The form in which a refresh token is stored. */
export function refreshTokenHash(vault: Vault, token: string): Buffer<ArrayBuffer> {
  return vault.hash('refresh-token', token);
}
