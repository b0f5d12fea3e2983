import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import type { ProvenIdentity } from '../../providers/identity/identity.port.ts';
import type { ErrorCode } from '../../shared/errors.ts';
import { normaliseEmail } from '../accounts/email.rules.ts';
import { revokeAccess } from '../accounts/revoke-access.ts';
import { ensureUser, lockUser, lockUserByEmail } from '../accounts/user.repository.ts';
import { confirmByProvider } from './confirm-person.repository.ts';
import { findIdentity, hasIdentity, insertIdentity, touchIdentity } from './identity.repository.ts';
import type { IdentityServices } from './identity-services.ts';
import { decideLink, nameOf, providerName } from './link.rules.ts';

/** The person an identity belongs to from now on. */
export interface LinkedPerson {
  identityId: string;
  userId: string;
  /** A picture's file to remove once the transaction is stored. */
  unusedPicture: string | null;
}

/** Nobody is let in, and nothing is linked. */
export interface RefusedPerson {
  refused: ErrorCode;
  userId?: string;
}

/**
 * The person of an identity: found by its subject, else linked by an address that the provider has verified, else
 * made. What unconfirmed registrations of the address have left is removed before it is linked. Without a verified
 * address nobody is let in, known or not.
 */
export async function personOf(
  services: IdentityServices,
  caller: Caller,
  tx: Tx,
  issuer: string,
  proven: ProvenIdentity,
): Promise<LinkedPerson | RefusedPerson> {
  const email = proven.emailVerified ? normaliseEmail(proven.email ?? '') : null;
  if (!email) return { refused: 'IDENTITY_NOT_VERIFIED' };
  const known = await findIdentity(tx, issuer, proven.subject);
  if (known) return enterLocked(tx, issuer, proven.subject, known.userId);

  const registered = await lockUserByEmail(tx, email);
  if (!registered) await ensureUser(tx, email);
  const owner = registered ?? (await lockUserByEmail(tx, email));
  if (!owner) return { refused: 'SIGN_IN_INVALID' };
  // Two first sign-ins wait for one another at the address: the later one finds what the earlier has linked.
  const linked = await findIdentity(tx, issuer, proven.subject);
  if (linked) return enter(tx, linked);

  const userId = owner.id;
  const decision = decideLink(null, {
    status: owner.status,
    hasIdentityOfIssuer: await hasIdentity(tx, userId, issuer),
  });
  if (typeof decision === 'object') return { ...decision, userId };
  const identityId = await insertIdentity(tx, { userId, issuer, subject: proven.subject, email });
  const record = (action: 'IDENTITY_ACCOUNT_CREATED' | 'UNCONFIRMED_ACCOUNT_CLEARED' | 'IDENTITY_LINKED') =>
    recordAction(tx, caller, { action, resourceId: userId, actorId: userId });
  if (decision === 'LINK') {
    const values = { provider: providerName(issuer) };
    await services.postOffice.post(tx, { template: 'IDENTITY_LINKED', to: email, values });
    await record('IDENTITY_LINKED');
    return { identityId, userId, unusedPicture: null };
  }
  await revokeAccess(tx, userId, 'IDENTITY_LINKED');
  const names = { firstName: nameOf(proven.givenName), lastName: nameOf(proven.familyName) };
  const unusedPicture = await confirmByProvider(tx, userId, names);
  await record(registered ? 'UNCONFIRMED_ACCOUNT_CLEARED' : 'IDENTITY_ACCOUNT_CREATED');
  await record('IDENTITY_LINKED');
  return { identityId, userId, unusedPicture };
}

/** An identity that was taken off its person meanwhile opens nothing. */
async function enterLocked(
  tx: Tx,
  issuer: string,
  subject: string,
  userId: string,
): Promise<LinkedPerson | RefusedPerson> {
  await lockUser(tx, userId);
  const known = await findIdentity(tx, issuer, subject);
  return known?.userId === userId ? enter(tx, known) : { refused: 'SIGN_IN_INVALID', userId };
}

async function enter(
  tx: Tx,
  known: { id: string; userId: string; status: string },
): Promise<LinkedPerson | RefusedPerson> {
  const { id, userId, status } = known;
  const decision = decideLink(status, { status, hasIdentityOfIssuer: true });
  if (typeof decision === 'object') return { ...decision, userId };
  await touchIdentity(tx, id);
  return { identityId: id, userId, unusedPicture: null };
}
