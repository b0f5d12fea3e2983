import type { Static } from 'typebox';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import { assertIfMatch } from '../../../platform/http/if-match.ts';
import type { IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { pickChanges } from '../../../shared/pick-changes.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import type { UserRow } from '../accounts/user.repository.ts';
import {
  findOrganization,
  insertOrganization,
  listOrganizations,
  lockOrganization,
  lockOwner,
  type OrganizationRow,
  updateOrganization,
} from './organization.repository.ts';
import { toOrganizationView } from './organization.view.ts';
import {
  MAX_OWNED_ORGANIZATIONS,
  type NewOrganizationInput,
  type OrganizationChangeInput,
  type OrganizationSchema,
} from './organizations.schemas.ts';

type Creator = Pick<UserRow, 'id' | 'language' | 'timeZone'>;

type LockedCreator = Creator & Pick<UserRow, 'enterpriseMode'>;

/**
 * Create an organization, which the user owns.
 * @throws TOO_MANY_ORGANIZATIONS, UNAUTHENTICATED if the user was erased meanwhile
 */
export function createOrganization(
  { createIdempotently }: Pick<AccountServices, 'createIdempotently'>,
  context: RequestContext,
  creator: Creator,
  input: NewOrganizationInput,
): Promise<IdempotentResult<Static<typeof OrganizationSchema>>> {
  const once = { who: creator.id, fingerprint: input };
  return createIdempotently(context, once, async (tx) => {
    const locked = await lockOwner(tx, creator.id);
    if (!locked) throw new ServiceError('UNAUTHENTICATED');
    const owned = (await listOrganizations(tx, creator.id)).filter(({ role }) => role === 'OWNER');
    if (owned.length >= MAX_OWNED_ORGANIZATIONS) throw new ServiceError('TOO_MANY_ORGANIZATIONS');
    const id = await insertOrganizationOf(tx, context, { ...creator, ...locked }, input);
    const row = await getOrganizationOfMember(tx, creator.id, id);
    return { body: toOrganizationView(row), location: `/api/organizations/${id}` };
  });
}

/**
 * Create the organization of a profile that is one; null for an individual. A profile that is completed again after the
 * registration renames it. The transaction has locked the user.
 */
export async function saveOrganizationOfProfile(
  tx: Tx,
  context: RequestContext,
  { accountType, organizationName, ...creator }: UserRow,
): Promise<string | null> {
  if (accountType !== 'ORGANIZATION' || !organizationName) return null;
  const name = organizationName.normalize('NFC');
  const first = (await listOrganizations(tx, creator.id)).find(({ role }) => role === 'OWNER');
  if (!first) return insertOrganizationOf(tx, context, creator, { name });
  if (first.name !== name) {
    await updateOrganization(tx, first.id, { name });
    await recordAuditEntry(tx, context, {
      action: 'ORGANIZATION_UPDATED',
      resourceId: first.id,
      actorId: creator.id,
      changes: ['name'],
    });
  }
  return first.id;
}

async function insertOrganizationOf(
  tx: Tx,
  context: RequestContext,
  creator: LockedCreator,
  input: NewOrganizationInput,
): Promise<string> {
  const { name, language = creator.language, timeZone = creator.timeZone } = input;
  const id = generateId();
  await insertOrganization(tx, {
    id,
    ownerId: creator.id,
    name: name.normalize('NFC'),
    language,
    timeZone,
    enterpriseMode: creator.enterpriseMode,
  });
  await recordAuditEntry(tx, context, {
    action: 'ORGANIZATION_CREATED',
    resourceId: id,
    actorId: creator.id,
  });
  return id;
}

/** Get an organization as a member. @throws NOT_FOUND, also for users who are no member, MFA_ENROLLMENT_REQUIRED */
export async function getOwnOrganization(db: Db, userId: string, id: string): Promise<OrganizationRow> {
  const row = await getOrganizationOfMember(db, userId, id);
  assertEnrolled(row);
  return row;
}

/** Get an organization as a member who may lack its second factor, to read or end their own membership. @throws NOT_FOUND */
export async function getOrganizationOfMember(db: Db, userId: string, id: string): Promise<OrganizationRow> {
  const row = await findOrganization(db, userId, id);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/** @throws MFA_ENROLLMENT_REQUIRED for a member without the second factor that the organization requires */
export function assertEnrolled({ mustEnroll }: Pick<OrganizationRow, 'mustEnroll'>): void {
  if (mustEnroll) throw new ServiceError('MFA_ENROLLMENT_REQUIRED');
}

/** Change an organization as its owner. @throws NOT_FOUND, FORBIDDEN, MFA_ENROLLMENT_REQUIRED, PRECONDITION_FAILED */
export function changeOrganization(
  { database }: Pick<AccountServices, 'database'>,
  context: RequestContext,
  { userId, id }: { userId: string; id: string },
  input: OrganizationChangeInput,
  ifMatch: string | undefined,
): Promise<OrganizationRow> {
  return database.transaction(async (tx) => {
    const before = await lockOwnOrganization(tx, userId, id, ifMatch);
    const { name, language, timeZone } = input;
    const changes = pickChanges(before, { name: name?.normalize('NFC'), language, timeZone });
    if (Object.keys(changes).length === 0) return before;
    await updateOrganization(tx, id, changes);
    await recordAuditEntry(tx, context, { resourceId: id, changes: Object.keys(changes) });
    return getOwnOrganization(tx, userId, id);
  });
}

/**
 * Lock an organization that the user owns, in the version that they have read.
 * @throws NOT_FOUND, FORBIDDEN, MFA_ENROLLMENT_REQUIRED, PRECONDITION_FAILED
 */
export async function lockOwnOrganization(
  tx: Tx,
  userId: string,
  id: string,
  ifMatch: string | undefined,
): Promise<OrganizationRow> {
  await lockOrganization(tx, id);
  const row = await getOwnOrganization(tx, userId, id);
  if (row.role !== 'OWNER') throw new ServiceError('FORBIDDEN');
  assertIfMatch(ifMatch, row.version);
  return row;
}
