import { type Static, type TSchema, Type } from 'typebox';
import { nullable, schemaRef, stringEnum } from './common.schemas.ts';
import { ServiceError } from './errors.ts';
import { FIRST_PAGE_CURSOR } from './list-cursor.ts';

/** Deeper pages need a cursor. */
const MAX_OFFSET_ROW = 10_000;

export const PageQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 100_000, default: 1, description: 'From 1.' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Rows per page.' }),
  cursor: Type.Optional(
    Type.String({
      maxLength: 1000,
      format: 'cursor',
      description: `\`nextCursor\` of the page before, with the same filters and sort; \`${FIRST_PAGE_CURSOR}\` for a first page without total.`,
    }),
  ),
});

/** Of a list that has no pages by number. */
export const CursorQuery = Type.Object({
  limit: PageQuery.properties.limit,
  cursor: PageQuery.properties.cursor,
});

/** Create the parameter that selects the order of a list. The first is the default. */
export function createSortParam<const T extends readonly [string, ...string[]]>(sorts: T) {
  const description = `Sort field; a leading minus sorts in descending order. Default \`${sorts[0]}\`.`;
  return Type.Optional(stringEnum(sorts, { description }));
}

export const Pagination = Type.Object(
  {
    page: Type.Optional(Type.Integer()),
    limit: Type.Integer(),
    total: Type.Optional(Type.Integer()),
    totalPages: Type.Optional(Type.Integer()),
    nextCursor: nullable(Type.String()),
    hasMore: Type.Boolean(),
    nextUpdatedSince: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { $id: 'Pagination' },
);

export function createPageSchema<S extends TSchema & { $id?: string }>(item: S) {
  return Type.Object({ data: Type.Array(schemaRef(item)), pagination: schemaRef(Pagination) });
}

export function createNamedPageSchema<S extends TSchema & { $id?: string }, const Id extends string>(
  item: S,
  $id: Id,
) {
  return Type.Object({ data: Type.Array(schemaRef(item)), pagination: schemaRef(Pagination) }, { $id });
}

export function getPageOffset({ page, limit }: Pick<Static<typeof PageQuery>, 'page' | 'limit'>): number {
  if (page * limit > MAX_OFFSET_ROW) throw new ServiceError('USE_CURSOR');
  return (page - 1) * limit;
}
