import { DAY_MS } from '../../shared/durations.ts';
import { EVENT_TYPE_NAMES, type EventType, getMatchingEventPatterns } from '../../shared/event-types.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

/** The types that any of the patterns includes. */
export function listMatchingEventTypes(patterns: readonly string[]): EventType[] {
  return EVENT_TYPE_NAMES.filter((type) =>
    getMatchingEventPatterns(type).some((pattern) => patterns.includes(pattern)),
  );
}

/** Limit a range of time to the events that are stored. */
export function limitEventRange(
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
  now: Date,
): { from: Date; to: Date } {
  const earliest = new Date(now.getTime() - LIFETIMES_SECONDS.accountEvent * 1000);
  return { from: from && from > earliest ? from : earliest, to: to ?? new Date(now.getTime() + DAY_MS) };
}
