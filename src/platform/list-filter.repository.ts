import type { Prisma } from '../generated/prisma/client.ts';
import type { ReferenceFilter } from '../shared/metadata.schemas.ts';
import type { TimeRange } from '../shared/time-filters.ts';
import { sql } from './sql.ts';

/** Create conditions on the columns `external_id` and `metadata`. */
export function createReferenceConditions({ externalIds, metadata = [] }: ReferenceFilter): Prisma.Sql[] {
  return [
    ...(externalIds === undefined ? [] : [sql`external_id = ANY(${[...externalIds]})`]),
    // The first part repeats the condition of the partial index.
    ...metadata.map((pair) => sql`metadata <> '{}' AND metadata @> ${JSON.stringify(pair)}::jsonb`),
  ];
}

/** Create the condition for one of several values. A single one keeps the order of an index. */
export function createValuesCondition(column: Prisma.Sql, values: readonly string[]): Prisma.Sql {
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = ANY (${[...values]}::text[])`;
}

/** Create conditions on a column of times. */
export function createTimeRangeConditions(column: Prisma.Sql, range: TimeRange | undefined): Prisma.Sql[] {
  return [
    ...(range?.from ? [sql`${column} >= ${range.from}`] : []),
    ...(range?.to ? [sql`${column} < ${range.to}`] : []),
  ];
}
