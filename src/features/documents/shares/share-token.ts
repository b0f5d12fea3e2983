import { randomBytes } from 'node:crypto';
import type { FieldCipher } from '../../../platform/field-cipher.ts';

const SHARE_TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/**
 * The token of a new share: 256 bits. By chance, or where the request can be repeated derived from its key, which nobody else
 * knows, so that the repeat gets the same; stored hashed either way.
 */
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

/** The stored form of a token. */
export function hashShareToken(fieldCipher: FieldCipher, token: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('document-share-token', token);
}

/** Whether a text has the form of a token. */
export function isShareToken(text: string): boolean {
  return SHARE_TOKEN_PATTERN.test(text);
}

/** The token in what somebody pasted: itself, or the link that ends with it; null where there is none. */
export function findShareToken(input: string): string | null {
  return /(?:^|[/#])([A-Za-z0-9_-]{43})$/.exec(input.trim())?.[1] ?? null;
}
