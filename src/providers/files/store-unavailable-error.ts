import { ServiceError } from '../../shared/errors.ts';

/** Seconds to wait for a store that is full or does not answer. */
const RETRY_AFTER_SECONDS = 5;

/** What people are told of a store that does not do what it was asked. */
export function createStoreUnavailableError(cause: unknown): ServiceError {
  return new ServiceError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
