import { IdentityProviderError, type VerifiedIdentity } from './identity.port.ts';

/** Visible ASCII (OpenID Connect Core, section 2). */
const SUBJECT_PATTERN = /^[\x20-\x7e]{1,255}$/;

/** Convert verified claims. @throws IdentityProviderError REFUSED for an invalid subject */
export function toVerifiedIdentity(claims: { sub: string } & Record<string, unknown>): VerifiedIdentity {
  if (!SUBJECT_PATTERN.test(claims.sub)) throw new IdentityProviderError('REFUSED');
  return {
    subject: claims.sub,
    email: toOptionalString(claims.email),
    emailVerified: claims.email_verified === true,
    givenName: toOptionalString(claims.given_name),
    familyName: toOptionalString(claims.family_name),
  };
}

function toOptionalString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
