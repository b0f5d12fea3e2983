import { type Static, type TSchema, Type } from 'typebox';
import { nullable, schemaRef } from './common.schemas.ts';
import { ServiceError } from './errors.ts';
import { FIRST_PAGE_CURSOR } from './time-cursor.ts';

/** Deeper pages need a cursor. */
const MAX_OFFSET_ROW = 10_000;

export const PageQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 100_000, default: 1, description: 'From 1.' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Rows per page.' }),
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

export function createPageSchema<S extends TSchema & { $id?: string }>(item: S) {
  return Type.Object({ data: Type.Array(schemaRef(item)), pagination: schemaRef(Pagination) });
}

export const CursorParam = Type.Optional(
  Type.String({
    maxLength: 100,
    format: 'cursor',
    description: `Alternative to page: \`${FIRST_PAGE_CURSOR}\`, then nextCursor of the previous page. Equally fast at any depth; returns no total.`,
  }),
);

/** With `cursor` the last two, otherwise the others. */
export const CursorPagination = Type.Object({
  page: Type.Optional(Type.Integer()),
  limit: Type.Integer(),
  total: Type.Optional(Type.Integer()),
  totalPages: Type.Optional(Type.Integer()),
  nextCursor: Type.Optional(nullable(Type.String())),
  hasMore: Type.Optional(Type.Boolean()),
});

export function createCursorPageSchema<S extends TSchema & { $id?: string }, const Id extends string>(
  item: S,
  $id: Id,
) {
  return Type.Object(
    {
      data: Type.Array(schemaRef(item)),
      pagination: CursorPagination,
    },
    { $id },
  );
}

/** Create a page by cursor from `limit` + 1 rows: the extra one shows that there is a next page. */
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

export function getPageOffset({ page, limit }: Static<typeof PageQuery>): number {
  if (page * limit > MAX_OFFSET_ROW) throw new ServiceError('USE_CURSOR');
  return (page - 1) * limit;
}

export function toPage<Item>(query: Static<typeof PageQuery>, data: Item[], total: number) {
  const { page, limit } = query;
  return { data, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } };
}
