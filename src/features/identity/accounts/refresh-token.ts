import { randomBytes } from 'node:crypto';
import type { FieldCipher } from '../../../platform/field-cipher.ts';

/** Time in which a rotated token returns the same successor again, for lost responses. */
export const ROTATION_GRACE_MS = 30_000;

/** Generate the first refresh token of a session (256 bits). */
export function generateRefreshToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Derive the successor of a token. It is not stored, and repeats derive the same one. */
export function deriveNextRefreshToken(fieldCipher: FieldCipher, token: string): string {
  return fieldCipher.hash('refresh-rotation', token).toString('base64url');
}

export function hashRefreshToken(fieldCipher: FieldCipher, token: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('refresh-token', token);
}
