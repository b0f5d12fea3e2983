import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database.ts';
import { createValuesCondition } from '../../platform/list-filter.repository.ts';
import { querySql, sql } from '../../platform/sql.ts';
import { type ListRange, toTimePosition } from '../../shared/list-cursor.ts';
import { toLikePattern } from './like-pattern.rules.ts';

export interface AdminQrCodeRow {
  id: string;
  accountId: string;
  /** Of an organization: of its first owner. */
  ownerEmail: string;
  kind: string;
  mode: string;
  title: string;
  status: string;
  hasPin: boolean;
  scanCount: bigint;
  humanCount: bigint;
  uniqueCount: bigint;
  lastScannedAt: Date | null;
  expiresAt: Date | null;
  deletedAt: Date | null;
  takenDownAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface AdminQrCodeFilter {
  search?: string | undefined;
  kinds?: readonly string[] | undefined;
  /** EXPIRED is derived from `expiresAt`, whatever is stored. */
  statuses?: readonly string[] | undefined;
  takenDown?: boolean | undefined;
  accountId?: string | undefined;
  id?: string | undefined;
}

export async function listAllQrCodes(
  db: Db,
  filter: AdminQrCodeFilter,
  { skip, take, after }: ListRange,
): Promise<{ rows: AdminQrCodeRow[]; total: number }> {
  const where = Prisma.join(buildQrCodeConditions(filter), ' AND ');
  const position = toTimePosition(after);
  const whereAfter = position
    ? sql`${where} AND (code.created_at, code.id) < (${position.at}, ${position.id})`
    : where;
  const rows = await querySql<AdminQrCodeRow>(db)`
    SELECT code.id, code.account_id AS "accountId", coalesce(personal.email, owner.email, '') AS "ownerEmail", code.kind, code.mode, code.title,
           code.status, code.pin_hash IS NOT NULL AS "hasPin", coalesce(counts.total, 0) AS "scanCount",
           coalesce(counts.humans, 0) AS "humanCount", coalesce(counts.uniques, 0) AS "uniqueCount",
           counts.last_scanned_at AS "lastScannedAt", code.expires_at AS "expiresAt",
           code.deleted_at AS "deletedAt", code.taken_down_at AS "takenDownAt", code.created_at AS "createdAt", code.updated_at AS "updatedAt"
    FROM qr_codes AS code LEFT JOIN users AS personal ON personal.id = code.account_id
    LEFT JOIN LATERAL (
      -- The first owner of an organization.
      SELECT person.email FROM memberships AS membership JOIN users AS person ON person.id = membership.user_id
      WHERE personal.id IS NULL AND membership.account_id = code.account_id AND membership.role = 'OWNER'
      ORDER BY membership.created_at, person.id LIMIT 1
    ) AS owner ON true
    LEFT JOIN scan_counts AS counts ON counts.qr_code_id = code.id
    WHERE ${whereAfter} ORDER BY code.created_at DESC, code.id DESC LIMIT ${take} OFFSET ${skip}`;
  const counted = await querySql<{ total: number }>(db)`
    SELECT count(*)::int AS total FROM qr_codes AS code WHERE ${where}`;
  return { rows, total: counted[0]?.total ?? 0 };
}

function buildQrCodeConditions({
  search,
  kinds,
  statuses,
  takenDown,
  accountId,
  id,
}: AdminQrCodeFilter): Prisma.Sql[] {
  const found = [sql`true`];
  if (search) found.push(matchAnyDeletionState(sql`code.search_text LIKE lower(${toLikePattern(search)})`));
  if (kinds?.length) found.push(createValuesCondition(sql`code.kind`, kinds));
  if (id) found.push(sql`code.id = ${id}`);
  if (takenDown !== undefined)
    found.push(takenDown ? sql`code.taken_down_at IS NOT NULL` : sql`code.taken_down_at IS NULL`);
  if (accountId) found.push(sql`code.account_id = ${accountId}`);
  if (statuses?.length) found.push(sql`(${Prisma.join(statuses.map(createStatusCondition), ' OR ')})`);
  return found;
}

function createStatusCondition(status: string): Prisma.Sql {
  if (status === 'DELETED') return sql`code.status = 'DELETED'`;
  if (status === 'EXPIRED') return sql`code.status <> 'DELETED' AND code.expires_at <= now()`;
  return sql`code.status = ${status} AND (code.expires_at IS NULL OR code.expires_at > now())`;
}

/** Keep the condition indexable: live and deleted codes have an index each. It matches both. */
function matchAnyDeletionState(found: Prisma.Sql): Prisma.Sql {
  return sql`((code.status <> 'DELETED' AND ${found}) OR (code.status = 'DELETED' AND ${found}))`;
}
