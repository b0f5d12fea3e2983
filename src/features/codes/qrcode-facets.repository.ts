import { Prisma } from '../../generated/prisma/client.ts';
import { querySql, type SqlConnection, sql } from '../../platform/sql.ts';
import { NO_FOLDER } from './folders/folders.schemas.ts';
import { createQrCodeConditions, type QrCodeListFilter } from './qrcode-list.repository.ts';

/** Names of metadata, and values of each, that are counted: the most frequent ones. */
export const MAX_FACET_KEYS = 20;
export const MAX_FACET_VALUES = 20;

/** Pairs of more codes would take seconds to count. */
export const MAX_FACET_CODES = 10_000;

export interface FacetValue {
  value: string;
  count: number;
}

export interface MetadataFacet {
  key: string;
  /** Codes that have the key. */
  count: number;
  /** Different values, of which `values` has the most frequent ones. */
  valueCount: number;
  values: FacetValue[];
}

/** Count codes by kind and by current status. Each ignores its own filter, so that other choices show what they would find. */
export async function countQrCodesByKindAndStatus(
  connection: SqlConnection,
  accountId: string,
  filter: QrCodeListFilter,
): Promise<{ kinds: FacetValue[]; statuses: FacetValue[] }> {
  const count = (value: Prisma.Sql, rest: QrCodeListFilter) =>
    querySql<FacetValue>(connection, { isPrepared: false })(sql`
      SELECT (${value})::text AS value, count(*)::int AS count FROM qr_codes WHERE ${createWhere(accountId, rest)}
      GROUP BY 1 ORDER BY 2 DESC, 1`);
  const status = sql`CASE WHEN status <> 'DELETED' AND expires_at <= now() THEN 'EXPIRED' ELSE status END`;
  const [kinds, statuses] = await Promise.all([
    count(sql`kind`, { ...filter, kinds: undefined }),
    count(status, { ...filter, statuses: undefined }),
  ]);
  return { kinds, statuses };
}

/** Count codes by folder, `none` for those in no folder or a deleted one, whatever folder is chosen. */
export async function countQrCodesByFolder(
  connection: SqlConnection,
  accountId: string,
  filter: QrCodeListFilter,
): Promise<FacetValue[]> {
  return querySql<FacetValue>(connection, { isPrepared: false })(sql`
    SELECT coalesce(folder.id, ${NO_FOLDER}) AS value, sum(counted.count)::int AS count
    FROM (
      SELECT folder_id, count(*) AS count FROM qr_codes
      WHERE ${createWhere(accountId, { ...filter, folder: undefined })} GROUP BY folder_id
    ) AS counted
    LEFT JOIN folders AS folder
      ON folder.account_id = ${accountId} AND folder.id = counted.folder_id AND folder.deleted_at IS NULL
    GROUP BY 1 ORDER BY 2 DESC, 1`);
}

/** Count pairs of metadata in the newest codes, whatever pairs are chosen. */
export async function countQrCodesByMetadata(
  connection: SqlConnection,
  accountId: string,
  filter: QrCodeListFilter,
): Promise<MetadataFacet[]> {
  return querySql<MetadataFacet>(connection, { isPrepared: false })(sql`
    WITH pairs AS (
      SELECT key, value, count(*)::int AS count
      FROM (
        SELECT metadata FROM qr_codes
        WHERE ${createWhere(accountId, { ...filter, metadata: undefined })} AND metadata <> '{}'
        ORDER BY created_at DESC, id DESC LIMIT ${MAX_FACET_CODES}
      ) AS code CROSS JOIN LATERAL jsonb_each_text(metadata) AS pair (key, value)
      GROUP BY key, value
    ), keys AS (
      SELECT key, sum(count)::int AS count, count(*)::int AS value_count FROM pairs
      GROUP BY key ORDER BY 2 DESC, 1 LIMIT ${MAX_FACET_KEYS}
    )
    SELECT key, count, value_count AS "valueCount", (
      SELECT jsonb_agg(jsonb_build_object('value', top.value, 'count', top.count) ORDER BY top.count DESC, top.value)
      FROM (SELECT value, count FROM pairs WHERE pairs.key = keys.key ORDER BY count DESC, value LIMIT ${MAX_FACET_VALUES}) AS top
    ) AS values
    FROM keys ORDER BY count DESC, key`);
}

function createWhere(accountId: string, filter: QrCodeListFilter): Prisma.Sql {
  return Prisma.join([sql`account_id = ${accountId}`, ...createQrCodeConditions(accountId, filter)], ' AND ');
}
