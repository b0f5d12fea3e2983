import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database.ts';
import {
  createReferenceConditions,
  createTimeRangeConditions,
} from '../../platform/list-filter.repository.ts';
import {
  createAfterConditions,
  createAfterFilter,
  createOrderSql,
  createSqlListSorts,
  RECORD_TIME_SORTS,
  type SqlListSort,
} from '../../platform/list-order.repository.ts';
import { querySql, type SqlConnection, sql } from '../../platform/sql.ts';
import type { ListPosition, ListRange } from '../../shared/list-cursor.ts';
import type { ReferenceFilter } from '../../shared/metadata.schemas.ts';
import type { TimeRange } from '../../shared/time-filters.ts';
import { NO_FOLDER } from './folders/folders.schemas.ts';
import { QR_CODE_RELATIONS, type QrCodeWithScanCounts } from './qrcode.repository.ts';
import { parseShortNumber } from './short-number.rules.ts';

export interface QrCodeListRow {
  id: string;
  accountId: string;
  kind: string;
  mode: string;
  title: string;
  searchText: string;
  slug: string;
  externalId: string | null;
  /** Without hyphens. */
  shortNumber: string | null;
  metadata: unknown;
  /** Null in a deleted folder. */
  folderId: string | null;
  status: string;
  takenDownAt: Date | null;
  imageFile: string | null;
  hasPin: boolean;
  contactable: boolean;
  showsPage: boolean;
  notifyOn: string;
  scanCount: bigint;
  humanCount: bigint;
  uniqueCount: bigint;
  lastScannedAt: Date | null;
  expiresAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
}

export interface QrCodeListFilter extends ReferenceFilter {
  /** Lists deleted codes too; excludes other filters. */
  updatedSince?: Date | undefined;
  /** The folders that a limited member has; null for others. */
  limitedTo?: readonly string[] | null | undefined;
  search?: string | undefined;
  kinds?: readonly string[] | undefined;
  /** Id of a folder, or `none`. */
  folder?: string | undefined;
  /** DELETED stands for codes that can be restored; without it deleted codes are not listed. */
  statuses?: readonly string[] | undefined;
  created?: TimeRange | undefined;
  expires?: TimeRange | undefined;
  /** Excludes codes without scans. */
  lastScanned?: TimeRange | undefined;
  /** Includes codes without scans. */
  notScannedSince?: Date | undefined;
  /** Tags of a batch, by their numbers. */
  batch?: { id: string; from: number; to: number } | undefined;
}

export const QR_CODE_SORTS = [
  '-createdAt',
  'createdAt',
  '-updatedAt',
  'updatedAt',
  'title',
  '-title',
  '-lastScannedAt',
  'lastScannedAt',
  '-scanCount',
  'scanCount',
] as const;

export type QrCodeSort = (typeof QR_CODE_SORTS)[number];

// Begins with the lower-case title.
const title = {
  expression: sql`search_text`,
  keyType: 'text' as const,
  getKey: (row: QrCodeListRow) => row.searchText,
};
const lastScannedAt = {
  expression: sql`coalesce(last_scanned_at, '-infinity')`,
  keyType: 'time' as const,
  nullValue: '-infinity' as const,
  getKey: (row: QrCodeListRow) => row.lastScannedAt,
};
const scanCount = {
  expression: sql`coalesce(counts.total, 0)`,
  keyType: 'integer' as const,
  getKey: (row: QrCodeListRow) => Number(row.scanCount),
};

export const QR_CODE_LIST_SORTS = createSqlListSorts<QrCodeListRow, QrCodeSort>({
  ...RECORD_TIME_SORTS,
  title,
  '-title': title,
  '-lastScannedAt': lastScannedAt,
  lastScannedAt,
  '-scanCount': scanCount,
  scanCount,
});

const QR_CODES_WITH_COUNTS = sql`qr_codes LEFT JOIN scan_counts AS counts ON counts.qr_code_id = qr_codes.id`;

/** Longer prefixes make the trigram index scan slower without excluding more rows. */
const MAX_INDEXED_CHARACTERS = 10;

/** `search` matches anywhere in title or kind, or one whole number; its cost depends on the codes of the owner only. */
export async function listQrCodesByOwner(
  connection: SqlConnection,
  accountId: string,
  filter: QrCodeListFilter,
  sort: SqlListSort<QrCodeListRow>,
  range: ListRange,
): Promise<{ rows: QrCodeListRow[]; total: number }> {
  const { page, total } = createQrCodeListQueries(accountId, filter, sort, range);
  // Each combination of filters is another text, and the best plan depends on the values.
  const isFiltered = Object.values(filter).some((value) => (Array.isArray(value) ? value.length > 0 : value));
  const options = { isPrepared: !isFiltered };
  const [rows, totals] = await Promise.all([
    querySql<QrCodeListRow>(connection, options)(page),
    range.after === undefined ? querySql<{ total: number }>(connection, options)(total) : [],
  ]);
  return { rows, total: totals[0]?.total ?? 0 };
}

