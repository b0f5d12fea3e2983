import { randomBytes } from 'node:crypto';
import type { FieldCipher } from '../../../platform/field-cipher.ts';

/** Rotated tokens return the same successor again, for lost responses. */
export const REFRESH_TOKEN_ROTATION_GRACE_MS = 30_000;

/** 256 bits. */
export function generateRefreshToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Not stored: repeats derive the same successor. */
export function deriveNextRefreshToken(fieldCipher: FieldCipher, token: string): string {
  return fieldCipher.hash('refresh-rotation', token).toString('base64url');
}

export function hashRefreshToken(fieldCipher: FieldCipher, token: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('refresh-token', token);
}
