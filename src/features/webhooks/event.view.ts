import type { Static } from 'typebox';
import { EVENT_TYPES } from '../../shared/event-types.ts';
import type { EventRow } from './event.repository.ts';
import type { AccountEvent } from './webhooks.schemas.ts';

/** Convert an event to what the API lists and webhooks send. */
export function toEventView({ id, type, data, at }: EventRow): Static<typeof AccountEvent> {
  return {
    id,
    type,
    timestamp: at.toISOString(),
    data: { ...data, path: EVENT_TYPES[type].getPath(data) },
  };
}
