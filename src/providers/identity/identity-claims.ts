import { IdentityFailure, type ProvenIdentity } from './identity.port.ts';

/** Visible ASCII (OpenID Connect Core, section 2). */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** The person that verified claims tell of. Throws IdentityFailure REFUSED for a subject that is none. */
export function identityOf(claims: { sub: string } & Record<string, unknown>): ProvenIdentity {
  if (!SUBJECT.test(claims.sub)) throw new IdentityFailure('REFUSED');
  return {
    subject: claims.sub,
    email: text(claims.email),
    emailVerified: claims.email_verified === true,
    givenName: text(claims.given_name),
    familyName: text(claims.family_name),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
