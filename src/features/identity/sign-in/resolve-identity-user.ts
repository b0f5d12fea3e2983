import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import type { VerifiedIdentity } from '../../../providers/identity/identity.port.ts';
import { normalizeVerifiedEmail } from '../../../shared/email.ts';
import type { ServiceErrorCode } from '../../../shared/errors.ts';
import { chooseLocale } from '../../../shared/i18n/choose-locale.ts';
import { guessTimeZone } from '../../../shared/i18n/guess-time-zone.ts';
import { revokeUserAccess } from '../accounts/revoke-access.ts';
import { ensureUserByEmail, lockUser, lockUserByEmail } from '../accounts/user.repository.ts';
import {
  findIdentity,
  insertIdentity,
  isLinkableByAddress,
  markIdentityUsed,
} from './identity.repository.ts';
import { decideIdentityLink, parseProfileNameFromProvider } from './link.rules.ts';
import { markUserVerifiedByProvider } from './verify-user.repository.ts';

export interface ResolvedIdentityUser {
  identityId: string;
  userId: string;
  orphanedPicture: string | null;
}

export interface SignInRefusal {
  errorCode: ServiceErrorCode;
  userId?: string;
}

/**
 * Find by subject, else link the user of the verified address, else create one. Clears unverified registrations. Refuses
 * identities without a verified address, also linked ones, and an address whose user unlinked this provider.
 */
export async function resolveIdentityUser(
  context: RequestContext,
  tx: Tx,
  issuer: string,
  identity: VerifiedIdentity,
): Promise<ResolvedIdentityUser | SignInRefusal> {
  const email = identity.emailVerified ? normalizeVerifiedEmail(identity.email ?? '') : null;
  if (!email) return { errorCode: 'IDENTITY_NOT_VERIFIED' };
  const linkedIdentity = await findIdentity(tx, issuer, identity.subject);
  if (linkedIdentity) return signInLockedUser(tx, issuer, identity.subject, linkedIdentity.userId);

  const registered = await lockUserByEmail(tx, email);
  if (!registered) await ensureUserByEmail(tx, email);
  const owner = registered ?? (await lockUserByEmail(tx, email));
  if (!owner) return { errorCode: 'SIGN_IN_INVALID' };
  // Parallel first sign-ins are serialized by the address lock: the later one finds the link of the earlier.
  const linked = await findIdentity(tx, issuer, identity.subject);
  if (linked) return signInLinkedUser(tx, linked);

  const userId = owner.id;
  const decision = decideIdentityLink(null, {
    status: owner.status,
    isLinkable: await isLinkableByAddress(tx, userId, issuer),
  });
  if (typeof decision === 'object') return { ...decision, userId };
  const { subject } = identity;
  if (decision === 'LINK') {
    // Linked when the login is complete: a second factor may be missing.
    const identityId = await insertIdentity(tx, { userId, issuer, subject, email, confirmedAt: null });
    return { identityId, userId, orphanedPicture: null };
  }
  const identityId = await insertIdentity(tx, { userId, issuer, subject, email, confirmedAt: new Date() });
  const record = (action: 'IDENTITY_ACCOUNT_CREATED' | 'UNVERIFIED_ACCOUNT_CLEARED' | 'IDENTITY_LINKED') =>
    recordAuditEntry(tx, context, { action, resourceId: userId, actorId: userId });
  await revokeUserAccess(tx, userId, 'IDENTITY_LINKED');
  const profile = {
    firstName: parseProfileNameFromProvider(identity.givenName),
    lastName: parseProfileNameFromProvider(identity.familyName),
    language: chooseLocale(undefined, context.acceptLanguage).tag,
    timeZone: guessTimeZone(context.acceptLanguage),
  };
  const orphanedPicture = await markUserVerifiedByProvider(tx, userId, profile);
  await record(registered ? 'UNVERIFIED_ACCOUNT_CLEARED' : 'IDENTITY_ACCOUNT_CREATED');
  await record('IDENTITY_LINKED');
  return { identityId, userId, orphanedPicture };
}

/** The identity may have been unlinked meanwhile. */
async function signInLockedUser(
  tx: Tx,
  issuer: string,
  subject: string,
  userId: string,
): Promise<ResolvedIdentityUser | SignInRefusal> {
  await lockUser(tx, userId);
  const linkedIdentity = await findIdentity(tx, issuer, subject);
  return linkedIdentity?.userId === userId
    ? signInLinkedUser(tx, linkedIdentity)
    : { errorCode: 'SIGN_IN_INVALID', userId };
}

async function signInLinkedUser(
  tx: Tx,
  linkedIdentity: { id: string; userId: string; status: string },
): Promise<ResolvedIdentityUser | SignInRefusal> {
  const { id, userId, status } = linkedIdentity;
  const decision = decideIdentityLink(status, { status, isLinkable: false });
  if (typeof decision === 'object') return { ...decision, userId };
  await markIdentityUsed(tx, id);
  return { identityId: id, userId, orphanedPicture: null };
}
