// Measure pages of an owner of 100,000 codes among 1,000,000 by each sort, and read all of them by cursor while 1,000 are
// inserted and 1,000 deleted, on a temporary embedded server: `npm run bench:lists`. Exits with 1 if a code that stayed
// is not listed exactly once, or if a page by an indexed sort reads more than its rows.
import pg from 'pg';
import {
  createQrCodeListQueries,
  listQrCodesByOwner,
  QR_CODE_LIST_SORTS,
  QR_CODE_SORTS,
  type QrCodeSort,
} from '../src/features/codes/qrcode-list.repository.ts';
import { type Database, openDatabase } from '../src/platform/database.ts';
import { createPreparedSqlReader } from '../src/platform/sql-readers.ts';
import { generateId } from '../src/shared/ids.ts';
import type { ListPosition } from '../src/shared/list-cursor.ts';
import { insertManyCodes } from './many-codes.ts';
import { explainStatement } from './plans.ts';
import { readArguments } from './read-arguments.ts';
import { withScratchDatabase } from './scratch-database.ts';

readArguments(import.meta.url);

const PAGE_ROWS = 100;
const CHANGES = 1_000;
/** Pages of 100 rows; pages by number end at row 10,000. */
const DEEP_PAGE = 500;
/** With the rows themselves, which an owner's codes share with those of others. */
const MAX_PAGES_READ = 1_500;
const RUN_COUNT = 15;

process.exitCode = await main();

async function main(): Promise<number> {
  return withScratchDatabase(async ({ ownerUrl, applicationUrl }) => {
    const ownerId = await insertManyCodes(ownerUrl, 1_000_000);
    const database = openDatabase({ url: applicationUrl, poolSize: 4, onError: console.error });
    try {
      await insertScanCounts(ownerUrl);
      let failures = 0;
      for (const sort of QR_CODE_SORTS)
        failures += await measureSort(database, applicationUrl, ownerId, sort);
      failures += await readWhileChanging(database, ownerId);
      return failures === 0 ? 0 : 1;
    } finally {
      await database.close();
    }
  });
}

/** For half of the codes. The role of the application has a time limit. */
async function insertScanCounts(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO scan_counts (qr_code_id, total, humans, uniques, last_scanned_at)
       SELECT id, 1 + hashtext(id) % 500 + 500, 0, 0, created_at FROM qr_codes WHERE hashtext(id) % 2 = 0`,
    );
    await client.query('VACUUM (ANALYZE) scan_counts');
  } finally {
    await client.end();
  }
}

async function measureSort(
  database: Database,
  url: string,
  ownerId: string,
  name: QrCodeSort,
): Promise<number> {
  const sort = QR_CODE_LIST_SORTS[name];
  const readPage = (skip: number, after: ListPosition | null) =>
    listQrCodesByOwner(createPreparedSqlReader(database), ownerId, {}, sort, {
      skip,
      take: PAGE_ROWS,
      after,
    });
  const { rows } = await readPage(DEEP_PAGE * PAGE_ROWS, null);
  const [last] = rows.slice(-1);
  if (!last) throw new Error('The list is too short.');
  const after = sort.getPosition(last);
  const times: number[] = [];
  for (let run = 0; run < RUN_COUNT; run += 1) {
    const startedAt = performance.now();
    await readPage(0, after);
    times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  const query = createQrCodeListQueries(ownerId, {}, sort, { skip: 0, take: PAGE_ROWS, after }).page;
  const plan = await explainStatement(url, { text: query.text, values: query.values, took: 0 });
  const isIndexed = !/scan/i.test(name);
  const isSlow = isIndexed && (plan.buffers ?? 0) > MAX_PAGES_READ;
  console.log(
    `${name.padEnd(16)} page ${DEEP_PAGE + 2}: ${(times[RUN_COUNT >> 1] ?? 0).toFixed(1)} ms, ${plan.buffers} buffers; ${plan.nodes.join('; ')}`,
  );
  if (isSlow) console.log(`  reads more than ${MAX_PAGES_READ} buffers`);
  return isSlow ? 1 : 0;
}

async function readWhileChanging(database: Database, ownerId: string): Promise<number> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM qr_codes WHERE owner_id = $1 AND status <> 'DELETED'`,
    [ownerId],
  );
  const ids = rows.map(({ id }) => id);
  const going = ids.filter((_, index) => index % Math.floor(ids.length / CHANGES) === 0).slice(0, CHANGES);
  const deleted = new Set(going);
  const counts = new Map<string, number>();
  const sort = QR_CODE_LIST_SORTS['-createdAt'];
  const startedAt = performance.now();
  for (let after: ListPosition | null = null, inserted = 0; ; ) {
    const page: Awaited<ReturnType<typeof listQrCodesByOwner>> = await listQrCodesByOwner(
      createPreparedSqlReader(database),
      ownerId,
      {},
      sort,
      { skip: 0, take: PAGE_ROWS, after },
    );
    for (const { id } of page.rows) counts.set(id, (counts.get(id) ?? 0) + 1);
    const last = page.rows.at(-1);
    if (!last || page.rows.length < PAGE_ROWS) break;
    after = sort.getPosition(last);
    const goingNow = going.splice(0, 2);
    await database.pool.query(
      `UPDATE qr_codes SET status = 'DELETED', deleted_at = now() WHERE id = ANY($1)`,
      [goingNow],
    );
    if (inserted++ < CHANGES)
      await database.pool.query(
        `INSERT INTO qr_codes (id, owner_id, kind, mode, title, slug, data, visibility, design, created_at)
         SELECT $1, owner_id, kind, mode, title, slug, data, visibility, design, created_at + interval '1 ms'
         FROM qr_codes WHERE id = $2`,
        [generateId(), page.rows[PAGE_ROWS >> 1]?.id],
      );
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const wrong = ids.filter((id) => !deleted.has(id) && counts.get(id) !== 1).length;
  const twice = [...counts.values()].filter((count) => count > 1).length;
  console.log(
    `${ids.length} codes read in ${seconds.toFixed(1)} s while ${CHANGES} were inserted and ${CHANGES} deleted: ${wrong} that stayed not seen once, ${twice} seen twice`,
  );
  return wrong + twice;
}
