import { ServiceError } from '../../shared/errors.ts';

const RETRY_AFTER_SECONDS = 5;

export function createFileStoreUnavailableError(cause: unknown): ServiceError {
  return new ServiceError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
