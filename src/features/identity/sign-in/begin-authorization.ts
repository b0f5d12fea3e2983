import type { CurrentUser } from '../../../platform/current-user.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { requireRecentLogin } from '../accounts/require-recent-login.ts';
import type { IdentityServices } from './identity-services.ts';
import { mapIdentityProviderError } from './sign-in-errors.ts';
import { createIdentityLinkBinding, createSignInState, deriveSignInAttempt } from './sign-in-state.ts';

/** Create the URL of the provider for one sign-in, null where none is configured, and the cookie that binds it to a browser. */
export async function createAuthorization(
  { fieldCipher, identityProvider, publicBaseUrl }: IdentityServices,
  codeChallenge?: string,
): Promise<{ url: string | null; cookie: string | null }> {
  const { state, cookie } = createSignInState(fieldCipher, codeChallenge);
  if (!identityProvider) return { url: null, cookie: null };
  try {
    const attempt = deriveSignInAttempt(fieldCipher, state, getRedirectUri(publicBaseUrl));
    return { url: await identityProvider.createAuthorizationUrl(attempt), cookie };
  } catch (error) {
    throw mapIdentityProviderError(error);
  }
}

/**
 * Create the URL of the provider that links an identity to a user, the cookie that binds it to a browser, and what binds it
 * to the session.
 * @throws NOT_FOUND without a provider; REAUTHENTICATION_REQUIRED, PROVIDER_UNAVAILABLE
 */
export async function createLinkAuthorization(
  services: IdentityServices,
  user: CurrentUser,
): Promise<{ url: string; cookie: string; binding: string }> {
  const { database, fieldCipher, identityProvider, publicBaseUrl } = services;
  if (!identityProvider) throw new ServiceError('NOT_FOUND');
  await requireRecentLogin(database.client, user);
  const { state, cookie } = createSignInState(fieldCipher);
  const attempt = deriveSignInAttempt(fieldCipher, state, getRedirectUri(publicBaseUrl));
  try {
    const url = await identityProvider.createAuthorizationUrl(attempt);
    return { url, cookie: cookie ?? '', binding: createIdentityLinkBinding(fieldCipher, state, user) };
  } catch (error) {
    throw mapIdentityProviderError(error);
  }
}

/** Registered at the provider. */
export function getRedirectUri(publicBaseUrl: string): string {
  return `${publicBaseUrl}/api/auth/google/callback`;
}
