import { randomBytes } from 'node:crypto';
import type { FieldCipher } from '../../../platform/field-cipher.ts';

const SHARE_TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** 256 bits, stored as a hash; derived from an Idempotency-Key, so that a repeat gets the same token. */
export function createShareToken(
  fieldCipher: FieldCipher,
  shareId: string,
  idempotencyKey: string | undefined,
): string {
  const bytes =
    idempotencyKey === undefined
      ? randomBytes(32)
      : fieldCipher.hash('document-share-repeat', shareId, idempotencyKey);
  return bytes.toString('base64url');
}

export function hashShareToken(fieldCipher: FieldCipher, token: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('document-share-token', token);
}

export function hasShareTokenFormat(text: string): boolean {
  return SHARE_TOKEN_PATTERN.test(text);
}

export function extractShareToken(input: string): string | null {
  return /(?:^|[/#])([A-Za-z0-9_-]{43})$/.exec(input.trim())?.[1] ?? null;
}
