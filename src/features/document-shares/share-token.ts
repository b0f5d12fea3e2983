import { randomBytes } from 'node:crypto';
import type { Vault } from '../../platform/vault.ts';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * The token of a new share: 256 bits. By chance, or where the request can be repeated derived from its key, which nobody else
 * knows, so that the repeat gets the same; stored hashed either way.
 */
export function shareToken(vault: Vault, shareId: string, idempotencyKey: string | undefined): string {
  const bytes =
    idempotencyKey === undefined
      ? randomBytes(32)
      : vault.hash('document-share-repeat', shareId, idempotencyKey);
  return bytes.toString('base64url');
}

/** The stored form of a token. */
export function shareTokenHash(vault: Vault, token: string): Buffer<ArrayBuffer> {
  return vault.hash('document-share-token', token);
}

/** Whether a text has the form of a token. */
export function isShareToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The token in what somebody pasted: itself, or the link that ends with it; null where there is none. */
export function tokenIn(pasted: string): string | null {
  return /(?:^|[/#])([A-Za-z0-9_-]{43})$/.exec(pasted.trim())?.[1] ?? null;
}
