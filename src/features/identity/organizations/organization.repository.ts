import { insertAuditActor } from '../../../platform/audit.repository.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import {
  ACCOUNT_REQUIRES_SECOND_FACTOR,
  buildSecondFactorCondition,
} from '../../../platform/session-expiry.repository.ts';
import { querySql, sql } from '../../../platform/sql.ts';
import type { AccountRole } from '../../../shared/account-roles.ts';

export interface OrganizationRow {
  id: string;
  name: string;
  status: 'ACTIVE' | 'SUSPENDED';
  language: string;
  timeZone: string;
  /** When it is erased; null unless it was deleted. */
  deleteAfter: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** Of the member who reads it. */
  role: AccountRole;
  /** Whether this member is limited to folders. */
  isLimited: boolean;
  /** Whether it requires a second factor that this member does not have. */
  mustEnroll: boolean;
}

export interface OrganizationValues {
  name: string;
  language: string;
  timeZone: string;
}

export interface OrganizationPolicyValues {
  secondFactorRequired: boolean;
  maxSessionHours: number | null;
}

const ORGANIZATIONS_SQL = sql`
  SELECT account.id, coalesce(account.name, '') AS name, account.status, account.language, account.time_zone AS "timeZone",
         account.delete_after AS "deleteAfter", account.version, account.created_at AS "createdAt", account.updated_at AS "updatedAt", membership.role,
         membership.limited_to_folders AS "isLimited",
         ${buildSecondFactorCondition(ACCOUNT_REQUIRES_SECOND_FACTOR, false)} AS "mustEnroll"
  FROM memberships AS membership
  JOIN accounts AS account ON account.id = membership.account_id
  JOIN users AS person ON person.id = membership.user_id
  WHERE account.type = 'ORGANIZATION' AND account.status <> 'DELETED'`;

/** List the organizations of a user, the oldest first. They are few. */
export async function listOrganizations(db: Db, userId: string): Promise<OrganizationRow[]> {
  return querySql<OrganizationRow>(db)`
    ${ORGANIZATIONS_SQL} AND membership.user_id = ${userId} ORDER BY account.created_at, account.id`;
}

/** Find an organization; null for who is no member. */
export async function findOrganization(db: Db, userId: string, id: string): Promise<OrganizationRow | null> {
  const rows = await querySql<OrganizationRow>(db)`
    ${ORGANIZATIONS_SQL} AND membership.user_id = ${userId} AND account.id = ${id}`;
  return rows[0] ?? null;
}

/** Lock a user, who becomes the owner or the sender of something; null for one who was erased meanwhile. */
export async function lockOwner(tx: Tx, userId: string): Promise<{ enterpriseMode: boolean } | null> {
  const rows = await querySql<{ enterpriseMode: boolean }>(tx)`
    SELECT enterprise_mode AS "enterpriseMode" FROM users
    WHERE id = ${userId} AND status <> 'DELETED' FOR NO KEY UPDATE`;
  return rows[0] ?? null;
}

export async function lockOrganization(tx: Tx, id: string): Promise<void> {
  await querySql(tx)`SELECT FROM accounts WHERE id = ${id} AND type = 'ORGANIZATION' FOR NO KEY UPDATE`;
}

/** Insert an organization with its first owner. */
export async function insertOrganization(
  tx: Tx,
  { id, ownerId, ...values }: OrganizationValues & { id: string; ownerId: string; enterpriseMode: boolean },
): Promise<void> {
  await tx.account.create({ data: { id, type: 'ORGANIZATION', ...values }, select: { id: true } });
  await tx.membership.create({
    data: { accountId: id, userId: ownerId, role: 'OWNER' },
    select: { accountId: true },
  });
  await insertAuditActor(tx, id);
}

/** Update an organization that this transaction has locked. */
export async function updateOrganization(
  tx: Tx,
  id: string,
  values: Partial<OrganizationValues & OrganizationPolicyValues & { deleteAfter: Date | null }>,
): Promise<void> {
  await tx.account.update({
    where: { id },
    data: {
      ...values,
      version: { increment: 1 },
      updatedAt: new Date(),
    },
    select: { id: true },
  });
}

export interface DueOrganization {
  id: string;
  deleteAfter: Date;
}

/** List organizations that are to be erased by now, those of the longest ago first. */
export async function listDueOrganizations(
  db: Db,
  now: Date,
  after: DueOrganization | null,
  take: number,
): Promise<DueOrganization[]> {
  const isAfter = after ? sql`(delete_after, id) > (${after.deleteAfter}, ${after.id})` : sql`true`;
  return querySql<DueOrganization>(db)`
    SELECT id, coalesce(delete_after, ${now}) AS "deleteAfter" FROM accounts WHERE delete_after <= ${now} AND ${isAfter}
    ORDER BY delete_after, id LIMIT ${take}`;
}

/** Lock the organizations of `listOrganizationsOfOnlyOwner`, so that nobody joins or leaves them. */
export async function lockOrganizationsOfOnlyOwner(
  tx: Tx,
  userId: string,
): Promise<{ id: string; members: number }[]> {
  await querySql(tx)`
    SELECT FROM accounts WHERE type = 'ORGANIZATION' AND status <> 'DELETED' AND id IN (
      SELECT account_id FROM memberships WHERE user_id = ${userId} AND role = 'OWNER')
    ORDER BY id FOR UPDATE`;
  return listOrganizationsOfOnlyOwner(tx, userId);
}

/** List the organizations that no other user owns who is not suspended; `members` are all their members. */
export async function listOrganizationsOfOnlyOwner(
  db: Db,
  userId: string,
): Promise<{ id: string; members: number }[]> {
  return querySql<{ id: string; members: number }>(db)`
    SELECT account.id, count(*)::int AS members
    FROM accounts AS account JOIN memberships AS member ON member.account_id = account.id
    LEFT JOIN users AS other ON other.id = member.user_id AND other.id <> ${userId}
      AND member.role = 'OWNER' AND other.status <> 'SUSPENDED'
    WHERE account.type = 'ORGANIZATION' AND account.status <> 'DELETED' AND account.id IN (
      SELECT account_id FROM memberships WHERE user_id = ${userId} AND role = 'OWNER')
    GROUP BY account.id
    HAVING count(other.id) = 0
    ORDER BY account.id`;
}

/** Lock an organization that is to be erased by now, so that no rows are added to it; false if it was restored. */
export async function lockDueOrganization(tx: Tx, id: string, now: Date): Promise<boolean> {
  const rows = await querySql(
    tx,
  )`SELECT FROM accounts WHERE id = ${id} AND delete_after <= ${now} FOR UPDATE`;
  return rows.length > 0;
}

/** Empty the row of an organization, and delete its memberships; its other rows are erased by account. */
export async function anonymizeOrganization(tx: Tx, id: string): Promise<void> {
  await tx.membership.deleteMany({ where: { accountId: id } });
  await tx.account.update({
    where: { id },
    data: {
      status: 'DELETED',
      name: null,
      language: 'en',
      timeZone: 'UTC',
      enterpriseMode: false,
      secondFactorRequired: false,
      maxSessionHours: null,
      deleteAfter: null,
      ownerCount: 0,
      updatedAt: new Date(),
    },
    select: { id: true },
  });
}
