import pg from 'pg';

const BATCH_COUNT = 100;

/** Of twelve months until now; an installation of that age has a partition for each. */
const MONTHS = 12;

interface FillSize {
  scans: number;
  /** Users without codes. */
  users: number;
  /** Rows of every other table that grows with use. */
  others: number;
}

// $1 is the owner of a tenth of the codes, $2 the number of rows. Few codes have most scans: one has a hundredth.
const PLACES_SQL = `
  CREATE TEMPORARY TABLE places AS
  SELECT row_number() OVER (ORDER BY account_id <> $1, id) - 1 AS place, id, account_id FROM qr_codes`;

const createPlaceSql = (seed: number) => `
  CASE WHEN n % 100 = 0 THEN 0 WHEN n % 10 = 1 THEN floor(power(pg_temp.chance(n, ${seed}), 3) * size.own)
       ELSE size.own + floor(power(pg_temp.chance(n, ${seed}), 3) * (size.every - size.own)) END`;

const SIZE_SQL = `
  (SELECT count(*) AS every, count(*) FILTER (WHERE account_id = $1) AS own FROM places) AS size`;

const CHANCE_SQL = `
  CREATE FUNCTION pg_temp.chance(n int, seed int) RETURNS float8 LANGUAGE sql IMMUTABLE
  RETURN (hashint8extended(n, seed) & 2147483647) / 2147483648.0`;

const createIdSql = (at: string, seed: string) =>
  `lpad(to_hex(floor(extract(epoch FROM ${at}))::bigint), 8, '0') || substr(md5('${seed}' || n), 1, 16)`;

// $3 and $4 are the first and last number of the batch.
const SCANS_SQL = `
  INSERT INTO scans (id, qr_code_id, account_id, type, class, class_rule, is_unique, visitor_hash, position, city, region,
                     country, device, os, browser, ip_truncated, user_agent, scanned_at)
  SELECT ${createIdSql('at', 's')}, code.id, code.account_id, CASE WHEN located THEN 'guest' ELSE 'public' END, class, 'bench',
         class = 'HUMAN' AND n % 3 > 0, decode(md5('v' || n) || md5('w' || n), 'hex'),
         CASE WHEN located THEN decode(repeat(md5('p' || n), 12), 'hex') END,
         CASE WHEN located THEN (ARRAY['Berlin', 'Paris', 'Lisbon', 'Oslo', 'Kyoto'])[1 + n % 5] END,
         CASE WHEN located THEN 'Region' END, CASE WHEN located THEN (ARRAY['DE', 'FR', 'PT', 'NO', 'JP'])[1 + n % 5] END,
         (ARRAY['phone', 'phone', 'tablet', 'desktop'])[1 + n % 4], (ARRAY['Android', 'iOS'])[1 + n % 2], 'Chrome',
         '192.0.2.0', 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36', at
  FROM (SELECT n, now() - interval '${MONTHS} months' * (1 - n / $2::float8) AS at, ${createPlaceSql(1)} AS place,
               pg_temp.chance(n, 2) < 0.25 AS located,
               (ARRAY['HUMAN', 'HUMAN', 'HUMAN', 'HUMAN', 'HUMAN', 'HUMAN', 'HUMAN', 'DUPLICATE', 'BOT', 'PREVIEW'])
                 [1 + floor(pg_temp.chance(n, 3) * 10)::int] AS class
        FROM ${SIZE_SQL}, generate_series($3::int, $4::int) AS n) AS scan
  JOIN places AS code USING (place) ORDER BY n`;

const COUNTS_SQL = [
  `INSERT INTO scan_counts (qr_code_id, total, humans, uniques, last_scanned_at)
   SELECT qr_code_id, count(*), count(*) FILTER (WHERE class = 'HUMAN'), count(*) FILTER (WHERE is_unique), max(scanned_at)
   FROM scans GROUP BY qr_code_id`,
  `INSERT INTO owner_scan_counts (account_id, total, humans, uniques)
   SELECT account_id, count(*), count(*) FILTER (WHERE class = 'HUMAN'), count(*) FILTER (WHERE is_unique)
   FROM scans GROUP BY account_id`,
  `INSERT INTO scan_visitors (qr_code_id, day, visitor_hash, counted_at, counted_scan_id)
   SELECT qr_code_id, (scanned_at AT TIME ZONE 'UTC')::date, visitor_hash, scanned_at, id FROM scans
   WHERE is_unique AND id >= lpad(to_hex(extract(epoch FROM current_date - 2)::bigint), 8, '0')`,
];

