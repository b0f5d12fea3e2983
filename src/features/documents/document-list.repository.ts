import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database.ts';
import {
  createReferenceConditions,
  createTimeRangeConditions,
} from '../../platform/list-filter.repository.ts';
import {
  createAfterConditions,
  createOrderSql,
  createSqlListSorts,
  RECORD_TIME_SORTS,
  type SqlListSort,
} from '../../platform/list-order.repository.ts';
import { querySql, sql } from '../../platform/sql.ts';
import type { ListRange } from '../../shared/list-cursor.ts';
import type { ReferenceFilter } from '../../shared/metadata.schemas.ts';
import type { TimeRange } from '../../shared/time-filters.ts';
import { createQrCodeSearchConditions } from '../codes/index.ts';
import type { DocumentRow } from './document.repository.ts';

export interface DocumentListRow extends Omit<DocumentRow, 'note' | 'lastDeletedVersion'> {
  contentType: string;
  size: number;
  versionCount: number;
  shareCount: number;
  searchText: string;
}

export interface DocumentListFilter extends ReferenceFilter {
  /** Deleted after this time, in place of those that are not deleted. */
  deletedSince?: Date | undefined;
  updatedSince?: Date | undefined;
  search?: string | undefined;
  kinds?: readonly string[] | undefined;
  created?: TimeRange | undefined;
  /** Dates, the second one exclusive. */
  expiresFrom?: string | undefined;
  expiresTo?: string | undefined;
}

export const DOCUMENT_SORTS = [
  '-createdAt',
  'createdAt',
  '-updatedAt',
  'updatedAt',
  'title',
  '-title',
  'expiresOn',
  '-expiresOn',
] as const;

export type DocumentSort = (typeof DOCUMENT_SORTS)[number];

// The lower-case title.
const title = {
  expression: sql`search_text`,
  keyType: 'text' as const,
  getKey: (row: DocumentListRow) => row.searchText,
};
// Documents without a date are last in both directions.
const expiresOn = { keyType: 'date' as const, getKey: (row: DocumentListRow) => row.expiresOn };

export const DOCUMENT_LIST_SORTS = createSqlListSorts<DocumentListRow, DocumentSort>({
  ...RECORD_TIME_SORTS,
  title,
  '-title': title,
  expiresOn: {
    ...expiresOn,
    expression: sql`coalesce(expires_on, 'infinity')`,
    nullValue: 'infinity',
  },
  '-expiresOn': {
    ...expiresOn,
    expression: sql`coalesce(expires_on, '-infinity')`,
    nullValue: '-infinity',
  },
});

/** `expiresOn` backwards: documents without a date are first. */
export const LAST_EXPIRING_FIRST = createSqlListSorts<DocumentListRow, '-expiresOn'>({
  '-expiresOn': { ...expiresOn, expression: sql`coalesce(expires_on, 'infinity')`, nullValue: 'infinity' },
})['-expiresOn'];

/** `search` matches anywhere in the title, in any case. */
export async function listDocuments(
  db: Db,
  accountId: string,
  {
    deletedSince,
    updatedSince,
    search,
    kinds,
    created,
    expiresFrom,
    expiresTo,
    ...references
  }: DocumentListFilter,
  sort: SqlListSort<DocumentListRow>,
  { skip, take, after }: ListRange,
): Promise<{ rows: DocumentListRow[]; total: number }> {
  const conditions = [
    sql`account_id = ${accountId}`,
    deletedSince ? sql`deleted_at > ${deletedSince}` : sql`deleted_at IS NULL`,
    ...(updatedSince ? [sql`updated_at >= ${updatedSince}`] : []),
    ...(search ? createQrCodeSearchConditions(search) : []),
    ...(kinds?.length ? [sql`kind = ANY(${[...kinds]})`] : []),
    ...createTimeRangeConditions(sql`created_at`, created),
    ...(expiresFrom ? [sql`expires_on >= ${expiresFrom}::date`] : []),
    ...(expiresTo ? [sql`expires_on < ${expiresTo}::date`] : []),
    ...createReferenceConditions(references),
  ];
  const where = Prisma.join(conditions, ' AND ');
  const whereAfter = Prisma.join([...conditions, ...createAfterConditions(sort, after)], ' AND ');
  const order = createOrderSql(sort);
  const page = sql`
    SELECT id, account_id AS "accountId", title, search_text AS "searchText", kind, external_id AS "externalId", metadata, expires_on AS "expiresOn", current_version AS "currentVersion",
           version, deleted_at AS "deletedAt", created_at AS "createdAt", updated_at AS "updatedAt", content_type AS "contentType", size::float8,
           (SELECT count(*)::int FROM document_versions
            WHERE account_id = document.account_id AND document_id = document.id) AS "versionCount",
           ((SELECT count(*) FROM document_shares
             WHERE account_id = document.account_id AND document_id = document.id AND ended_at IS NULL AND (expires_at IS NULL OR expires_at > now())
               AND (max_views IS NULL OR views < max_views))
          + (SELECT count(*) FROM document_grants
             WHERE account_id = document.account_id AND document_id = document.id))::int AS "shareCount"
    FROM (SELECT * FROM documents WHERE ${whereAfter} ORDER BY ${order} LIMIT ${take} OFFSET ${skip}) AS document
    CROSS JOIN LATERAL (
      SELECT content_type, size FROM document_versions
      WHERE account_id = document.account_id AND document_id = document.id AND number = current_version) AS current
    ORDER BY ${order}`;
  const count = sql`SELECT count(*)::int AS total FROM documents WHERE ${where}`;
  const [rows, counted] = await Promise.all([
    querySql<DocumentListRow>(db)(page),
    after === undefined ? querySql<{ total: number }>(db)(count) : [],
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}
