import { Prisma } from '../generated/prisma/client.ts';
import type { ReferenceFilter } from '../shared/metadata.schemas.ts';

/** Create conditions on the columns `external_id` and `metadata`. */
export function createReferenceConditions({ externalIds, metadata = [] }: ReferenceFilter): Prisma.Sql[] {
  return [
    ...(externalIds === undefined ? [] : [Prisma.sql`external_id = ANY(${[...externalIds]})`]),
    // The first part repeats the condition of the partial index.
    ...metadata.map((pair) => Prisma.sql`metadata <> '{}' AND metadata @> ${JSON.stringify(pair)}::jsonb`),
  ];
}

/** Create the condition for one of several values. A single one keeps the order of an index. */
export function createValuesCondition(column: Prisma.Sql, values: readonly string[]): Prisma.Sql {
  return values.length === 1
    ? Prisma.sql`${column} = ${values[0]}`
    : Prisma.sql`${column} = ANY (${[...values]}::text[])`;
}
