/** Times and dates are milliseconds. */
export type SortKey = string | number | null;

export type SortKeyType = 'time' | 'date' | 'integer' | 'text';

/** A place in a sorted list: sort key and id of a row. */
export interface ListPosition {
  key: SortKey;
  id: string;
}

export interface ListCursor extends ListPosition {
  /** Hash of the list, its filters and its sort. */
  scope: string;
  /** When the first page was read, in milliseconds: of lists of changes. */
  startedAt?: number | undefined;
}

/** How a list is sorted; rows with equal keys are sorted by id. */
export interface ListSort<Row> {
  name: string;
  keyType: SortKeyType;
  isNullable?: boolean;
  getPosition(row: Row): ListPosition;
}

/** Newest first, which is the order of most lists. */
export const NEWEST_FIRST: ListSort<{ id: string; createdAt: Date }> = createTimeSort(
  '-createdAt',
  ({ createdAt }) => createdAt,
);

export const OLDEST_FIRST: ListSort<{ id: string; createdAt: Date }> = createTimeSort(
  'createdAt',
  ({ createdAt }) => createdAt,
);

/** The part of a list to read. One row more than the page shows whether there are others. */
export interface ListRange {
  skip: number;
  take: number;
  /** Set for pages by cursor, which have no total; null for their first page. */
  after?: ListPosition | null;
}

export const FIRST_PAGE_CURSOR = 'start';

/** The last millisecond of the year 9999. */
const MAX_TIME_MS = 253_402_300_799_999;

/** Of an int4. */
const MAX_INTEGER = 2_147_483_647;

const ROW_ID_PATTERN = /^[\w-]{0,64}$/;

export function createTimeSort<Row extends { id: string }>(
  name: string,
  getTime: (row: Row) => Date,
): ListSort<Row> {
  return {
    name,
    keyType: 'time',
    getPosition: (row) => ({ key: getTime(row).getTime(), id: row.id }),
  };
}

/** Convert a position in a list that is sorted by time. */
export function toTimePosition(position: ListPosition | null | undefined): { at: Date; id: string } | null {
  return position ? { at: new Date(Number(position.key)), id: position.id } : null;
}

export function encodeListCursor({ scope, key, id, startedAt }: ListCursor): string {
  const values = startedAt === undefined ? [scope, key, id] : [scope, key, id, startedAt];
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** Decode text of the format `cursor`; null for the first page. */
export function decodeListCursor(text: string): ListCursor | null {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(values)) return null;
    const [scope, key = null, id, startedAt]: unknown[] = values;
    if (typeof scope !== 'string' || typeof id !== 'string' || !ROW_ID_PATTERN.test(id)) return null;
    if (key !== null && typeof key !== 'string' && typeof key !== 'number') return null;
    if (startedAt === undefined) return { scope, key, id };
    const isTime = typeof startedAt === 'number' && isSortKey(startedAt, { keyType: 'time' });
    return isTime ? { scope, key, id, startedAt } : null;
  } catch {
    return null;
  }
}

export function isListCursor(text: string): boolean {
  const cursor = decodeListCursor(text);
  return text === (cursor ? encodeListCursor(cursor) : FIRST_PAGE_CURSOR);
}

/** Tell whether PostgreSQL accepts a key, which the client may have made up. */
export function isSortKey(
  key: SortKey,
  { keyType, isNullable = false }: Pick<ListSort<never>, 'keyType' | 'isNullable'>,
): boolean {
  if (key === null) return isNullable;
  if (typeof key === 'string') return keyType === 'text' && key.isWellFormed() && !key.includes('\0');
  const max = keyType === 'integer' ? MAX_INTEGER : MAX_TIME_MS;
  return keyType !== 'text' && Number.isInteger(key) && key >= 0 && key <= max;
}
