import { notifyAfterCommit, type Tx } from '../database.ts';
import { appendRealtimeEvents } from './event.repository.ts';
import type { NewRealtimeEvent } from './streams.ts';

/** Publish events in the transaction of the change, once and late: the next event of a stream waits for its end. */
export async function publishRealtimeEvents(tx: Tx, ...events: readonly NewRealtimeEvent[]): Promise<void> {
  if (events.length === 0) return;
  await appendRealtimeEvents(tx, events);
  for (const { stream } of events)
    for (const streamName of [stream].flat()) notifyAfterCommit(tx, streamName);
}
