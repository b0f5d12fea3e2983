import { Prisma } from '../../generated/prisma/client.ts';
import { countUserAuditEntries } from '../../platform/audit-trail.repository.ts';
import type { Db } from '../../platform/database.ts';
import type { TablePrivacyDefinition, TableSizeDefinition } from '../../platform/personal-data.ts';
import { querySql, sql } from '../../platform/sql.ts';
import type { PersonalDataServices } from './personal-data-services.ts';
import { PERSONAL_TABLES } from './registry.ts';

/** Size of the rows of a table that an archive of a user contains. */
interface MeasuredTable {
  table: string;
  rows: number;
  /** Of texts, encrypted content and private files. */
  bytes: number;
  /** Names of public files. */
  files: string[];
}

/** Measure tables for an archive of a user, each up to `limit` rows. */
async function measureTables(
  db: Db,
  userId: string,
  tables: readonly { table: string; size: TableSizeDefinition; limit: number }[],
): Promise<MeasuredTable[]> {
  const selects = tables.flatMap(({ table, size, limit }) =>
    size.users.map((user) => createMeasureSelect(table, size, user, userId, limit)),
  );
  return querySql<MeasuredTable>(db)`${Prisma.join(selects, ' UNION ALL ')}`;
}

function createMeasureSelect(
  table: string,
  size: TableSizeDefinition,
  user: string,
  userId: string,
  limit: number,
): Prisma.Sql {
  const bytes = Prisma.raw(size.bytes ?? '0');
  const file = Prisma.raw(size.file?.column ?? 'NULL::text');
  const where = size.where ? Prisma.raw(`AND ${size.where}`) : Prisma.empty;
  // Rows that only count by their bytes and files are all read.
  const max = size.isUncounted ? Prisma.empty : sql`LIMIT ${limit}`;
  return sql`
    SELECT ${table}::text AS "table", ${size.isUncounted ? sql`0` : sql`count(*)::int`} AS rows,
           coalesce(sum(bytes), 0)::float8 AS bytes,
           coalesce(array_agg(file) FILTER (WHERE file IS NOT NULL), '{}') AS files
    FROM (SELECT ${bytes} AS bytes, ${file} AS file FROM ${Prisma.raw(table)}
          WHERE ${Prisma.raw(user)} = ${userId} ${where} ${max}) AS measured`;
}

/** Limits above which a job creates the archive. Bytes are those of texts, encrypted content and files. */
const MAX_IMMEDIATE_EXPORT = { qrCodes: 200, rows: 5_000, bytes: 8 * 1024 * 1024 };

type Services = Pick<PersonalDataServices, 'database' | 'publicFiles'>;

/** Check whether an archive of a user is too large to be sent in the response. */
export async function isLargeDataExport(services: Services, userId: string): Promise<boolean> {
  const { client } = services.database;
  const tables = new Map<string, TablePrivacyDefinition>(Object.entries(PERSONAL_TABLES));
  const measured = await measureTables(
    client,
    userId,
    [...tables].flatMap(([table, { size }]) => (size ? [{ table, size, limit: getMaxRows(table) + 1 }] : [])),
  );
  let rows = await countUserAuditEntries(client, userId, MAX_IMMEDIATE_EXPORT.rows + 1);
  let bytes = 0;
  const paths: string[] = [];
  for (const one of measured) {
    if (one.rows > getMaxRows(one.table)) return true;
    if (one.table !== 'qr_codes') rows += one.rows;
    bytes += one.bytes;
    const file = tables.get(one.table)?.size?.file;
    if (file) paths.push(...one.files.map(file.getPath));
  }
  if (rows > MAX_IMMEDIATE_EXPORT.rows || bytes > MAX_IMMEDIATE_EXPORT.bytes) return true;
  // Sequential: file system calls and password hashing share a thread pool.
  for (const path of paths) bytes += (await services.publicFiles.stat(path))?.size ?? 0;
  return bytes > MAX_IMMEDIATE_EXPORT.bytes;
}

function getMaxRows(table: string): number {
  return table === 'qr_codes' ? MAX_IMMEDIATE_EXPORT.qrCodes : MAX_IMMEDIATE_EXPORT.rows;
}
