import { notifyAfterCommit, type Tx } from '../database.ts';
import { appendRealtimeEvents } from './event.repository.ts';
import type { NewRealtimeEvent } from './streams.ts';

/**
 * Publish events to the subscribers of their streams in the transaction of the change: sockets of all
 * processes get them after the commit. Call it once and late, since the next event of a stream waits for the
 * end of the transaction.
 */
export async function publishEvents(tx: Tx, ...events: readonly NewRealtimeEvent[]): Promise<void> {
  if (events.length === 0) return;
  await appendRealtimeEvents(tx, events);
  for (const { stream } of events)
    for (const streamName of [stream].flat()) notifyAfterCommit(tx, streamName);
}