export function createQrCodeListQueries(
  accountId: string,
  filter: QrCodeListFilter,
  sort: SqlListSort<QrCodeListRow>,
  { skip, take, after }: ListRange,
): { page: Prisma.Sql; total: Prisma.Sql } {
  const conditions = [sql`account_id = ${accountId}`, ...createQrCodeConditions(accountId, filter)];
  const where = Prisma.join(conditions, ' AND ');
  const whereAfter = Prisma.join([...conditions, ...createAfterConditions(sort, after)], ' AND ');
  const order = createOrderSql(sort);
  const isSortedByCounts = /scan/i.test(sort.name);
  // Ids first, by an index-only scan: plans that read rows to find few or none take seconds.
  const page = sql`
    SELECT id, account_id AS "accountId", kind, mode, title, search_text AS "searchText", slug, external_id AS "externalId", short_numbers.number AS "shortNumber", metadata, ${createFolderIdSql(accountId)} AS "folderId", status, taken_down_at AS "takenDownAt", image_file AS "imageFile",
           pin_hash IS NOT NULL AS "hasPin", contactable, shows_page AS "showsPage", notify_on AS "notifyOn",
           coalesce(counts.total, 0) AS "scanCount", coalesce(counts.humans, 0) AS "humanCount",
           coalesce(counts.uniques, 0) AS "uniqueCount", last_scanned_at AS "lastScannedAt", expires_at AS "expiresAt", version,
           created_at AS "createdAt", updated_at AS "updatedAt", deleted_at AS "deletedAt"
    FROM ${QR_CODES_WITH_COUNTS} LEFT JOIN short_numbers ON short_numbers.qr_code_id = qr_codes.id
    WHERE id IN (SELECT id FROM ${isSortedByCounts ? QR_CODES_WITH_COUNTS : sql`qr_codes`} WHERE ${whereAfter} ORDER BY ${order} LIMIT ${take} OFFSET ${skip})
    ORDER BY ${order}`;
  return { page, total: sql`SELECT count(*)::int AS total FROM qr_codes WHERE ${where}` };
}

/** Create the conditions of a filter on rows of `qr_codes` of an account. */
export function createQrCodeConditions(
  accountId: string,
  {
    updatedSince,
    limitedTo,
    search,
    kinds,
    folder,
    statuses,
    created,
    expires,
    lastScanned,
    notScannedSince,
    batch,
    ...references
  }: QrCodeListFilter,
): Prisma.Sql[] {
  const limits = limitedTo ? [sql`folder_id = ANY(${[...limitedTo]}::text[])`] : [];
  if (updatedSince) return [...limits, sql`updated_at >= ${updatedSince}`];
  // Must repeat the conditions of the partial indexes literally, else they are not used.
  const conditions = statuses?.length
    ? [...limits, sql`(${Prisma.join(statuses.map(createStatusCondition), ' OR ')})`]
    : limits;
  if (!statuses?.includes('DELETED')) conditions.push(sql`status <> 'DELETED'`);
  if (search) conditions.push(createSearchCondition(accountId, search));
  conditions.push(...createReferenceConditions(references));
  if (kinds?.length) conditions.push(sql`kind = ANY(${[...kinds]})`);
  if (folder) conditions.push(createFolderCondition(accountId, folder));
  conditions.push(...createTimeRangeConditions(sql`created_at`, created));
  conditions.push(...createTimeRangeConditions(sql`expires_at`, expires));
  const scanned = createTimeRangeConditions(sql`scan_counts.last_scanned_at`, lastScanned);
  if (scanned.length > 0)
    conditions.push(
      sql`EXISTS (SELECT FROM scan_counts WHERE scan_counts.qr_code_id = qr_codes.id AND ${Prisma.join(scanned, ' AND ')})`,
    );
  if (notScannedSince)
    conditions.push(
      sql`NOT EXISTS (SELECT FROM scan_counts WHERE scan_counts.qr_code_id = qr_codes.id AND scan_counts.last_scanned_at >= ${notScannedSince})`,
    );
  if (batch)
    conditions.push(
      sql`id IN (SELECT qr_code_id FROM batch_tags WHERE batch_tags.account_id = ${accountId}
            AND batch_tags.batch_id = ${batch.id} AND batch_tags.position BETWEEN ${batch.from} AND ${batch.to})`,
    );
  return conditions;
}

