import { Prisma } from '../../generated/prisma/client.ts';
import { type CopyRowBuffer, copyQueryToBuffer, parseCopyFields } from '../../platform/copy-query.ts';
import type { Database, Db } from '../../platform/database.ts';
import { querySql, type SqlConnection, sql } from '../../platform/sql.ts';
import { getMinIdAt } from '../../shared/ids.ts';
import { type ListRange, toTimePosition } from '../../shared/list-cursor.ts';
import type { TimeCursor } from '../../shared/time-cursor.ts';
import type { ScanSort } from './scan-sort.rules.ts';

export interface ScanListRow {
  id: string;
  qrCodeId: string;
  type: string;
  class: string;
  classRule: string;
  city: string | null;
  region: string | null;
  country: string | null;
  ipTruncated: string;
  userAgent: string;
  unlockedAt: Date | null;
  scannedAt: Date;
}

/** `from` is inclusive, `to` is exclusive. */
export interface ScanFilter {
  qrCodeId?: string | undefined;
  /** The folders that a limited member has; null for others. */
  limitedTo?: readonly string[] | null | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  types?: readonly string[] | undefined;
  classes?: readonly string[] | undefined;
}

// Ids break ties, and select partitions, since they begin with the second of the scan.
const ORDER_BY: Record<ScanSort, { by: Prisma.Sql; after(cursor: TimeCursor): Prisma.Sql }> = {
  '-scannedAt': {
    by: sql`scanned_at DESC, id DESC`,
    after: ({ at, id }) =>
      sql`(scanned_at, id) < (${at}, ${id}) AND id < ${getMinIdAt(new Date(at.getTime() + 1000))}`,
  },
  scannedAt: {
    by: sql`scanned_at ASC, id ASC`,
    after: ({ at, id }) => sql`(scanned_at, id) > (${at}, ${id}) AND id >= ${getMinIdAt(at)}`,
  },
};

/** The cost of a page by cursor is independent of the depth. */
export async function listScansByOwner(
  connection: SqlConnection,
  accountId: string,
  filter: ScanFilter,
  sort: ScanSort,
  { skip, take, after }: ListRange,
): Promise<{ rows: ScanListRow[]; total: number }> {
  // Each number of types and classes is another text.
  const options = { isPrepared: !filter.types && !filter.classes };
  if (after !== undefined) {
    const query = createScanCursorQuery(accountId, filter, sort, toTimePosition(after), take);
    return { rows: await querySql<ScanListRow>(connection, options)(query), total: 0 };
  }
  const queries = createScanListQueries(accountId, filter, sort, { skip, take });
  const [rows, counts] = await Promise.all([
    querySql<ScanListRow>(connection, options)(queries.page),
    querySql<{ total: bigint }>(connection, options)(queries.total),
  ]);
  return { rows, total: Number(counts[0]?.total ?? 0) };
}

export type LocatedScanRow = ScanListRow & {
  accountId: string;
  position: Buffer | null;
  address: Buffer | null;
};

/** List the newest of a code's scans that have a position, among its last `searched` scans. */
export async function listLocatedScans(
  connection: SqlConnection,
  accountId: string,
  filter: ScanFilter,
  { take, searched }: { take: number; searched: number },
): Promise<LocatedScanRow[]> {
  return querySql<LocatedScanRow>(connection)`
    SELECT ${LIST_COLUMNS}, account_id AS "accountId", position, address
    FROM (SELECT * FROM scans WHERE ${createConditions(accountId, filter)}
          ORDER BY scanned_at DESC, id DESC LIMIT ${searched}) AS last
    WHERE position IS NOT NULL ORDER BY scanned_at DESC, id DESC LIMIT ${take}`;
}

/** Find the last scan by a person of each of some codes that an account owns. */
export async function findLastScans(
  connection: SqlConnection,
  accountId: string,
  qrCodeIds: readonly string[],
  from: Date | undefined,
): Promise<ScanListRow[]> {
  const conditions = from ? sql`scanned_at >= ${from} AND id >= ${getMinIdAt(from)}` : sql`true`;
  return querySql<ScanListRow>(connection)`
    SELECT last.* FROM qr_codes AS code CROSS JOIN LATERAL (
      SELECT ${LIST_COLUMNS} FROM scans
      WHERE qr_code_id = code.id AND class IN ('HUMAN', 'DUPLICATE') AND ${conditions}
      ORDER BY scanned_at DESC, id DESC LIMIT 1) AS last
    WHERE code.id = ANY(${[...qrCodeIds]}::text[]) AND code.account_id = ${accountId}`;
}

/** Find the codes of listed scans by their id. */
export async function findQrCodesOfScans(db: Db, accountId: string, scans: readonly ScanListRow[]) {
  const codes = await db.qrCode.findMany({
    where: { accountId, id: { in: [...new Set(scans.map(({ qrCodeId }) => qrCodeId))] } },
    select: { id: true, kind: true, title: true, status: true, expiresAt: true },
  });
  return new Map(codes.map((code) => [code.id, code]));
}

