import {
  type AdminQrCodeFilter,
  listAllQrCodes,
} from '../../src/features/administration/all-qrcodes.repository.ts';
import {
  listUsers,
  type UserAdministrationFilter,
} from '../../src/features/administration/all-users.repository.ts';
import { readServiceAnalytics } from '../../src/features/administration/analytics.repository.ts';
import { computeUnstoredDailyCounts } from '../../src/features/administration/count-unstored-days.ts';
import { createDailyCountsJob } from '../../src/features/administration/daily-counts.job.ts';
import { listQrCodesByOwner, QR_CODE_LIST_SORTS } from '../../src/features/codes/qrcode-list.repository.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import type { TablesBenchmark } from '../benchmark.ts';
import { compareCalls, compareWithLimit, getQuantile } from '../measure.ts';
import type { Measurement } from '../table.ts';

const RUNS_PER_ROUND = 5;
const NEWEST_FIRST = QR_CODE_LIST_SORTS['-createdAt'];
const FIRST_PAGE = { skip: 0, take: 10 };

const MAX_SEARCH_MS = 50;

const SEARCHES = [
  ...['', 'z', '7', '都', 're', '%', '東京', 'pet', 'Köln', 'suitcase', 'heirloom', '123450', 'xqz'],
  ...['garden suit', 'nothing like this', 'grandma suitcase zürich 9'],
  'small blue collar for the dog of my grandmother in the garden of the school near the river, nowhere',
];

const BARE_SEARCH_SQL = `SELECT count(*) FROM qr_codes WHERE account_id = $1 AND status <> 'DELETED' AND search_text LIKE lower($2)`;

/** As many changes as are vacuumed away together. */
const CHANGE_CODES_SQL = `
  UPDATE qr_codes SET version = version + 1, updated_at = now()
  WHERE id IN (SELECT id FROM qr_codes TABLESAMPLE BERNOULLI (1.1) LIMIT 10000)`;

/** Compare searches of an owner of a tenth of the codes with the bare count of the same rows. */
export const searchBenchmark: TablesBenchmark = {
  world: 'TABLES',
  measure: (options, { applicationUrl, accountId }) =>
    withDatabase(applicationUrl, async (database) => {
      await database.pool.query(CHANGE_CODES_SQL);
      const lines: Measurement[] = [];
      for (const search of SEARCHES) {
        const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
        const row = `search ${JSON.stringify([...search].slice(0, 24).join(''))}`;
        const calls = {
          service: () => listQrCodesByOwner(database.pool, accountId, { search }, NEWEST_FIRST, FIRST_PAGE),
          baseline: () => database.pool.query(BARE_SEARCH_SQL, [accountId, pattern]),
        };
        lines.push(await compareCalls(options, row, RUNS_PER_ROUND, calls));
      }
      const medians = lines.map(({ service }) => getQuantile(service, 0.5));
      const slowest = { row: 'search', measure: 'slowest median', unit: 'ms' };
      return [...lines, compareWithLimit(slowest, [Math.max(...medians)], MAX_SEARCH_MS)];
    }),
};

/** Compare the lists and analytics of administrators with a bare count of the codes. */
export const administrationBenchmark: TablesBenchmark = {
  world: 'TABLES',
  measure: (options, { applicationUrl }) =>
    withDatabase(applicationUrl, async (database) => {
      await createDailyCountsJob({ database })({});
      const lines: Measurement[] = [];
      for (const [name, service] of Object.entries(listAdministrationReads(database))) {
        const baseline = () => database.pool.query('SELECT count(*) FROM qr_codes');
        const row = `administration, ${name}`;
        lines.push(await compareCalls(options, row, RUNS_PER_ROUND, { service, baseline }));
      }
      return lines;
    }),
};

function listAdministrationReads(database: Database): Record<string, () => Promise<unknown>> {
  const { client } = database;
  const users =
    (filter: UserAdministrationFilter, skip = 0) =>
    () =>
      listUsers(client, filter, { skip, take: 10 });
  const codes = (filter: AdminQrCodeFilter) => () => listAllQrCodes(client, filter, FIRST_PAGE);
  return {
    async analytics() {
      const now = new Date();
      return readServiceAnalytics(client, now, await computeUnstoredDailyCounts(database, now));
    },
    users: users({}),
    'users, search of few': users({ search: 'person4711@' }),
    'users, search of many': users({ search: 'lovelace' }),
    'users, suspended': users({ statuses: ['SUSPENDED'] }),
    'users, page 1,000': users({}, 9_990),
    codes: codes({}),
    'codes, search of few': codes({ search: 'heirloom' }),
    'codes, search of one': codes({ search: '123456' }),
    'codes, search of many': codes({ search: 'suitcase' }),
    'codes, of a kind': codes({ kinds: ['PET'] }),
    'codes, expired': codes({ statuses: ['EXPIRED'] }),
  };
}

async function withDatabase<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase({ url, poolSize: 4, onError: console.error });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
