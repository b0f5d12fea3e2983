import { EVENT_TYPE_NAMES, type EventType, getMatchingEventPatterns } from '../../shared/event-types.ts';

export const EVENT_RETENTION_DAYS = 30;

const DAY_MS = 86_400_000;

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
  const earliest = new Date(now.getTime() - EVENT_RETENTION_DAYS * DAY_MS);
  return { from: from && from > earliest ? from : earliest, to: to ?? new Date(now.getTime() + DAY_MS) };
}
