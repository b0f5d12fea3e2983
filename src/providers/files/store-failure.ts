import { ServiceError } from '../../shared/errors.ts';

/** Seconds to wait for a store that is full or does not answer. */
const RETRY_AFTER = 5;

/** What people are told of a store that does not do what it was asked. */
export function storeFailure(cause: unknown): ServiceError {
  return new ServiceError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER, cause });
}
