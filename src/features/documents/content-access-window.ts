import { LRUCache } from 'lru-cache';

/** Range requests of one reader for one version within this time are one access. */
const ACCESS_WINDOW_MS = 5 * 60_000;
const MAX_TRACKED_ACCESSES = 10_000;

/** Accesses under way. A viewer fetches long content in many ranges, which count as one access. */
export interface ContentAccessWindow {
  /** Return whether this request starts a new access. A request without a range always does. */
  beginAccess(key: string, isRange: boolean): boolean;
  cancelAccess(key: string): void;
}

/** Create the window of this instance. A reader whose ranges reach several instances starts one access at each. */
export function createContentAccessWindow(): ContentAccessWindow {
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
