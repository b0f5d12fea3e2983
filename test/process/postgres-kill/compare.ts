import type pg from 'pg';
import { AGENT_NUMBER_SQL, type SentScan, type VisitorResults } from './visitors.ts';

type QueryClient = Pick<pg.ClientBase, 'query'>;

export async function compareScans(client: QueryClient, results: VisitorResults): Promise<string[]> {
  const { rows } = await client.query<{ id: string; number: number | null }>(
    `SELECT id, ${AGENT_NUMBER_SQL} AS number FROM scans`,
  );
  const stored = new Set(rows.map(({ id }) => id));
  const timesOf = new Map<number, number>();
  for (const { number } of rows) if (number !== null) timesOf.set(number, (timesOf.get(number) ?? 0) + 1);
  const all: SentScan[] = [...results.withoutKey, ...results.medical, ...results.withIdempotencyKey];
  const acknowledged = all.flatMap(({ id }) => (id === null ? [] : [id]));
  const lines: string[] = [];
  if (stored.size !== rows.length) lines.push(`${rows.length - stored.size} ids are stored twice`);
  if (new Set(acknowledged).size !== acknowledged.length) lines.push('two answers have one id');
  for (const { id, number } of all)
    if (id !== null && !stored.has(id)) lines.push(`scan ${number} was acknowledged as ${id} and is lost`);
  for (const [number, times] of timesOf)
    if (times !== 1) lines.push(`scan ${number} is stored ${times} times`);
  const acknowledgedIds = new Set(acknowledged);
  const untold = all.filter(({ id }) => id === null);
  const unknown = rows.filter(({ id }) => !acknowledgedIds.has(id)).length;
  // Stored scans whose response was lost: at most as many as requests without a 201.
  if (unknown > untold.length) lines.push(`${unknown} scans that nobody asked for`);
  if (results.withIdempotencyKey.some(({ id }) => id === null))
    lines.push('a scan with a key was never acknowledged');
  return lines;
}

export async function compareCounts(client: QueryClient): Promise<string[]> {
  const differences: string[] = [];
  for (const [name, text] of Object.entries(COUNT_DIFFERENCE_QUERIES)) {
    const { rows } = await client.query<Record<string, unknown>>(text);
    for (const row of rows) differences.push(`${name}: ${JSON.stringify(row)}`);
  }
  return differences;
}

const COUNT_DIFFERENCE_QUERIES = {
  'counters of codes': `
    SELECT qr_code_id, to_jsonb(kept) AS kept, to_jsonb(scans) AS scans
    FROM scan_counts AS kept FULL JOIN (
      SELECT qr_code_id, count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans,
             count(*) FILTER (WHERE is_unique) AS uniques, max(scanned_at) AS last
      FROM scans GROUP BY qr_code_id) AS scans USING (qr_code_id)
    WHERE (kept.total, kept.humans, kept.uniques, last_scanned_at)
      IS DISTINCT FROM (scans.total, scans.humans, scans.uniques, last)`,
  'codes of an owner': `
    SELECT * FROM qr_code_counts AS kept FULL JOIN (
      SELECT account_id, count(*) FILTER (WHERE status = 'ACTIVE') AS active,
             count(*) FILTER (WHERE status = 'PAUSED') AS paused, count(*) FILTER (WHERE status = 'LOST') AS lost,
             count(*) FILTER (WHERE status = 'UNCLAIMED') AS unclaimed,
             count(*) FILTER (WHERE status = 'DELETED') AS deleted
      FROM qr_codes GROUP BY account_id) AS codes USING (account_id)
    WHERE (kept.active, kept.paused, kept.lost, kept.unclaimed, kept.deleted)
      IS DISTINCT FROM (codes.active, codes.paused, codes.lost, codes.unclaimed, codes.deleted)`,
  'scans of an owner': `
    SELECT * FROM owner_scan_counts AS kept FULL JOIN (
      SELECT subject_id AS account_id, sum(total) AS total, sum(humans) AS humans, sum(uniques) AS uniques
      FROM (SELECT subject_id, total, humans, uniques FROM scan_rollups WHERE bucket_size = 'QUARTER_HOUR'
            UNION ALL SELECT subject_id, total, humans, uniques FROM scan_rollup_month_buckets) AS kept
      JOIN users ON users.id = subject_id GROUP BY subject_id) AS quarters
      USING (account_id)
    WHERE (coalesce(kept.total, 0), coalesce(kept.humans, 0), coalesce(kept.uniques, 0))
      IS DISTINCT FROM (coalesce(quarters.total, 0), coalesce(quarters.humans, 0), coalesce(quarters.uniques, 0))`,
  visitors: `
    SELECT * FROM scan_visitors AS kept FULL JOIN (
      SELECT qr_code_id, (scanned_at AT TIME ZONE 'UTC')::date AS day, visitor_hash, max(scanned_at) AS last,
             count(*) FILTER (WHERE is_unique) AS firsts,
             (array_agg(id ORDER BY scanned_at DESC, id DESC))[1] AS last_id
      FROM scans WHERE class = 'HUMAN' GROUP BY 1, 2, 3) AS scans USING (qr_code_id, day, visitor_hash)
    WHERE counted_at IS DISTINCT FROM last OR counted_scan_id IS DISTINCT FROM last_id OR firsts <> 1`,
  'repeats within half an hour': `
    SELECT id FROM scans WHERE class = 'DUPLICATE' AND NOT EXISTS (
      SELECT FROM scan_visitors AS seen WHERE seen.qr_code_id = scans.qr_code_id
        AND seen.visitor_hash = scans.visitor_hash AND seen.counted_at > scans.scanned_at - interval '30 minutes')
      AND (scanned_at AT TIME ZONE 'UTC')::time > '00:30'`,
  'notifications of people': `
    SELECT * FROM (SELECT count(*) AS notified FROM notifications WHERE event = 'scan.created') AS notified
    CROSS JOIN (SELECT count(*) AS humans FROM scans WHERE class = 'HUMAN') AS scans WHERE notified <> humans`,
  // The first ten of a network and day have an entry each, the others a count.
  'entries of medical scans': `
    SELECT * FROM (SELECT (SELECT count(*) FROM audit_entries WHERE action = 'MEDICAL_DATA_SCANNED'
                             AND NOT array_to_string(changes, ',') LIKE 'repeats:%')
                     + coalesce((SELECT sum(greatest(count - 10, 0)) FROM repeated_accesses
                                 WHERE action = 'MEDICAL_DATA_SCANNED'), 0) AS entries) AS entries
    CROSS JOIN (SELECT count(*) AS medical FROM scans JOIN qr_codes AS code ON code.id = qr_code_id
                WHERE kind = 'MEDICAL') AS scans WHERE entries <> medical`,
};

