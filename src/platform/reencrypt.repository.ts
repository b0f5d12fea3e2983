import pg from 'pg';
import { createEnvelopeHeader } from '../shared/crypto/envelope.ts';
import type { Database } from './database.ts';
import type { EncryptedColumnDefinition } from './encrypted-columns.ts';
import { querySql } from './sql.ts';

/** Rows per statement: ends long before the time limit on any disk. */
const PAGE_SIZE = 5_000;

export interface StaleEncryptedValuesPage {
  last: string | null;
  stale: string[];
}

export interface EncryptedValueRow {
  id: string;
  ownerId: string;
  marker: string | null;
  bytes: Buffer;
}

/** Find values not of today's version under the primary key, reading only their first bytes. */
export async function findStaleEncryptedValues(
  db: Pick<Database, 'pool'>,
  column: EncryptedColumnDefinition,
  after: string,
  primary: string,
): Promise<StaleEncryptedValuesPage> {
  const { table, value, id, marker } = quoteColumnNames(column);
  const cbcHmac = column.algorithm === 'GCM' ? null : column.algorithm.cbcHmacWhere.value;
  const rows = await querySql<StaleEncryptedValuesPage>(db.pool)({
    text: `SELECT max(id) AS last, coalesce(array_agg(id ORDER BY id) FILTER (WHERE is_stale), '{}') AS stale
     FROM (SELECT ${id} AS id, ${value} IS NOT NULL AND substring(${value} FROM 1 FOR octet_length($3::bytea))
                    <> CASE WHEN ${marker} = $5::text THEN $4::bytea ELSE $3::bytea END AS is_stale
           FROM ${table} WHERE ${id} > $1 ORDER BY ${id} LIMIT $2) AS page`,
    values: [
      after,
      PAGE_SIZE,
      createEnvelopeHeader('GCM', primary),
      createEnvelopeHeader('CBC_HMAC', primary),
      cbcHmac,
    ],
  });
  return rows[0] ?? { last: null, stale: [] };
}

export async function findEncryptedValues(
  db: Pick<Database, 'pool'>,
  column: EncryptedColumnDefinition,
  ids: readonly string[],
): Promise<EncryptedValueRow[]> {
  const { table, value, id, owner, marker } = quoteColumnNames(column);
  return querySql<EncryptedValueRow>(db.pool)({
    text: `SELECT ${id} AS id, ${owner} AS "ownerId", ${marker} AS marker, ${value} AS bytes
     FROM ${table} WHERE ${id} = ANY ($1) AND ${value} IS NOT NULL ORDER BY ${id}`,
    values: [ids],
  });
}

/** Update unchanged values in one statement that skips locked rows; returns the ids of updated rows. */
export async function updateEncryptedValues(
  db: Pick<Database, 'pool'>,
  column: EncryptedColumnDefinition,
  values: readonly (EncryptedValueRow & { reencrypted: Buffer })[],
): Promise<string[]> {
  const { table, value, id } = quoteColumnNames(column);
  const owner = column.owner === null ? "''::text" : `stored.${pg.escapeIdentifier(column.owner)}`;
  const rows = await querySql<{ id: string }>(db.pool)({
    text: `WITH input AS (
       SELECT * FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::text[]) AS input (id, before, after, owner)
     ), locked AS MATERIALIZED (
       SELECT stored.${id} AS id FROM ${table} AS stored JOIN input ON input.id = stored.${id}
       WHERE stored.${value} = input.before AND ${owner} = input.owner
       ORDER BY stored.${id} FOR NO KEY UPDATE OF stored SKIP LOCKED
     )
     UPDATE ${table} AS stored SET ${value} = input.after
     FROM input JOIN locked ON locked.id = input.id
     WHERE stored.${id} = input.id AND stored.${value} = input.before AND ${owner} = input.owner
     RETURNING input.id`,
    values: [
      values.map(({ id }) => id),
      values.map(({ bytes }) => bytes),
      values.map(({ reencrypted }) => reencrypted),
      values.map(({ ownerId }) => ownerId),
    ],
  });
  return rows.map((row) => row.id);
}

interface EncryptedValueCounts {
  last: string | null;
  values: number;
  counts: Record<string, number>;
}

/** Count values by key, whatever their version; `last` is the last row id, null at the end of the table. */
export async function countEncryptedValuesPage(
  db: Pick<Database, 'pool'>,
  column: EncryptedColumnDefinition,
  after: string,
  keyIds: readonly string[],
): Promise<EncryptedValueCounts> {
  const { table, value, id } = quoteColumnNames(column);
  const tails = keyIds.map((keyId) => createEnvelopeHeader('GCM', keyId).subarray(1));
  const rows = await querySql<EncryptedValueCounts>(db.pool)({
    text: `WITH page AS MATERIALIZED (
       SELECT ${id} AS id, substring(${value} FROM 2 FOR 17) AS tail
       FROM ${table} WHERE ${id} > $1 ORDER BY ${id} LIMIT $2
     ), known AS (SELECT * FROM unnest($3::text[], $4::bytea[]) AS known (id, tail))
     SELECT (SELECT max(id) FROM page) AS last, (SELECT count(tail) FROM page)::int AS "values",
            coalesce((SELECT jsonb_object_agg(id, found) FROM (
              SELECT known.id, count(*) AS found FROM known
              JOIN page ON substring(page.tail FROM 1 FOR octet_length(known.tail)) = known.tail
              GROUP BY known.id) AS counted), '{}') AS counts`,
    values: [after, PAGE_SIZE, keyIds, tails],
  });
  return rows[0] ?? { last: null, values: 0, counts: {} };
}

function quoteColumnNames({ table, column, rowId, owner, algorithm }: EncryptedColumnDefinition) {
  return {
    table: pg.escapeIdentifier(table),
    value: pg.escapeIdentifier(column),
    id: pg.escapeIdentifier(rowId),
    owner: owner === null ? "''::text" : pg.escapeIdentifier(owner),
    marker: algorithm === 'GCM' ? 'NULL::text' : pg.escapeIdentifier(algorithm.cbcHmacWhere.column),
  };
}
