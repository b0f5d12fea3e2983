import { createHash } from 'node:crypto';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import {
  decodeListCursor,
  encodeListCursor,
  isSortKey,
  type ListCursor,
  type ListPosition,
  type ListRange,
  type ListSort,
} from '../../shared/list-cursor.ts';
import { getPageOffset } from '../../shared/pagination.ts';

export interface ListPage<Row> extends ListRange {
  page: number;
  limit: number;
  scope: string;
  sort: ListSort<Row>;
  after?: ListCursor | null;
}

export interface ListQuery {
  page?: number;
  limit: number;
  cursor?: string;
}

export interface ListRequest {
  routeOptions: { url?: string | undefined };
  params: unknown;
  query: ListQuery;
}

const SCOPE_BYTES = 6;

/**
 * Read which page of a list a request wants. A query without `page` has pages by cursor only.
 * @throws CURSOR_MISMATCH, USE_CURSOR
 */
export function parseListPage<Row>(request: ListRequest, sort: ListSort<Row>): ListPage<Row> {
  const { page, limit, cursor } = request.query;
  const scope = hashListScope(request, sort.name);
  const common = { page: page ?? 1, limit, scope, sort, take: limit + 1 };
  if (cursor === undefined && page !== undefined) return { ...common, skip: getPageOffset({ page, limit }) };
  return { ...common, skip: 0, after: cursor === undefined ? null : parsePosition(cursor, scope, sort) };
}

/** Create the response from the rows of a range; `total` is only for pages by number. */
export function toListPage<SortedRow, Row extends SortedRow, Item>(
  { page, limit, scope, sort, after }: ListPage<SortedRow>,
  { rows, total = 0 }: { rows: readonly Row[]; total?: number },
  toItem: (row: Row) => Item,
) {
  const visibleRows = rows.slice(0, limit);
  const last = visibleRows.at(-1);
  const hasMore = rows.length > limit;
  const nextCursor = hasMore && last ? encodeListCursor({ scope, ...sort.getPosition(last) }) : null;
  const counts = after === undefined ? { page, total, totalPages: Math.ceil(total / limit) } : {};
  return { data: visibleRows.map(toItem), pagination: { limit, ...counts, nextCursor, hasMore } };
}

/** Get the rows of a range that the page shows. */
export function getVisibleRows<Row>({ take }: ListRange, { rows }: { rows: readonly Row[] }): readonly Row[] {
  return rows.slice(0, take - 1);
}

/** Select a range of rows that are all in memory, sorted by key and id. */
export function selectListRange<SortedRow, Row extends SortedRow>(
  { skip, take, after, sort }: ListPage<SortedRow>,
  rows: readonly Row[],
): { rows: readonly Row[]; total: number } {
  const first = after
    ? rows.findIndex((row) => isBehind(sort.getPosition(row), after, sort.name.startsWith('-')))
    : skip;
  return { rows: first === -1 ? [] : rows.slice(first, first + take), total: rows.length };
}

function isBehind(one: ListPosition, other: ListPosition, isDescending: boolean): boolean {
  const [first, second] = isDescending ? [one, other] : [other, one];
  if (first.key === second.key) return first.id < second.id;
  const isText = typeof first.key === 'string' && typeof second.key === 'string';
  return isText ? String(first.key) < String(second.key) : Number(first.key) < Number(second.key);
}

function parsePosition<Row>(text: string, scope: string, sort: ListSort<Row>): ListCursor | null {
  const cursor = decodeListCursor(text);
  if (cursor === null) return null;
  if (cursor.scope !== scope) throw new ServiceError('CURSOR_MISMATCH');
  if (isSortKey(cursor.key, sort)) return cursor;
  throw createValidationError({ field: 'cursor', code: 'BAD_FORMAT', message: 'Must be a nextCursor.' });
}

// A hash, not a signature: a position that a client makes up shows nothing that it may not list anyway.
function hashListScope({ routeOptions, params, query }: ListRequest, sort: string): string {
  const filters = Object.entries({ ...query, page: undefined, limit: undefined, cursor: undefined, sort })
    .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value])
    .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([routeOptions.url, params, filters]))
    .digest()
    .subarray(0, SCOPE_BYTES)
    .toString('base64url');
}