export function createScanListQueries(
  accountId: string,
  filter: ScanFilter,
  sort: ScanSort,
  page: { skip: number; take: number },
): { page: Prisma.Sql; total: Prisma.Sql } {
  const where = createConditions(accountId, filter);
  return {
    page: createPageQuery(where, sort, page),
    total: sql`SELECT count(*) AS total FROM scans WHERE ${where}`,
  };
}

export function createScanCursorQuery(
  accountId: string,
  filter: ScanFilter,
  sort: ScanSort,
  cursor: TimeCursor | null,
  take: number,
): Prisma.Sql {
  const where = createConditions(accountId, filter);
  const conditions = cursor ? sql`${where} AND ${ORDER_BY[sort].after(cursor)}` : where;
  return createPageQuery(conditions, sort, { skip: 0, take });
}

export interface ScanExportRow {
  id: string;
  position: Buffer | null;
  address: Buffer | null;
  /** Unencrypted columns as JSON, written by PostgreSQL to save time here. */
  facts: string;
}

/** Parse the rows by `parseScanExportRow`. */
export function copyScansToBuffer(
  database: Pick<Database, 'pool'>,
  accountId: string,
  filter: ScanFilter,
  cursor: TimeCursor | null,
  take: number,
  rows: CopyRowBuffer,
): Promise<void> {
  const where = createConditions(accountId, filter);
  const conditions = cursor ? sql`${where} AND ${ORDER_BY['-scannedAt'].after(cursor)}` : where;
  return copyQueryToBuffer(
    database,
    sql`
    SELECT scan.id, position, address, row_to_json(facts)::text
    FROM (SELECT * FROM scans WHERE ${conditions} ORDER BY scanned_at DESC, id DESC LIMIT ${take}) AS scan
    CROSS JOIN LATERAL (
      SELECT id, qr_code_id AS "qrCodeId",
             to_char(scanned_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "scannedAt",
             type, class, class_rule AS "classRule", is_unique AS "unique", unlocked_at IS NOT NULL AS unlocked,
             city, region, country, device, os AS "operatingSystem", browser, ip_truncated AS ip,
             user_agent AS "userAgent") AS facts
    ORDER BY scanned_at DESC, scan.id DESC`,
    rows,
  );
}

export function parseScanExportRow(exportedRow: Buffer): ScanExportRow {
  const [id, position = null, address = null, facts] = parseCopyFields(exportedRow);
  return { id: String(id), position, address, facts: String(facts) };
}

export function getScanExportCursor(exportedRow: Buffer): TimeCursor {
  const { id, facts } = parseScanExportRow(exportedRow);
  return { at: new Date(JSON.parse(facts).scannedAt), id };
}

const LIST_COLUMNS = sql`
  id, qr_code_id AS "qrCodeId", type, class, class_rule AS "classRule", city, region, country, ip_truncated AS "ipTruncated",
  user_agent AS "userAgent", unlocked_at AS "unlockedAt", scanned_at AS "scannedAt"`;

function createPageQuery(
  where: Prisma.Sql,
  sort: ScanSort,
  { skip, take }: { skip: number; take: number },
): Prisma.Sql {
  return sql`
    SELECT ${LIST_COLUMNS}
    FROM scans WHERE ${where}
    ORDER BY ${ORDER_BY[sort].by} LIMIT ${take} OFFSET ${skip}`;
}

function createConditions(accountId: string, filter: ScanFilter): Prisma.Sql {
  const { qrCodeId, limitedTo, from, to, types, classes } = filter;
  const parts = [qrCodeId ? createCodeCondition(qrCodeId, accountId) : sql`account_id = ${accountId}`];
  if (limitedTo)
    parts.push(sql`qr_code_id IN (
      SELECT id FROM qr_codes WHERE account_id = ${accountId} AND folder_id = ANY(${[...limitedTo]}::text[]))`);
  // Bounds of ids select partitions.
  if (from) parts.push(sql`scanned_at >= ${from} AND id >= ${getMinIdAt(from)}`);
  if (to) parts.push(sql`scanned_at < ${to} AND id < ${getMinIdAt(new Date(to.getTime() + 1000))}`);
  // COPY has no parameters of arrays.
  if (types?.length) parts.push(sql`type IN (${Prisma.join([...types])})`);
  if (classes?.length) parts.push(sql`class IN (${Prisma.join([...classes])})`);
  return Prisma.join(parts, ' AND ');
}

/** Of the code's owner. Comparing `scans.account_id` as well would combine two indexes and read each row. */
function createCodeCondition(qrCodeId: string, accountId: string): Prisma.Sql {
  return sql`qr_code_id = ${qrCodeId}
    AND EXISTS (SELECT FROM qr_codes WHERE qr_codes.id = ${qrCodeId} AND qr_codes.account_id = ${accountId})`;
}
