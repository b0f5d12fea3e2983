import type { Database } from '../../platform/database.ts';
import { createTimeSort, type ListRange, toTimePosition } from '../../shared/list-cursor.ts';
import { type EventRow, type EventSort, listEvents } from './event.repository.ts';
import { limitEventRange, listMatchingEventTypes } from './event.rules.ts';

const getEventTime = ({ at }: EventRow) => at;

export const EVENT_LIST_SORTS = {
  timestamp: createTimeSort('timestamp', getEventTime),
  '-timestamp': createTimeSort('-timestamp', getEventTime),
};

interface EventList {
  /** Types and patterns of them. */
  types: readonly string[];
  from?: Date | undefined;
  to?: Date | undefined;
  sort: EventSort;
  range: Pick<ListRange, 'after' | 'take'>;
}

/** List a page of the events of an account that are stored. */
export function listAccountEvents(
  database: Database,
  accountId: string,
  { types, from, to, sort, range }: EventList,
): Promise<EventRow[]> {
  const filter = { types: listMatchingEventTypes(types), ...limitEventRange({ from, to }, new Date()) };
  const page = { sort, cursor: toTimePosition(range.after), take: range.take };
  return database.read(({ pool }) => listEvents(pool, accountId, filter, page));
}
