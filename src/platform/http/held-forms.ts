import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../shared/errors.ts';

/** What forms of all requests together may hold in memory. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

let heldBytes = 0;
const heldBy = new WeakMap<IncomingMessage, number>();

/** Counts what a request holds until its answer is out; throws BUSY above what all may hold together. */
export function holdForm(raw: IncomingMessage, bytes: number): void {
  if (heldBytes + bytes > MAX_HELD_BYTES) throw new ServiceError('BUSY', { retryAfterSeconds: 2 });
  heldBytes += bytes;
  heldBy.set(raw, (heldBy.get(raw) ?? 0) + bytes);
}

/** Gives back what a request held. */
export function releaseForm(raw: IncomingMessage): void {
  heldBytes -= heldBy.get(raw) ?? 0;
  heldBy.delete(raw);
}
