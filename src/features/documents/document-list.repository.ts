import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database.ts';
import { createReferenceConditions } from '../../platform/reference-filter.repository.ts';
import type { ReferenceFilter } from '../../shared/metadata.schemas.ts';
import { createQrCodeSearchConditions } from '../codes/index.ts';
import type { DocumentRow } from './document.repository.ts';

export interface DocumentListRow extends Omit<DocumentRow, 'note'> {
  contentType: string;
  size: number | bigint;
  versionCount: number;
  shareCount: number;
}

export interface DocumentListOptions extends ReferenceFilter {
  search?: string | undefined;
  kind?: string | undefined;
  sort: DocumentSort;
  skip: number;
  take: number;
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

// Ids alone do not order rows of the same second.
const ORDER_BY_SORT: Record<DocumentSort, Prisma.Sql> = {
  '-createdAt': Prisma.sql`created_at DESC, id DESC`,
  createdAt: Prisma.sql`created_at ASC, id ASC`,
  '-updatedAt': Prisma.sql`updated_at DESC, id DESC`,
  updatedAt: Prisma.sql`updated_at ASC, id ASC`,
  title: Prisma.sql`search_text ASC, id ASC`,
  '-title': Prisma.sql`search_text DESC, id DESC`,
  expiresOn: Prisma.sql`expires_on ASC NULLS LAST, id ASC`,
  '-expiresOn': Prisma.sql`expires_on DESC NULLS LAST, id DESC`,
};

/** `search` matches anywhere in the title, in any case. */
export async function listDocuments(
  db: Db,
  ownerId: string,
  { search, kind, sort, skip, take, ...references }: DocumentListOptions,
): Promise<{ rows: DocumentListRow[]; total: number }> {
  const conditions = [
    Prisma.sql`owner_id = ${ownerId}`,
    ...(search ? createQrCodeSearchConditions(search) : []),
    ...(kind ? [Prisma.sql`kind = ${kind}`] : []),
    ...createReferenceConditions(references),
  ];
  const where = Prisma.join(conditions, ' AND ');
  const order = ORDER_BY_SORT[sort];
  const page = Prisma.sql`
    SELECT id, owner_id AS "ownerId", title, kind, external_id AS "externalId", metadata, expires_on AS "expiresOn", current_version AS "currentVersion",
           version, created_at AS "createdAt", updated_at AS "updatedAt", content_type AS "contentType", size,
           (SELECT count(*)::int FROM document_versions WHERE document_id = document.id) AS "versionCount",
           ((SELECT count(*) FROM document_shares
             WHERE document_id = document.id AND ended_at IS NULL AND (expires_at IS NULL OR expires_at > now())
               AND (max_views IS NULL OR views < max_views))
          + (SELECT count(*) FROM document_grants WHERE document_id = document.id))::int AS "shareCount"
    FROM (SELECT * FROM documents WHERE ${where} ORDER BY ${order} LIMIT ${take} OFFSET ${skip}) AS document
    CROSS JOIN LATERAL (
      SELECT content_type, size FROM document_versions
      WHERE document_id = document.id AND number = current_version) AS newest
    ORDER BY ${order}`;
  const count = Prisma.sql`SELECT count(*)::int AS total FROM documents WHERE ${where}`;
  const [rows, counted] = await Promise.all([
    db.$queryRaw<DocumentListRow[]>(page),
    db.$queryRaw<{ total: number }[]>(count),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}
