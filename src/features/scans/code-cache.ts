import { LRUCache } from 'lru-cache';
import type { Shown, TellingCode } from './scanned-code.ts';

/** A code as it was read, and what it showed to everybody then. */
export interface KnownCode {
  code: TellingCode;
  shown: Shown;
}

/** Codes that were scanned lately, by id. */
export type CodeCache = LRUCache<string, KnownCode>;

/** Codes kept at most. */
const MOST = 5_000;

/** Bytes of content kept at most, roughly: one in cipher and one in clear. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Milliseconds after which a code that was read is forgotten: what is in clear is not to stay for long. */
const FORGOTTEN_AFTER = 60_000;

/**
 * Codes that many scan at a time, so that each scan need not read them again. What is here is never believed: a scan is
 * stored for the version that it was prepared with, and where the code is at another by now it is read anew.
 */
export function createCodeCache(): CodeCache {
  return new LRUCache<string, KnownCode>({
    max: MOST,
    maxSize: MOST_BYTES,
    sizeCalculation: ({ code }) => 1_000 + 2 * (code.data?.length ?? 0),
    ttl: FORGOTTEN_AFTER,
    ttlAutopurge: true,
  });
}
