import type { IdentityServices } from './identity-services.ts';
import { mapIdentityProviderError } from './sign-in-errors.ts';
import { createSignInState, deriveSignInAttempt } from './sign-in-state.ts';

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

/** Registered at the provider. */
export function getRedirectUri(publicBaseUrl: string): string {
  return `${publicBaseUrl}/api/auth/google/callback`;
}
