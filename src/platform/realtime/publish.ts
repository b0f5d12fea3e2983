import { type Tx, tellAfterCommit } from '../database.ts';
import { appendEvents } from './event.repository.ts';
import type { NewEvent } from './streams.ts';

/**
 * Has everybody who listens to their streams hear of events, in the transaction of what happened: sockets get them right after
 * the commit, in this process and in others. Call it once and late in a transaction, since the next event of the same stream
 * waits for its end.
 */
export async function publish(tx: Tx, ...events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await appendEvents(tx, events);
  for (const { stream } of events) for (const one of [stream].flat()) tellAfterCommit(tx, one);
}
