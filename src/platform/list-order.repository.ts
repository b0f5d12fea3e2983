import type { Prisma } from '../generated/prisma/client.ts';
import {
  type ListPosition,
  type ListSort,
  type SortKey,
  type SortKeyType,
  toTimePosition,
} from '../shared/list-cursor.ts';
import { sql } from './sql.ts';

/** A sort by an SQL expression and `id`, both in the same direction, so that one index serves all pages. */
export interface SqlListSort<Row> extends ListSort<Row> {
  /** Never null: a nullable column is coalesced with `nullValue`. */
  expression: Prisma.Sql;
  isDescending: boolean;
  nullValue?: '-infinity' | 'infinity';
}

const SQL_TYPES: Record<SortKeyType, Prisma.Sql> = {
  time: sql`timestamptz`,
  date: sql`date`,
  integer: sql`bigint`,
  text: sql`text`,
};

type SortDefinition<Row> = Omit<SqlListSort<Row>, 'name' | 'isDescending' | 'isNullable' | 'getPosition'> & {
  getKey(row: Row): SortKey | Date | bigint;
};

const CREATED_AT: SortDefinition<{ createdAt: Date }> = {
  expression: sql`created_at`,
  keyType: 'time',
  getKey: ({ createdAt }) => createdAt,
};
const UPDATED_AT: SortDefinition<{ updatedAt: Date }> = {
  expression: sql`updated_at`,
  keyType: 'time',
  getKey: ({ updatedAt }) => updatedAt,
};

/** The sorts of lists of records that have both times. */
export const RECORD_TIME_SORTS = {
  '-createdAt': CREATED_AT,
  createdAt: CREATED_AT,
  '-updatedAt': UPDATED_AT,
  updatedAt: UPDATED_AT,
};

/** Create the sorts of a list by their names in the API; a minus stands for descending. */
export function createSqlListSorts<Row extends { id: string }, Name extends string>(
  definitions: Record<Name, SortDefinition<Row>>,
): Record<Name, SqlListSort<Row>> {
  const sorts = Object.entries<SortDefinition<Row>>(definitions).map(([name, { getKey, ...definition }]) => {
    const sort: SqlListSort<Row> = {
      ...definition,
      name,
      isDescending: name.startsWith('-'),
      isNullable: definition.nullValue !== undefined,
      getPosition: (row) => ({ key: toSortKey(getKey(row)), id: row.id }),
    };
    return [name, sort];
  });
  return Object.fromEntries(sorts);
}

export function createOrderSql<Row>({ expression, isDescending }: SqlListSort<Row>): Prisma.Sql {
  const direction = isDescending ? sql`DESC` : sql`ASC`;
  return sql`${expression} ${direction}, id ${direction}`;
}

/** Create the conditions for the rows after a position. */
export function createAfterConditions<Row>(
  { expression, isDescending, keyType, nullValue }: SqlListSort<Row>,
  after: ListPosition | null | undefined,
): Prisma.Sql[] {
  if (!after) return [];
  const operator = isDescending ? sql`<` : sql`>`;
  const key = after.key === null ? nullValue : formatSortKey(after.key, keyType);
  return [sql`(${expression}, id) ${operator} (${key}::${SQL_TYPES[keyType]}, ${after.id})`];
}

interface TimeBound {
  lt?: Date;
  lte?: Date;
  gt?: Date;
  gte?: Date;
}

/** Create the Prisma filter for the rows after a position in a list that is sorted by time and id. */
export function createAfterFilter<Field extends string>(
  field: Field,
  after: ListPosition | null | undefined,
  direction: 'asc' | 'desc' = 'desc',
) {
  const position = toTimePosition(after);
  if (!position) return undefined;
  const { at, id } = position;
  const isDescending = direction === 'desc';
  const bound = { [field]: isDescending ? { lte: at } : { gte: at } } as Record<Field, TimeBound>;
  const time = { [field]: isDescending ? { lt: at } : { gt: at } } as Record<Field, TimeBound>;
  // The first condition is for the index. Within AND, because a filter can have an OR of its own.
  return { ...bound, AND: [{ OR: [time, { id: isDescending ? { lt: id } : { gt: id } }] }] };
}

function toSortKey(key: SortKey | Date | bigint): SortKey {
  if (key instanceof Date) return key.getTime();
  return typeof key === 'bigint' ? Number(key) : key;
}

function formatSortKey(key: string | number, keyType: SortKeyType): string {
  if (keyType === 'time') return new Date(key).toISOString();
  return keyType === 'date' ? new Date(key).toISOString().slice(0, 10) : String(key);
}