// The breakdown is that of the first scan of a bucket; most buckets have only one.
const createRollupsSql = (subject: string, bucketSize: string, interval: string) => `
  INSERT INTO scan_rollups (subject_id, bucket_size, starts_at, total, humans, uniques, breakdown)
  SELECT ${subject}, '${bucketSize}', date_bin('${interval}', scanned_at, '2000-01-01Z'), count(*),
         count(*) FILTER (WHERE class = 'HUMAN'), count(*) FILTER (WHERE is_unique),
         jsonb_build_object('class', jsonb_build_object(min(class), jsonb_build_array(count(*), 1, 1)),
           'device', jsonb_build_object(min(device), jsonb_build_array(count(*), 1, 1)),
           'os', jsonb_build_object(min(os), jsonb_build_array(count(*), 1, 1)),
           'browser', jsonb_build_object(min(browser), jsonb_build_array(count(*), 1, 1)))
  FROM scans WHERE id >= $1 AND id < $2 AND ($3::text IS NULL OR account_id = $3) GROUP BY 1, 3`;

const ROLLUP_STATEMENTS = ['qr_code_id', 'account_id'].flatMap((subject) => [
  createRollupsSql(subject, 'QUARTER_HOUR', '15 minutes'),
  createRollupsSql(subject, 'DAY', '1 day'),
]);

const USERS_SQL = `
  INSERT INTO users (id, email, first_name, last_name, account_type, status)
  SELECT lpad(to_hex(1600000000 + n), 8, '0') || substr(md5(n::text), 1, 16), 'person' || n || '@example.org',
         (ARRAY['Ada', 'Grace', 'Zoë', 'Jürgen', 'Ioanna'])[1 + n % 5],
         (ARRAY['Lovelace', 'Hopper', 'Müller'])[1 + n % 3], 'INDIVIDUAL',
         (ARRAY['ACTIVE', 'ACTIVE', 'ACTIVE', 'SUSPENDED'])[1 + n % 4]
  FROM generate_series(1, $1::int) AS n`;

/** One row in `share` is of the first owner. */
const createUserSql = (share: number) => `
  JOIN (SELECT row_number() OVER (ORDER BY id <> $1, id) - 1 AS place, id FROM users) AS account
    ON account.place = CASE WHEN n % ${share} = 0 THEN 0 ELSE n % (SELECT count(*) FROM users) END`;

const createTimeSql = (months: number) => `now() - interval '${months} months' * (1 - n / $2::float8)`;

