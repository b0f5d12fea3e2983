import { IdentityProviderError } from '../../../providers/identity/identity.port.ts';
import { ServiceError, type ServiceErrorCode } from '../../../shared/errors.ts';

/** The keys are sent in the fragment of the front end's address. */
export const SIGN_IN_ERROR_MESSAGES = {
  access_denied: 'You canceled the sign-in at your provider.',
  sign_in_failed:
    'This sign-in has expired, was already used, or began in another browser. Please start again.',
  email_not_verified: 'Your provider has not verified your email address.',
  account_suspended: 'Your account is suspended.',
  identity_conflict:
    'This sign-in is not linked to the account with your email address. Log in another way, and link it there.',
  provider_unavailable: 'We cannot reach your provider right now. Please try again later.',
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
