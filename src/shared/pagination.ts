import { type Static, type TSchema, Type } from 'typebox';
import { nullable, schemaRef } from './common.schemas.ts';
import { ServiceError } from './errors.ts';

/** The deepest row that a page may end at; deeper needs a cursor. */
const MAX_OFFSET_ROW = 10_000;

export const PageQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 100_000, default: 1, description: 'From 1.' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Rows a page.' }),
});

export const Pagination = Type.Object(
  {
    page: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer(),
    totalPages: Type.Integer(),
  },
  { $id: 'Pagination' },
);

/** The schema of a page of items that are a named component. */
export function createPageSchema<S extends TSchema & { $id?: string }>(item: S) {
  return Type.Object({ data: Type.Array(schemaRef(item)), pagination: schemaRef(Pagination) });
}

/** What a client sends for the first page of a list by cursor. */
export const FIRST_CURSOR = 'start';

/** The query parameter of a list that can also be read by cursor. */
export const CursorParam = Type.Optional(
  Type.String({
    maxLength: 100,
    description: `In place of page: \`${FIRST_CURSOR}\`, then nextCursor of the page before. Costs the same at any depth, and answers no total.`,
  }),
);

/** The schema of a page of items by number, which has page, total and totalPages, or by cursor, which has nextCursor and hasMore. */
export function createCursorPageSchema<S extends TSchema & { $id?: string }, const Id extends string>(
  item: S,
  $id: Id,
) {
  return Type.Object(
    {
      data: Type.Array(schemaRef(item)),
      pagination: Type.Object({
        page: Type.Optional(Type.Integer()),
        limit: Type.Integer(),
        total: Type.Optional(Type.Integer()),
        totalPages: Type.Optional(Type.Integer()),
        nextCursor: Type.Optional(nullable(Type.String())),
        hasMore: Type.Optional(Type.Boolean()),
      }),
    },
    { $id },
  );
}

/**
 * A page by cursor as it is answered, of rows of which one more than `limit` was asked for: it tells whether there is
 * a next page. `place` names the place of a row in the list.
 */
export function toCursorPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  toCursor: (row: Row) => string,
) {
  const visibleRows = rows.slice(0, limit);
  const last = visibleRows.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: visibleRows.map(toItem),
    pagination: { limit, nextCursor: hasMore && last ? toCursor(last) : null, hasMore },
  };
}

/** Rows to skip for a page. Throws USE_CURSOR beyond row 10,000. */
export function getPageOffset({ page, limit }: Static<typeof PageQuery>): number {
  if (page * limit > MAX_OFFSET_ROW) throw new ServiceError('USE_CURSOR');
  return (page - 1) * limit;
}

/** A page as it is answered. */
export function toPage<Item>(query: Static<typeof PageQuery>, data: Item[], total: number) {
  const { page, limit } = query;
  return { data, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } };
}