const OTHER_STATEMENTS = [
  `INSERT INTO notifications (id, key, due_at, user_id, account_id, type, event, data, created_at, read_at)
   SELECT ${createIdSql('at', 'n')}, 'scan:' || md5('n' || n), NULL, account.id, account.id, 'DEFAULT', 'scan.created',
          jsonb_build_object('qrCodeId', account.id, 'scanId', account.id, 'code', 'Rex'), at,
          CASE WHEN n % 7 = 0 THEN NULL ELSE at END
   FROM (SELECT n, ${createTimeSql(3)} AS at FROM generate_series(1, $2::int) AS n) AS made ${createUserSql(10)}`,
  `INSERT INTO sessions (id, user_id, ip, user_agent, created_at, expires_at)
   SELECT ${createIdSql('at', 'o')}, account.id, '192.0.2.1', 'bench', at, now() + interval '30 days'
   FROM (SELECT n, ${createTimeSql(1)} AS at FROM generate_series(1, $2::int) AS n) AS made ${createUserSql(10)}`,
  `INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
   SELECT id, id, decode(md5(id), 'hex'), expires_at FROM sessions WHERE $1 <> '' AND $2 > 0`,
  `INSERT INTO realtime_streams (stream, user_id, last_seq, last_event_id)
   SELECT 'u:' || id, id, $2, id FROM users WHERE $1 <> ''`,
  `INSERT INTO realtime_events (stream, seq, id, event, data, created_at)
   SELECT 'u:' || account.id, n, ${createIdSql('at', 'e')}, 'scan.created', jsonb_build_object('scanId', account.id), at
   FROM (SELECT n, ${createTimeSql(1)} AS at FROM generate_series(1, $2::int) AS n) AS made ${createUserSql(10)}`,
  `INSERT INTO audit_entries (id, action, severity, resource_type, resource_id, actor_reference, outcome, operation,
                              request_id, created_at)
   SELECT ${createIdSql('at', 'a')}, (ARRAY['USER_LOGGED_IN', 'QR_CODE_CHANGED', 'DOCUMENT_READ'])[1 + n % 3],
          (ARRAY['LOW', 'MEDIUM', 'HIGH'])[1 + n % 3], 'USER', account.id, reference, 'SUCCESS', 'bench', 'bench-' || n, at
   FROM (SELECT n, ${createTimeSql(12)} AS at FROM generate_series(1, $2::int) AS n) AS made ${createUserSql(10)}
   JOIN audit_actors ON user_id = account.id`,
  `INSERT INTO audit_origins (entry_id, salt, ip, user_agent)
   SELECT id, decode(md5(id), 'hex'), '192.0.2.1', 'bench' FROM audit_entries WHERE $1 <> '' AND $2 > 0`,
  `DELETE FROM audit_unsealed WHERE $1 <> '' AND $2 > 0`,
  `INSERT INTO conversations (id, qr_code_id, account_id, scan_id, finder_hash, last_message_at, expires_at, created_at)
   SELECT ${createIdSql('at', 'c')}, code.id, code.account_id, ${createIdSql('at', 'C')}, decode(md5('f' || n), 'hex'), at,
          now() + interval '30 days', at
   FROM (SELECT n, ${createTimeSql(3)} AS at, ${createPlaceSql(4)} AS place
         FROM ${SIZE_SQL}, generate_series(1, $2::int) AS n WHERE n % 4 = 0) AS made
   JOIN places AS code USING (place)`,
  `INSERT INTO conversation_messages (id, conversation_id, account_id, sender, content, read_at, created_at)
   SELECT ${createIdSql('at', 'm')}, conversation.id, conversation.account_id, (ARRAY['FINDER', 'OWNER'])[1 + n % 2],
          decode(repeat(md5('t' || n), 8), 'hex'), CASE WHEN n % 9 = 0 THEN NULL ELSE at END, at
   FROM (SELECT n, ${createTimeSql(3)} AS at FROM generate_series(1, $2::int) AS n) AS made
   JOIN (SELECT row_number() OVER (ORDER BY id) - 1 AS place, id, account_id FROM conversations) AS conversation
     ON conversation.place = n % (SELECT count(*) FROM conversations) WHERE $1 <> ''`,
  `INSERT INTO documents (id, account_id, title, created_at)
   SELECT ${createIdSql('at', 'd')}, account.id, 'Passport ' || n, at
   FROM (SELECT n, ${createTimeSql(12)} AS at FROM generate_series(1, $2::int) AS n WHERE n % 10 = 0) AS made
   ${createUserSql(1000)}`,
  `INSERT INTO stored_files (id, account_id, name, state, file_key, size, stored_at)
   SELECT id, account_id, md5(id), 'STORED', decode(md5(id), 'hex'), 1000, created_at FROM documents WHERE $1 <> '' AND $2 > 0`,
  `INSERT INTO document_versions (id, document_id, account_id, number, file_id, file_name, content_type, size)
   SELECT id, id, account_id, 1, id, decode(md5(id), 'hex'), 'application/pdf', 1000 FROM documents WHERE $1 <> '' AND $2 > 0`,
  `INSERT INTO document_accesses (id, document_id, account_id, version_number, read_at)
   SELECT ${createIdSql('at', 'r')}, document.id, document.account_id, 1, at
   FROM (SELECT n, ${createTimeSql(12)} AS at FROM generate_series(1, $2::int) AS n) AS made
   JOIN (SELECT row_number() OVER (ORDER BY id) - 1 AS place, id, account_id FROM documents) AS document
     ON document.place = n % (SELECT count(*) FROM documents) WHERE $1 <> ''`,
];

