import { type Static, type TSchema, Type } from 'typebox';
import { ref } from './common.schemas.ts';
import { ServiceError } from './errors.ts';

/** The deepest row that a page may end at; deeper needs a cursor. */
const DEEPEST = 10_000;

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
export function pageOf<S extends TSchema & { $id?: string }>(item: S) {
  return Type.Object({ data: Type.Array(ref(item)), pagination: ref(Pagination) });
}

/** Rows to skip for a page. Throws USE_CURSOR beyond row 10,000. */
export function offsetOf({ page, limit }: Static<typeof PageQuery>): number {
  if (page * limit > DEEPEST) throw new ServiceError('USE_CURSOR');
  return (page - 1) * limit;
}

/** A page as it is answered. */
export function pageAnswer<Item>(query: Static<typeof PageQuery>, data: Item[], total: number) {
  const { page, limit } = query;
  return { data, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } };
}
