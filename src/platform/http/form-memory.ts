import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../shared/errors.ts';

const MAX_FORM_MEMORY_BYTES = 64 * 1024 * 1024;

let reservedBytes = 0;
const reservedBytesByRequest = new WeakMap<IncomingMessage, number>();

/** Reserve memory until the response is sent; throws BUSY above the limit of all requests. */
export function reserveFormMemory(raw: IncomingMessage, bytes: number): void {
  if (reservedBytes + bytes > MAX_FORM_MEMORY_BYTES) throw new ServiceError('BUSY', { retryAfterSeconds: 2 });
  reservedBytes += bytes;
  reservedBytesByRequest.set(raw, (reservedBytesByRequest.get(raw) ?? 0) + bytes);
}

export function releaseFormMemory(raw: IncomingMessage): void {
  reservedBytes -= reservedBytesByRequest.get(raw) ?? 0;
  reservedBytesByRequest.delete(raw);
}
