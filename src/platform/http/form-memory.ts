import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../shared/errors.ts';

/** What forms of all requests together may hold in memory. */
const MAX_FORM_MEMORY_BYTES = 64 * 1024 * 1024;

let reservedBytes = 0;
const reservedBytesByRequest = new WeakMap<IncomingMessage, number>();

/** Counts what a request holds until its answer is out; throws BUSY above what all may hold together. */
export function reserveFormMemory(raw: IncomingMessage, bytes: number): void {
  if (reservedBytes + bytes > MAX_FORM_MEMORY_BYTES) throw new ServiceError('BUSY', { retryAfterSeconds: 2 });
  reservedBytes += bytes;
  reservedBytesByRequest.set(raw, (reservedBytesByRequest.get(raw) ?? 0) + bytes);
}

/** Gives back what a request held. */
export function releaseFormMemory(raw: IncomingMessage): void {
  reservedBytes -= reservedBytesByRequest.get(raw) ?? 0;
  reservedBytesByRequest.delete(raw);
}
