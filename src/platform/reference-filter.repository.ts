import { Prisma } from '../generated/prisma/client.ts';
import type { ReferenceFilter } from '../shared/metadata.schemas.ts';

/** Create conditions on the columns `external_id` and `metadata`. */
export function createReferenceConditions({ externalId, metadata }: ReferenceFilter): Prisma.Sql[] {
  return [
    ...(externalId === undefined ? [] : [Prisma.sql`external_id = ${externalId}`]),
    // The first part repeats the condition of the partial index.
    ...(metadata === undefined
      ? []
      : [Prisma.sql`metadata <> '{}' AND metadata @> ${JSON.stringify(metadata)}::jsonb`]),
  ];
}
