// Measure the list of an owner of 100,000 codes among 1,000,000 with all kinds of searches, against the bare count of
// the same rows, on a temporary embedded server: `npm run bench:search`
import {
  createQrCodeListQueries,
  listQrCodesByOwner,
  QR_CODE_LIST_SORTS,
  type QrCodeListFilter,
} from '../src/features/codes/qrcode-list.repository.ts';
import { type Database, openDatabase } from '../src/platform/database.ts';
import { createUnpreparedSqlReader } from '../src/platform/sql-readers.ts';
import { insertManyCodes } from './many-codes.ts';
import { readArguments } from './read-arguments.ts';
import { withScratchDatabase } from './scratch-database.ts';

readArguments(import.meta.url);

const GOAL_MILLISECONDS = 50;
const NEWEST_FIRST = QR_CODE_LIST_SORTS['-createdAt'];
const FIRST_PAGE = { skip: 0, take: 10 };
const RUN_COUNT = 25;

const SEARCH_CASES = [
  ...['', 'z', 'Ö', '7', '都', 're', 'zz', '%', '東京', 'pet', 'wifi', 'Köln', '999', 'suitcase', 'heirloom'],
  ...['123450', 'xqz', 'garden suit', 'memory tag', 'nothing like this', 'grandma suitcase zürich 9'],
  'small blue collar for the dog of my grandmother in the garden of the school near the river, nowhere',
];

const BARE_COUNT_SQL = `SELECT count(*) FROM qr_codes WHERE owner_id = $1 AND status <> 'DELETED' AND search_text LIKE lower($2)`;

const CHANGE_STATEMENTS = `
  UPDATE qr_codes SET version = version + 1, updated_at = now()
  WHERE id IN (SELECT id FROM qr_codes TABLESAMPLE BERNOULLI (1.1) LIMIT 10000)`;

process.exitCode = await main();

async function main(): Promise<number> {
  return withScratchDatabase(async ({ ownerUrl, applicationUrl }) => {
    const ownerId = await insertManyCodes(ownerUrl, 1_000_000);
    const database = openDatabase({ url: applicationUrl, poolSize: 10, onError: console.error });
    try {
      let slow = await measureSearches(database, ownerId);
      await database.pool.query(CHANGE_STATEMENTS);
      console.log('\nAfter changes of 10,000 codes, as many as are vacuumed away together:');
      slow += await measureSearches(database, ownerId);
      return slow === 0 ? 0 : 1;
    } finally {
      await database.close();
    }
  });
}

async function measureSearches(database: Database, ownerId: string): Promise<number> {
  console.log(`median and slowest of ${RUN_COUNT} in ms; goal: a median under ${GOAL_MILLISECONDS}`);
  console.log('search'.padEnd(30), 'found'.padStart(8), 'list'.padStart(16), 'bare count'.padStart(16));
  let slow = 0;
  for (const search of SEARCH_CASES) {
    const filter: QrCodeListFilter = { search };
    const list = () =>
      listQrCodesByOwner(createUnpreparedSqlReader(database), ownerId, filter, NEWEST_FIRST, FIRST_PAGE);
    const { total } = await list();
    const times = await measureTimes(list);
    const baseline = await measureTimes(() =>
      database.pool.query(BARE_COUNT_SQL, [ownerId, `%${search.replace(/[\\%_]/g, '\\$&')}%`]),
    );
    const name = JSON.stringify([...search].slice(0, 24).join(''));
    console.log(
      name.padEnd(30),
      String(total).padStart(8),
      formatTimes(times).padStart(16),
      formatTimes(baseline).padStart(16),
    );
    if (times.median < GOAL_MILLISECONDS) continue;
    slow += 1;
    for (const query of Object.values(createQrCodeListQueries(ownerId, filter, NEWEST_FIRST, FIRST_PAGE))) {
      const plan = await database.pool.query(`EXPLAIN (ANALYZE, BUFFERS) ${query.text}`, query.values);
      for (const line of plan.rows) console.log('   ', line['QUERY PLAN']);
    }
  }
  console.log(slow === 0 ? 'Every search is under the goal.' : `${slow} searches miss the goal.`);
  return slow;
}

interface SearchTimes {
  median: number;
  slowest: number;
}

async function measureTimes(work: () => Promise<unknown>): Promise<SearchTimes> {
  const times: number[] = [];
  for (let run = 0; run < RUN_COUNT; run += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  return { median: times[RUN_COUNT >> 1] ?? 0, slowest: times[RUN_COUNT - 1] ?? 0 };
}

function formatTimes({ median, slowest }: SearchTimes): string {
  return `${median.toFixed(1)} / ${slowest.toFixed(1)}`;
}