/** Fill the tables that grow with use, beside codes that exist; scans are spread over twelve months. */
export async function fillTables(
  ownerUrl: string,
  accountId: string,
  { scans, users, others }: FillSize,
  log: (text: string) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(USERS_SQL, [users]);
    await addEarlierPartitions(client);
    await client.query(CHANCE_SQL);
    await client.query(PLACES_SQL, [accountId]);
    await client.query('CREATE UNIQUE INDEX ON places (place)');
    await client.query('ANALYZE places');
    const restoreKeys = await dropScanKeys(client);
    for (let batch = 0; batch < BATCH_COUNT; batch += 1) {
      const [first, last] = [batch, batch + 1].map((index) => Math.floor((scans * index) / BATCH_COUNT));
      await client.query(SCANS_SQL, [accountId, scans, (first ?? 0) + 1, last]);
      if (batch % 10 === 9) log(`${last} scans`);
    }
    for (const statement of restoreKeys) {
      log(statement);
      await client.query(statement);
    }
    for (const statement of COUNTS_SQL) await client.query(statement);
    await fillRollups(client, accountId, log);
    for (const statement of OTHER_STATEMENTS) {
      log(statement.trim().split('\n')[0] ?? '');
      await client.query(statement, [accountId, others]);
    }
    await client.query('VACUUM (ANALYZE)');
  } finally {
    await client.end();
  }
}

async function addEarlierPartitions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'partitions'::regnamespace AND relname ~ '^scans_before_.*[0-9]$' AND relkind = 'r'`,
  );
  for (const { name } of rows) await client.query(`DROP TABLE partitions.${name}`);
  await client.query(`SELECT add_scan_partitions((now() - interval '${MONTHS} months')::date, current_date)`);
}

/** Drop what is created many times faster after the rows: indexes, and the reference that locks a code for each row. */
async function dropScanKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; restore: string }>(`
    SELECT 'ALTER TABLE scans DROP CONSTRAINT ' || conname AS drop,
           format('ALTER TABLE scans ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)) AS restore
    FROM pg_constraint WHERE conrelid = 'scans'::regclass AND contype = 'f'
    UNION ALL
    SELECT 'DROP INDEX ' || indexrelid::regclass, pg_get_indexdef(indexrelid)
    FROM pg_index WHERE indrelid = 'scans'::regclass AND NOT indisprimary`);
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ restore }) => restore.replace(' ON ONLY ', ' ON '));
}

/**
 * Of all owners only the last two months, because there are three times as many roll-ups as scans. The key is created after
 * the rows, which is many times faster.
 */
async function fillRollups(client: pg.Client, accountId: string, log: (text: string) => void): Promise<void> {
  const { rows } = await client.query<{ definition: string }>(
    `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = 'scan_rollups_pkey'`,
  );
  await client.query('ALTER TABLE scan_rollups DROP CONSTRAINT scan_rollups_pkey');
  for (let month = MONTHS; month >= 0; month -= 1) {
    const bounds = await client.query<{ low: string; high: string }>(
      `SELECT lpad(to_hex(extract(epoch FROM start)::bigint), 8, '0') AS low,
              lpad(to_hex(extract(epoch FROM start + interval '1 month')::bigint), 8, '0') AS high
       FROM (SELECT date_trunc('month', now(), 'UTC') - interval '1 month' * $1::int AS start) AS month`,
      [month],
    );
    for (const statement of ROLLUP_STATEMENTS)
      await client.query(statement, [
        bounds.rows[0]?.low,
        bounds.rows[0]?.high,
        month > 1 ? accountId : null,
      ]);
    log(`roll-ups of ${MONTHS - month} months`);
  }
  await client.query(
    `ALTER TABLE scan_rollups ADD CONSTRAINT scan_rollups_pkey ${rows[0]?.definition ?? ''}`,
  );
}
