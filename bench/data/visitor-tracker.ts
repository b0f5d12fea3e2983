import {
  DUPLICATE_SCAN_WINDOW_SECONDS,
  SAME_VISITOR_RULE,
  type ScanClass,
} from '../../src/features/scans/scan-class.rules.ts';
import { DAY_MS } from '../../src/shared/durations.ts';

export interface ScanClassification {
  class: ScanClass;
  rule: string;
  isUnique: boolean;
}

/** Separate first scans per visitor and UTC day from others as the service does; scans must be chronological. */
export function createVisitorTracker(): (
  visitor: string,
  at: Date,
  decision: Omit<ScanClassification, 'isUnique'>,
) => ScanClassification {
  let day = 0;
  let today = new Map<string, number>();
  let yesterday = new Map<string, number>();
  return (visitor, at, decision) => {
    const time = at.getTime();
    const dayNow = Math.floor(time / DAY_MS);
    if (dayNow !== day) {
      yesterday = dayNow === day + 1 ? today : new Map();
      today = new Map();
      day = dayNow;
    }
    const last = today.get(visitor) ?? null;
    const lastDay = Math.max(last ?? 0, yesterday.get(visitor) ?? 0);
    if (lastDay > time - DUPLICATE_SCAN_WINDOW_SECONDS * 1000)
      return { class: 'DUPLICATE', rule: SAME_VISITOR_RULE, isUnique: false };
    today.set(visitor, time);
    return { ...decision, isUnique: last === null };
  };
}