/** The folder of a row of `qr_codes`, unless it is deleted. */
function createFolderIdSql(accountId: string): Prisma.Sql {
  return sql`(SELECT folders.id FROM folders
            WHERE folders.account_id = ${accountId} AND folders.id = qr_codes.folder_id AND folders.deleted_at IS NULL)`;
}

function createFolderCondition(accountId: string, folder: string): Prisma.Sql {
  if (folder !== NO_FOLDER)
    return sql`folder_id = (SELECT folders.id FROM folders
      WHERE folders.account_id = ${accountId} AND folders.id = ${folder} AND folders.deleted_at IS NULL)`;
  return sql`(folder_id IS NULL OR folder_id = ANY (ARRAY(
      SELECT folders.id FROM folders WHERE folders.account_id = ${accountId} AND folders.deleted_at IS NOT NULL)))`;
}

function createStatusCondition(status: string): Prisma.Sql {
  if (status === 'DELETED') return sql`status = 'DELETED' AND data IS NOT NULL`;
  if (status === 'EXPIRED') return sql`status <> 'DELETED' AND expires_at <= now()`;
  return sql`status = ${status} AND (expires_at IS NULL OR expires_at > now())`;
}

function createSearchCondition(accountId: string, search: string): Prisma.Sql {
  const matchesText = Prisma.join(createQrCodeSearchConditions(search), ' AND ');
  // Each by its own index, before the search begins.
  const numbered = sql`id = (SELECT numbered.id FROM qr_codes AS numbered
    WHERE numbered.account_id = ${accountId} AND numbered.external_id = ${search} AND numbered.status <> 'DELETED')`;
  const shortNumber = parseShortNumber(search);
  const found =
    shortNumber === null
      ? numbered
      : sql`${numbered} OR id = (SELECT qr_code_id FROM short_numbers WHERE number = ${shortNumber})`;
  return sql`(${matchesText} OR ${found})`;
}

export function createQrCodeSearchConditions(search: string): Prisma.Sql[] {
  const characters = [...search];
  const prefix = characters.slice(0, MAX_INDEXED_CHARACTERS).join('');
  const pattern = `%${prefix.replace(/[\\%_]/g, '\\$&')}%`;
  const indexed = sql`search_text LIKE lower(${pattern})`;
  if (characters.length <= MAX_INDEXED_CHARACTERS) return [indexed];
  return [indexed, sql`strpos(search_text, lower(${search})) > 0`];
}

/** List the kinds of an owner's codes that are not deleted. */
export async function listKindsOfOwner(db: Db, accountId: string): Promise<string[]> {
  const groups = await db.qrCode.groupBy({ by: ['kind'], where: { accountId, status: { not: 'DELETED' } } });
  return groups.map(({ kind }) => kind);
}

/** List an owner's codes of some kinds with their content, newest first, after a position. */
export async function listQrCodesWithContent(
  db: Db,
  { accountId, kinds, folder }: { accountId: string; kinds: readonly string[]; folder?: string | undefined },
  after: ListPosition | null,
  take: number,
): Promise<QrCodeWithScanCounts[]> {
  return db.qrCode.findMany({
    where: {
      accountId,
      status: { not: 'DELETED' },
      kind: { in: [...kinds] },
      ...createFolderFilter(folder),
      ...createAfterFilter('createdAt', after),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    include: QR_CODE_RELATIONS,
    take,
  });
}

/** The folder of a row as a condition of Prisma; all codes without one. */
function createFolderFilter(folder: string | undefined): Prisma.QrCodeWhereInput {
  if (folder === undefined) return {};
  if (folder !== NO_FOLDER) return { folderId: folder, folder: { deletedAt: null } };
  return { OR: [{ folderId: null }, { folder: { deletedAt: { not: null } } }] };
}

/** List the encrypted content of codes that are not deleted. */
export async function listQrCodeData(db: Db, accountId: string, ids: readonly string[]) {
  return db.qrCode.findMany({
    where: { accountId, id: { in: [...ids] }, status: { not: 'DELETED' } },
    select: { id: true, accountId: true, kind: true, data: true },
  });
}

/** List the ids of an account's codes in the order of a list, up to a limit. */
export async function listQrCodeIds(
  connection: SqlConnection,
  accountId: string,
  filter: QrCodeListFilter,
  sort: SqlListSort<QrCodeListRow>,
  limit: number,
): Promise<string[]> {
  const where = Prisma.join(
    [sql`account_id = ${accountId}`, ...createQrCodeConditions(accountId, filter)],
    ' AND ',
  );
  const rows = await querySql<{ id: string }>(connection, { isPrepared: false })(sql`
    SELECT id FROM ${QR_CODES_WITH_COUNTS} WHERE ${where} ORDER BY ${createOrderSql(sort)} LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}
