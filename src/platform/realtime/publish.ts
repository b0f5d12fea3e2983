import { type Tx, tellAfterCommit } from '../database.ts';
import { appendEvent } from './event.repository.ts';
import type { NewEvent } from './streams.ts';

/**
 * Has everybody who listens to a stream hear of something, in the transaction of what happened: sockets get it right after the
 * commit, in this process and in others. Call it late in a transaction, since the next event of the same stream waits for its end.
 */
export async function publish(tx: Tx, event: NewEvent): Promise<void> {
  await appendEvent(tx, event);
  for (const stream of [event.stream].flat()) tellAfterCommit(tx, stream);
}
