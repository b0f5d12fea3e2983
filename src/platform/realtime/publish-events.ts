import { notifyAfterCommit, type Tx } from '../database.ts';
import { appendRealtimeEvents } from './event.repository.ts';
import type { NewRealtimeEvent } from './streams.ts';

/**
 * Has everybody who listens to their streams hear of events, in the transaction of what happened: sockets get them right after
 * the commit, in this process and in others. Call it once and late in a transaction, since the next event of the same stream
 * waits for its end.
 */
export async function publishEvents(tx: Tx, ...events: readonly NewRealtimeEvent[]): Promise<void> {
  if (events.length === 0) return;
  await appendRealtimeEvents(tx, events);
  for (const { stream } of events)
    for (const streamName of [stream].flat()) notifyAfterCommit(tx, streamName);
}
