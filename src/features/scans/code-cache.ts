import { LRUCache } from 'lru-cache';
import type { QrCodeWithNotificationSettings, VisibleQrCodeContent } from './scanned-code.ts';

export interface CachedQrCode {
  code: QrCodeWithNotificationSettings;
  content: VisibleQrCodeContent;
}

export type QrCodeCache = LRUCache<string, CachedQrCode>;

const MAX_CODES = 5_000;

/** Approximate: encrypted and decrypted content. */
const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/** Short, since the cache contains decrypted content. */
const TTL_MS = 60_000;

/** Entries may be stale: a scan is stored only if the version and `ownerBlocks` of its code are still the same. */
export function createQrCodeCache(): QrCodeCache {
  return new LRUCache<string, CachedQrCode>({
    max: MAX_CODES,
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ code }) => 1_000 + 2 * (code.data?.length ?? 0) + 1_500 * code.pictures.length,
    ttl: TTL_MS,
    ttlAutopurge: true,
  });
}
