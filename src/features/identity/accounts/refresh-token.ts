import { randomBytes } from 'node:crypto';
import type { FieldCipher } from '../../../platform/field-cipher.ts';

/** Milliseconds in which a replaced token gets the same successor again, for answers lost on the way. */
export const ROTATION_GRACE_MS = 30_000;

/** The first refresh token of a session: 256 bits of chance. */
export function generateRefreshToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The token that replaces another. It is derived, so that a repeat gets the same one and none is stored. */
export function deriveNextRefreshToken(fieldCipher: FieldCipher, token: string): string {
  return fieldCipher.hash('refresh-rotation', token).toString('base64url');
}

/** The form in which a refresh token is stored. */
export function hashRefreshToken(fieldCipher: FieldCipher, token: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('refresh-token', token);
}
