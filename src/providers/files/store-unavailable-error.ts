import { ServiceError } from '../../shared/errors.ts';

const RETRY_AFTER_SECONDS = 5;

/** Create the error for a store that does not work. */
export function createStoreUnavailableError(cause: unknown): ServiceError {
  return new ServiceError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
