export interface IdentityProvider {
  /** Identities are stored under this name. */
  readonly issuer: string;
  /** Whether it is the emulator that runs when no provider is configured. */
  readonly isEmulator: boolean;
  /** Create the URL that a browser signs in at. @throws IdentityProviderError UNAVAILABLE */
  createAuthorizationUrl(attempt: SignInAttempt): Promise<string>;
  /** Exchange the authorization code of the redirect. @throws IdentityProviderError */
  exchangeCode(attempt: SignInAttempt, redirect: AuthorizationResponse): Promise<VerifiedIdentity>;
  /** Verify an application's ID token; `nonce` must equal its own, if any. @throws IdentityProviderError */
  verifyIdToken(idToken: string, nonce: string | undefined): Promise<VerifiedIdentity & { expiresAt: Date }>;
}

export interface SignInAttempt {
  redirectUri: string;
  state: string;
  nonce: string;
  /** PKCE (RFC 7636); the provider gets its S256 challenge first. */
  codeVerifier: string;
}

export interface AuthorizationResponse {
  code?: string | undefined;
  state?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

export interface VerifiedIdentity {
  /** The provider's id of the user: 1 to 255 ASCII characters. */
  subject: string;
  email: string | undefined;
  emailVerified: boolean;
  givenName: string | undefined;
  familyName: string | undefined;
}

/** DENIED: the user declined. REFUSED: the response is invalid. UNAVAILABLE: there was no response. */
export type IdentityProviderErrorReason = 'DENIED' | 'REFUSED' | 'UNAVAILABLE';

export class IdentityProviderError extends Error {
  readonly reason: IdentityProviderErrorReason;

  constructor(reason: IdentityProviderErrorReason, options?: ErrorOptions) {
    super(`Identity provider error: ${reason}`, options);
    this.name = 'IdentityProviderError';
    this.reason = reason;
  }
}
