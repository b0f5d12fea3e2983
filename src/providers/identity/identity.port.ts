/** A provider that confirms who somebody is, by OpenID Connect. */
export interface IdentityProvider {
  /** The name under which identities of this provider are stored. */
  readonly issuer: string;
  /** Whether it is the emulator that runs where none is configured. */
  readonly isEmulator: boolean;
  /** Where a browser goes to sign in. Throws IdentityFailure UNAVAILABLE. */
  createAuthorizationUrl(attempt: SignInAttempt): Promise<string>;
  /** The person that the provider's redirect stands for. Throws IdentityFailure. */
  exchangeCode(attempt: SignInAttempt, redirect: AuthorizationResponse): Promise<VerifiedIdentity>;
  /**
   * The person of an ID token that an application got by itself. `nonce` must be that of the token, and is left
   * out where the token has none. Throws IdentityFailure.
   */
  verifyIdToken(idToken: string, nonce: string | undefined): Promise<VerifiedIdentity & { expiresAt: Date }>;
}

/** What binds the provider's answer to the sign-in that asked for it. */
export interface SignInAttempt {
  redirectUri: string;
  state: string;
  nonce: string;
  /** The secret of PKCE (RFC 7636), of which the provider gets the S256 challenge first. */
  codeVerifier: string;
}

/** The parameters of the redirect that count. */
export interface AuthorizationResponse {
  code?: string | undefined;
  state?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

/** A person as the provider vouches for them. */
export interface VerifiedIdentity {
  /** The provider's own name of the person: 1 to 255 characters of ASCII. */
  subject: string;
  /** As the provider gives it; undefined where it gives none. */
  email: string | undefined;
  emailVerified: boolean;
  givenName: string | undefined;
  familyName: string | undefined;
}

/** DENIED: the person said no at the provider. REFUSED: the answer proves nothing. UNAVAILABLE: there was none. */
export type IdentityProviderErrorReason = 'DENIED' | 'REFUSED' | 'UNAVAILABLE';

/** Why a provider confirmed nobody. */
export class IdentityProviderError extends Error {
  readonly reason: IdentityProviderErrorReason;

  constructor(reason: IdentityProviderErrorReason, options?: ErrorOptions) {
    super(`The identity provider's answer: ${reason}`, options);
    this.name = 'IdentityProviderError';
    this.reason = reason;
  }
}
