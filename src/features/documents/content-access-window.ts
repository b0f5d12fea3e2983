import { LRUCache } from 'lru-cache';

/** Milliseconds within which parts of a content belong to one reading. */
const ACCESS_WINDOW_MS = 5 * 60_000;
const MAX_TRACKED_ACCESSES = 10_000;

/**
 * Which readings are under way. A viewer fetches a long content in many ranges: the first of them begins a reading, those
 * of the next five minutes belong to it. An answer without a range is a reading of its own each time.
 */
export interface ContentAccessWindow {
  /** Whether a request begins a reading; `by` names the reader and the content. */
  beginAccess(key: string, isRange: boolean): boolean;
  /** Takes back that a reading began. */
  cancelAccess(key: string): void;
}

/** The window of this instance: readers whose ranges reach several of them begin one at each. */
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
