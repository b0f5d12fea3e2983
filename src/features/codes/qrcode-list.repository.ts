import { Prisma } from '../../generated/prisma/client.ts';
import { createReferenceConditions } from '../../platform/reference-filter.repository.ts';
import type { SqlReader } from '../../platform/sql-readers.ts';
import type { ReferenceFilter } from '../../shared/metadata.schemas.ts';

export interface QrCodeListRow {
  id: string;
  ownerId: string;
  kind: string;
  mode: string;
  title: string;
  slug: string;
  externalId: string | null;
  metadata: unknown;
  status: string;
  takenDownAt: Date | null;
  imageFile: string | null;
  hasPin: boolean;
  contactable: boolean;
  showsPage: boolean;
  notifyOn: string;
  scanCount: bigint | string;
  humanCount: bigint | string;
  uniqueCount: bigint | string;
  lastScannedAt: Date | null;
  expiresAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface QrCodeListFilter extends ReferenceFilter {
  search?: string | undefined;
  kind?: string | undefined;
  /** DELETED lists only codes that can be restored; other values exclude deleted codes. */
  status?: string | undefined;
  sort: QrCodeSort;
  skip: number;
  take: number;
}

export const QR_CODE_SORTS = [
  '-createdAt',
  'createdAt',
  'title',
  '-title',
  '-lastScannedAt',
  'lastScannedAt',
  '-scanCount',
  'scanCount',
] as const;

export type QrCodeSort = (typeof QR_CODE_SORTS)[number];

// Ids are ordered by whole seconds only.
const ORDER_BY: Record<QrCodeSort, Prisma.Sql> = {
  '-createdAt': Prisma.sql`created_at DESC, id DESC`,
  createdAt: Prisma.sql`created_at ASC, id ASC`,
  // search_text begins with the lower-case title and is indexed.
  title: Prisma.sql`search_text ASC, id ASC`,
  '-title': Prisma.sql`search_text DESC, id DESC`,
  '-lastScannedAt': Prisma.sql`last_scanned_at DESC NULLS LAST, id DESC`,
  lastScannedAt: Prisma.sql`last_scanned_at ASC NULLS FIRST, id ASC`,
  '-scanCount': Prisma.sql`coalesce(counts.total, 0) DESC, id DESC`,
  scanCount: Prisma.sql`coalesce(counts.total, 0) ASC, id ASC`,
};

const QR_CODES_WITH_COUNTS = Prisma.sql`qr_codes LEFT JOIN scan_counts AS counts ON counts.qr_code_id = qr_codes.id`;

/** Longer prefixes make the trigram index scan slower without excluding more rows. */
const MAX_INDEXED_CHARACTERS = 10;

/** `search` matches anywhere in title or kind; its cost depends on the codes of the owner only. */
export async function listQrCodesByOwner(
  read: SqlReader,
  ownerId: string,
  filter: QrCodeListFilter,
): Promise<{ rows: QrCodeListRow[]; total: number }> {
  const { page, total } = createQrCodeListQueries(ownerId, filter);
  const [rows, totals] = await Promise.all([read<QrCodeListRow>(page), read<{ total: number }>(total)]);
  return { rows, total: totals[0]?.total ?? 0 };
}

export function createQrCodeListQueries(
  ownerId: string,
  filter: QrCodeListFilter,
): { page: Prisma.Sql; total: Prisma.Sql } {
  const where = Prisma.join([Prisma.sql`owner_id = ${ownerId}`, ...createConditions(filter)], ' AND ');
  const order = ORDER_BY[filter.sort];
  const isSortedByCounts = /scan/i.test(filter.sort);
  // Ids first, by an index-only scan: plans that read rows to find few or none take seconds.
  const page = Prisma.sql`
    SELECT id, owner_id AS "ownerId", kind, mode, title, slug, external_id AS "externalId", metadata, status, taken_down_at AS "takenDownAt", image_file AS "imageFile",
           pin_hash IS NOT NULL AS "hasPin", contactable, shows_page AS "showsPage", notify_on AS "notifyOn",
           coalesce(counts.total, 0) AS "scanCount", coalesce(counts.humans, 0) AS "humanCount",
           coalesce(counts.uniques, 0) AS "uniqueCount", last_scanned_at AS "lastScannedAt", expires_at AS "expiresAt", version,
           created_at AS "createdAt", updated_at AS "updatedAt"
    FROM ${QR_CODES_WITH_COUNTS}
    WHERE id IN (SELECT id FROM ${isSortedByCounts ? QR_CODES_WITH_COUNTS : Prisma.sql`qr_codes`} WHERE ${where} ORDER BY ${order} LIMIT ${filter.take} OFFSET ${filter.skip})
    ORDER BY ${order}`;
  return { page, total: Prisma.sql`SELECT count(*)::int AS total FROM qr_codes WHERE ${where}` };
}

function createConditions({ search, kind, status, ...references }: QrCodeListFilter): Prisma.Sql[] {
  // Must repeat the conditions of the partial indexes literally, else they are not used.
  const conditions = [
    status === 'DELETED'
      ? Prisma.sql`status = 'DELETED' AND data IS NOT NULL`
      : Prisma.sql`status <> 'DELETED'`,
  ];
  if (search) conditions.push(...createQrCodeSearchConditions(search));
  conditions.push(...createReferenceConditions(references));
  if (kind) conditions.push(Prisma.sql`kind = ${kind}`);
  if (status === 'EXPIRED') conditions.push(Prisma.sql`expires_at <= now()`);
  else if (status && status !== 'DELETED')
    conditions.push(Prisma.sql`status = ${status} AND (expires_at IS NULL OR expires_at > now())`);
  return conditions;
}

export function createQrCodeSearchConditions(search: string): Prisma.Sql[] {
  const characters = [...search];
  const prefix = characters.slice(0, MAX_INDEXED_CHARACTERS).join('');
  const pattern = `%${prefix.replace(/[\\%_]/g, '\\$&')}%`;
  const indexed = Prisma.sql`search_text LIKE lower(${pattern})`;
  if (characters.length <= MAX_INDEXED_CHARACTERS) return [indexed];
  return [indexed, Prisma.sql`strpos(search_text, lower(${search})) > 0`];
}
