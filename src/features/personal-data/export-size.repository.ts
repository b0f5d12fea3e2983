import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database.ts';
import type { TableSize } from '../../platform/personal-data.ts';

/** How much of a table an archive of a user would have. */
export interface MeasuredTable {
  table: string;
  rows: number;
  /** Of texts, encrypted content and private files. */
  bytes: number;
  /** Names of public files. */
  files: string[];
}

/** Measure tables for an archive of a user, each up to `limit` rows. */
export async function measureTables(
  db: Db,
  userId: string,
  tables: readonly { table: string; size: TableSize; limit: number }[],
): Promise<MeasuredTable[]> {
  const selects = tables.flatMap(({ table, size, limit }) =>
    size.users.map((user) => createMeasureSelect(table, size, user, userId, limit)),
  );
  return db.$queryRaw<MeasuredTable[]>`${Prisma.join(selects, ' UNION ALL ')}`;
}

function createMeasureSelect(
  table: string,
  size: TableSize,
  user: string,
  userId: string,
  limit: number,
): Prisma.Sql {
  const bytes = Prisma.raw(size.bytes ?? '0');
  const file = Prisma.raw(size.file?.column ?? 'NULL::text');
  const where = size.where ? Prisma.raw(`AND ${size.where}`) : Prisma.empty;
  // Rows that only count by their bytes and files are all read.
  const max = size.isUncounted ? Prisma.empty : Prisma.sql`LIMIT ${limit}`;
  return Prisma.sql`
    SELECT ${table}::text AS "table", ${size.isUncounted ? Prisma.sql`0` : Prisma.sql`count(*)::int`} AS rows,
           coalesce(sum(bytes), 0)::float8 AS bytes,
           coalesce(array_agg(file) FILTER (WHERE file IS NOT NULL), '{}') AS files
    FROM (SELECT ${bytes} AS bytes, ${file} AS file FROM ${Prisma.raw(table)}
          WHERE ${Prisma.raw(user)} = ${userId} ${where} ${max}) AS measured`;
}
