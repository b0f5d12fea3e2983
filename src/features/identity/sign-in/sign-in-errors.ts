import { IdentityProviderError } from '../../../providers/identity/identity.port.ts';
import { ServiceError, type ServiceErrorCode } from '../../../shared/errors.ts';

/** The keys are sent in the fragment of the front end's address. */
export const SIGN_IN_ERROR_MESSAGES = {
  access_denied: 'You did not grant access at the provider.',
  sign_in_failed:
    'The response of the provider is invalid, expired or already used, or belongs to another browser. Start again.',
  email_not_verified: 'The provider has not verified your address.',
  account_suspended: 'The account is suspended.',
  identity_conflict: 'The account with this address is linked to another identity of the provider.',
  provider_unavailable: 'The provider cannot be reached. Try again later.',
  not_configured: 'No identity provider is configured.',
  try_again: 'The service is busy. Try again in a moment.',
} as const;

export type SignInErrorCode = keyof typeof SIGN_IN_ERROR_MESSAGES;

const SIGN_IN_ERROR_BY_CODE: Partial<Record<ServiceErrorCode, SignInErrorCode>> = {
  IDENTITY_NOT_VERIFIED: 'email_not_verified',
  ACCOUNT_SUSPENDED: 'account_suspended',
  IDENTITY_CONFLICT: 'identity_conflict',
  PROVIDER_UNAVAILABLE: 'provider_unavailable',
  CONFLICT: 'try_again',
  RATE_LIMITED: 'try_again',
};

export function toSignInErrorCode(error: ServiceError): SignInErrorCode {
  if (error.cause instanceof IdentityProviderError && error.cause.reason === 'DENIED') return 'access_denied';
  if (error.cause === NOT_CONFIGURED_CAUSE) return 'not_configured';
  return SIGN_IN_ERROR_BY_CODE[error.code] ?? (error.statusCode >= 500 ? 'try_again' : 'sign_in_failed');
}

/** Return other errors unchanged. */
export function mapIdentityProviderError(error: unknown): unknown {
  if (!(error instanceof IdentityProviderError)) return error;
  return error.reason === 'UNAVAILABLE'
    ? new ServiceError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: 5, cause: error })
    : new ServiceError('SIGN_IN_INVALID', { cause: error });
}

const NOT_CONFIGURED_CAUSE = 'no identity provider is configured';

export function createIdentityProviderNotConfiguredError(): ServiceError {
  return new ServiceError('PROVIDER_UNAVAILABLE', {
    detail: 'No identity provider is configured.',
    retryAfterSeconds: 3600,
    cause: NOT_CONFIGURED_CAUSE,
  });
}
