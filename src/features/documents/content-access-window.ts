import { LRUCache } from 'lru-cache';

/** Range requests of one reader for one version within this time are one access. */
const ACCESS_WINDOW_MS = 5 * 60_000;
const MAX_TRACKED_ACCESSES = 10_000;

export interface ContentAccessTracker {
  /** A request without a range always begins an access. */
  beginAccess(key: string, isRange: boolean): boolean;
  cancelAccess(key: string): void;
}

/** Per instance: a reader whose ranges reach several instances starts one access at each. */
export function createContentAccessTracker(): ContentAccessTracker {
  const activeAccesses = new LRUCache<string, true>({ max: MAX_TRACKED_ACCESSES, ttl: ACCESS_WINDOW_MS });
  return {
    beginAccess(key, isRange) {
      if (isRange && activeAccesses.has(key)) return false;
      activeAccesses.set(key, true);
      return true;
    },
    cancelAccess: (key) => void activeAccesses.delete(key),
  };
}
