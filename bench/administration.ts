// Measure administrator lists over 1,000,000 codes, 100,000 users and 1,000,000 scans of the last 30 days, against a
// bare count of the codes, on a temporary embedded server: `npm run bench:administration`
import pg from 'pg';
import {
  type AdminQrCodeFilter,
  listAllQrCodes,
} from '../src/features/administration/all-qrcodes.repository.ts';
import {
  listUsers,
  type UserAdministrationFilter,
} from '../src/features/administration/all-users.repository.ts';
import { readServiceAnalytics } from '../src/features/administration/analytics.repository.ts';
import { computeUnstoredDailyCounts } from '../src/features/administration/count-unstored-days.ts';
import { createDailyCountsJob } from '../src/features/administration/daily-counts.job.ts';
import { type Database, openDatabase } from '../src/platform/database.ts';
import { insertManyCodes } from './many-codes.ts';
import { readArguments } from './read-arguments.ts';
import { withScratchDatabase } from './scratch-database.ts';

readArguments(import.meta.url);

const RUN_COUNT = 15;

const INSERT_USERS_SQL = `
  INSERT INTO users (id, email, first_name, last_name, account_type, status)
  SELECT lpad(to_hex(1600000000 + n), 8, '0') || substr(md5(n::text), 1, 16), 'person' || n || '@example.org',
         (ARRAY['Ada','Grace','Zoë','Jürgen','Ioanna'])[1 + n % 5], (ARRAY['Lovelace','Hopper','Müller'])[1 + n % 3],
         'INDIVIDUAL', (ARRAY['ACTIVE','ACTIVE','ACTIVE','SUSPENDED'])[1 + n % 4]
  FROM generate_series(1, 90000) AS n`;

const INSERT_SCANS_SQL = `
  INSERT INTO scans (id, qr_code_id, owner_id, type, class, class_rule, visitor_hash, ip_truncated, user_agent, scanned_at)
  SELECT lpad(to_hex(extract(epoch FROM at)::bigint), 8, '0') || substr(md5(n::text), 1, 16), code.id, code.owner_id,
         'public', (ARRAY['HUMAN','HUMAN','BOT'])[1 + n % 3], 'rule', decode(md5((n % 200000)::text), 'hex'), '192.0.2.0', 'agent', at
  FROM (SELECT n, now() - n * interval '2.5 seconds' AS at FROM generate_series($1::int, $1::int + 99999) AS n) AS times
  JOIN LATERAL (SELECT id, owner_id FROM qr_codes WHERE id >= lpad(to_hex(1700000000 + n % 900000), 8, '0') ORDER BY id LIMIT 1) AS code ON true`;

await withScratchDatabase(async ({ ownerUrl, applicationUrl }) => {
  await insertManyCodes(ownerUrl, 1_000_000);
  await fillDatabase(ownerUrl);
  const database = openDatabase({ url: applicationUrl, poolSize: 10, onError: console.error });
  try {
    const startedAt = performance.now();
    await createDailyCountsJob({ database })({});
    console.log(`counting all days that are over: ${Math.round(performance.now() - startedAt)} ms, once`);
    await measureQueries(database);
  } finally {
    await database.close();
  }
});

async function fillDatabase(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(INSERT_USERS_SQL);
    for (let from = 1; from <= 1_000_000; from += 100_000) {
      await client.query(INSERT_SCANS_SQL, [from]);
      process.stderr.write(`${from + 99_999} of 1000000 scans\n`);
    }
    await client.query('VACUUM (ANALYZE) users, qr_codes, scans');
  } finally {
    await client.end();
  }
}

async function measureQueries(database: Database): Promise<void> {
  const { client } = database;
  const listFilteredUsers =
    (filter: UserAdministrationFilter, skip = 0) =>
    () =>
      listUsers(client, filter, { skip, take: 10 });
  const codes =
    (filter: AdminQrCodeFilter, skip = 0) =>
    () =>
      listAllQrCodes(client, filter, { skip, take: 10 });
  const baseline = await measureMedian(() => database.pool.query('SELECT count(*) FROM qr_codes'));
  console.log(
    `median and slowest of ${RUN_COUNT} in ms, and the median as a ratio to a bare count of the codes`,
  );
  printTimes('bare count of the codes', baseline, baseline);
  for (const [name, work] of [
    [
      'analytics',
      async () => {
        const now = new Date();
        return readServiceAnalytics(client, now, await computeUnstoredDailyCounts(database, now));
      },
    ],
    ['people', listFilteredUsers({})],
    ['people, search of few', listFilteredUsers({ search: 'person4711@' })],
    ['people, search of many', listFilteredUsers({ search: 'lovelace' })],
    ['people, suspended', listFilteredUsers({ statuses: ['SUSPENDED'] })],
    ['people, page 1,000', listFilteredUsers({}, 9_990)],
    ['codes', codes({})],
    ['codes, search of few', codes({ search: 'heirloom' })],
    ['codes, search of one', codes({ search: '123456' })],
    ['codes, search of many', codes({ search: 'suitcase' })],
    ['codes, of a kind', codes({ kinds: ['PET'] })],
    ['codes, expired', codes({ statuses: ['EXPIRED'] })],
  ] as const) {
    printTimes(name, await measureMedian(work), baseline);
  }
}

function printTimes(name: string, { median, slowest }: QueryTimes, baseline: QueryTimes): void {
  const ratio = (median / baseline.median).toFixed(2);
  console.log(
    name.padEnd(26),
    median.toFixed(1).padStart(8),
    slowest.toFixed(1).padStart(8),
    `${ratio} x`.padStart(9),
  );
}

interface QueryTimes {
  median: number;
  slowest: number;
}

async function measureMedian(work: () => Promise<unknown>): Promise<QueryTimes> {
  const times: number[] = [];
  for (let run = 0; run <= RUN_COUNT; run++) {
    const startedAt = performance.now();
    await work();
    // The first run warms up.
    if (run > 0) times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)] ?? 0, slowest: times.at(-1) ?? 0 };
}
