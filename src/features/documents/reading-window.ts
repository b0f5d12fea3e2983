import { LRUCache } from 'lru-cache';

/** Milliseconds within which parts of a content belong to one reading. */
const WINDOW = 5 * 60_000;
const MOST = 10_000;

/**
 * Which readings are under way. A viewer fetches a long content in many ranges: the first of them begins a reading, those
 * of the next five minutes belong to it. An answer without a range is a reading of its own each time.
 */
export interface ReadingWindow {
  /** Whether a request begins a reading; `by` names the reader and the content. */
  begins(by: string, isRange: boolean): boolean;
  /** Takes back that a reading began. */
  forget(by: string): void;
}

/** The window of this instance: readers whose ranges reach several of them begin one at each. */
export function createReadingWindow(): ReadingWindow {
  const begun = new LRUCache<string, true>({ max: MOST, ttl: WINDOW });
  return {
    begins(by, isRange) {
      if (isRange && begun.has(by)) return false;
      begun.set(by, true);
      return true;
    },
    forget: (by) => void begun.delete(by),
  };
}
