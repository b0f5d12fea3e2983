import type { FastifyRequest } from 'fastify';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import {
  encodeListCursor,
  FIRST_PAGE_CURSOR,
  type ListPosition,
  type ListSort,
} from '../../shared/list-cursor.ts';
import { parseTimeRangeBound } from '../../shared/time-range.ts';
import { requireAuthenticatedUser } from '../authentication.ts';
import { type ListPage, type ListQuery, type ListRequest, parseListPage } from './list-pages.ts';

interface ChangesPage<Row> extends ListPage<Row> {
  /** When the first page was read. */
  startedAt: number;
}

interface ChangesQuery extends ListQuery {
  updatedSince?: string;
}

interface Deletion {
  id: string;
  deletedAt: Date;
}

/**
 * More than a transaction lasts and clocks of instances differ: a row that was committed after a page had been read can
 * have an earlier time than the page.
 */
const OVERLAP_MS = 60_000;

const CHANGES_PARAMETERS = new Set(['limit', 'cursor', 'updatedSince', 'include']);

/** Both the first by time and id, and as many as the range has. */
interface Changes<Row, Item> {
  rows: readonly Row[];
  deletions: readonly Deletion[];
  toItem: (row: Row) => Item;
}

/**
 * List what changed in the list of a user since a time, oldest change first.
 * @throws VALIDATION_FAILED with filters, UPDATED_SINCE_TOO_OLD, CURSOR_MISMATCH
 */
export async function listChanges<SortedRow, Row extends SortedRow, Item>(
  request: FastifyRequest<{ Querystring: ChangesQuery }>,
  sort: ListSort<SortedRow>,
  loadChanges: (since: Date, page: ChangesPage<SortedRow>) => Promise<Changes<Row, Item>>,
) {
  const { timeZone } = requireAuthenticatedUser(request);
  const since = parseTimeRangeBound(request.query.updatedSince, timeZone) ?? new Date();
  const page = parseChangesPage(request, sort, since);
  return toChangesPage(page, await loadChanges(since, page));
}

function parseChangesPage<Row>(
  request: ListRequest,
  sort: ListSort<Row>,
  updatedSince: Date,
): ChangesPage<Row> {
  const { page: pageNumber = 1, ...others } = request.query;
  const filters = Object.keys(pageNumber === 1 ? others : request.query).filter(
    (name) => !CHANGES_PARAMETERS.has(name),
  );
  if (filters.length > 0) {
    const message = 'Must not be combined with updatedSince.';
    throw createValidationError(...filters.map((field) => ({ field, code: 'NOT_ALLOWED', message })));
  }
  const now = Date.now();
  if (updatedSince.getTime() < now - LIFETIMES_SECONDS.deletedRecord * 1000)
    throw new ServiceError('UPDATED_SINCE_TOO_OLD');
  const { routeOptions, params, query } = request;
  const { cursor = FIRST_PAGE_CURSOR } = query;
  const page = parseListPage({ routeOptions, params, query: { ...query, cursor } }, sort);
  return { ...page, startedAt: page.after?.startedAt ?? now };
}

function toChangesPage<SortedRow, Row extends SortedRow, Item>(
  { limit, scope, sort, startedAt }: ChangesPage<SortedRow>,
  { rows, deletions, toItem }: Changes<Row, Item>,
) {
  const entries = [
    ...rows.map((row) => ({ position: sort.getPosition(row), row, deletion: undefined })),
    ...deletions.map((deletion) => ({
      position: { key: deletion.deletedAt.getTime(), id: deletion.id },
      row: undefined,
      deletion,
    })),
  ].toSorted((one, other) => comparePositions(one.position, other.position));
  const visible = entries.slice(0, limit);
  const last = visible.at(-1);
  const hasMore = entries.length > limit;
  return {
    data: visible.flatMap(({ row }) => (row === undefined ? [] : [toItem(row)])),
    deleted: visible.flatMap(({ deletion }) =>
      deletion ? [{ id: deletion.id, deletedAt: deletion.deletedAt.toISOString() }] : [],
    ),
    pagination: {
      limit,
      nextCursor: hasMore && last ? encodeListCursor({ scope, ...last.position, startedAt }) : null,
      hasMore,
      ...(hasMore ? {} : { nextUpdatedSince: new Date(startedAt - OVERLAP_MS).toISOString() }),
    },
  };
}

function comparePositions(one: ListPosition, other: ListPosition): number {
  return Number(one.key) - Number(other.key) || (one.id < other.id ? -1 : 1);
}