/** Return the roll-ups that differ from the scans, of buckets that are over at `before` (default now). */
export async function compareRollUps(client: QueryClient, before?: Date): Promise<Record<string, unknown>[]> {
  const { rows } = await client.query(ROLL_UP_DIFFERENCE_SQL, [before ?? null]);
  return rows;
}

const COUNT_COLUMNS_SQL = `jsonb_build_array(count(*), count(*) FILTER (WHERE class = 'HUMAN'),
  count(*) FILTER (WHERE is_unique))`;
const BUCKET_IS_OVER_SQL = `starts_at + CASE bucket_size WHEN 'DAY' THEN interval '1 day' ELSE interval '15 minutes' END
  <= coalesce($1::timestamptz, now())`;
const ROLL_UP_DIFFERENCE_SQL = `
  SELECT place, kept.value AS kept, raw.value AS raw FROM (
    SELECT subject_id || bucket_size || starts_at || key AS place, value FROM (
      SELECT * FROM scan_rollups
      UNION ALL
      SELECT subject_id, 'QUARTER_HOUR', starts_at, total, humans, uniques, breakdown FROM scan_rollup_month_buckets) AS kept
    CROSS JOIN LATERAL (SELECT '' AS key, jsonb_build_array(total, humans, uniques) AS value
      UNION ALL SELECT dimension || name, counts FROM jsonb_each(breakdown) AS a (dimension, names)
      CROSS JOIN LATERAL jsonb_each(names) AS b (name, counts)) AS entries) AS kept
  FULL JOIN (
    SELECT subject_id || bucket_size || starts_at || key AS place, ${COUNT_COLUMNS_SQL} AS value FROM scans
    CROSS JOIN LATERAL (VALUES (qr_code_id), (account_id)) AS whom (subject_id)
    CROSS JOIN LATERAL (VALUES ('DAY', date_bin('1 day', scanned_at, '2000-01-01Z')),
      ('QUARTER_HOUR', date_bin('15 minutes', scanned_at, '2000-01-01Z'))) AS buckets (bucket_size, starts_at)
    CROSS JOIN LATERAL (VALUES (''), ('class' || class), ('country' || country), ('city' || city || ', ' || country),
      ('device' || device), ('os' || os), ('browser' || browser)) AS keys (key)
    WHERE key IS NOT NULL AND ${BUCKET_IS_OVER_SQL}
      -- Days of merged months are computed.
      AND (bucket_size = 'QUARTER_HOUR' OR NOT EXISTS (SELECT FROM scan_rollup_months AS merged
        WHERE merged.subject_id = whom.subject_id AND merged.starts_at = date_trunc('month', scanned_at, 'UTC')))
    GROUP BY subject_id, bucket_size, starts_at, key) AS raw USING (place)
  WHERE kept.value IS DISTINCT FROM raw.value`;
