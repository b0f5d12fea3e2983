import { LRUCache } from 'lru-cache';
import type { CodeWithNotificationSettings, VisibleContent } from './scanned-code.ts';

/** A code as it was read, and what it showed to everybody then. */
export interface CachedCode {
  code: CodeWithNotificationSettings;
  shown: VisibleContent;
}

/** Codes that were scanned lately, by id. */
export type CodeCache = LRUCache<string, CachedCode>;

/** Codes kept at most. */
const MAX_CODES = 5_000;

/** Bytes of content kept at most, roughly: one in cipher and one in clear. */
const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/** Milliseconds after which a code that was read is forgotten: what is in clear is not to stay for long. */
const TTL_MS = 60_000;

/**
 * Codes that many scan at a time, so that each scan need not read them again. What is here is never believed: a scan is
 * stored for the version that it was prepared with, and where the code is at another by now it is read anew.
 */
export function createCodeCache(): CodeCache {
  return new LRUCache<string, CachedCode>({
    max: MAX_CODES,
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ code }) => 1_000 + 2 * (code.data?.length ?? 0),
    ttl: TTL_MS,
    ttlAutopurge: true,
  });
}
