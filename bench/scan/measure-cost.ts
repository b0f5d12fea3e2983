import pg from 'pg';
import { encryptQrCodeData } from '../../src/features/codes/encrypted-content.ts';
import { dispatchDueNotifications } from '../../src/features/notifications/dispatch-notifications.ts';
import { rollUpScanCounts } from '../../src/features/scans/statistics/roll-up.ts';
import type { Services } from '../../src/services.ts';
import { DAY_MS } from '../../src/shared/durations.ts';
import { getCpuSeconds } from '../cpu-time.ts';
import { runWithLoadClient } from '../load/compare.ts';
import type { LoadRequest } from '../load/load-process.ts';
import type { RunningApp } from '../running-app.ts';
import type { ScratchDatabase } from '../scratch-database.ts';

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;
/** More requests than can be sent: each has another visitor, so that none is a duplicate. */
const MAX_SCANS_PER_SECOND = 5_000;

interface Usage {
  serviceCpu: number;
  serverCpu: number;
  walBytes: number;
  fullPageImages: number;
  bytesByTable: Map<string, { table: number; indexes: number }>;
}

/** Print the costs of a scan by stage. */
export async function measureScanCost(
  { ownerUrl, folder }: Pick<ScratchDatabase, 'ownerUrl' | 'folder'>,
  { services, address }: RunningApp,
  { seconds, codes }: { seconds: number; codes: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const ids = await encryptCodes(client, services, codes);
    await runWithLoadClient(async (run) => {
      const task = {
        port: Number(new URL(address).port),
        requests: createRequests(ids, seconds * MAX_SCANS_PER_SECOND),
        expected: 201,
        connections: CONNECTIONS,
      };
      await run({
        ...task,
        requests: task.requests.slice(-WARM_UP_SECONDS * MAX_SCANS_PER_SECOND),
        seconds: WARM_UP_SECONDS,
      });
      let scans = 0;
      const measure = async (name: string, work: () => Promise<unknown>) => {
        const before = await readUsage(client, folder);
        await work();
        printCosts(name, scans, before, await readUsage(client, folder));
      };
      await measure('scan', async () => {
        const { ms, failed, requestsPerSecond } = await run({ ...task, seconds });
        if (failed > 0) throw new Error(`${failed} scans failed.`);
        scans = ms.length;
        console.log(`${scans} scans, ${requestsPerSecond.toFixed(0)} a second`);
      });
      await measure('notification', () => dispatchDueNotifications(services));
      const until = new Date(Date.now() + 2 * DAY_MS);
      await measure('roll-up', () => rollUpScanCounts(services.database, { until }));
    });
  } finally {
    await client.end();
  }
}

function createRequests(codes: readonly string[], count: number): LoadRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    method: 'POST',
    path: '/api/scans/public',
    body: { qrCodeId: codes[index % codes.length] },
    agent: `Mozilla/5.0 (Linux; Android 15; Pixel ${index}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36`,
  }));
}

/** Give codes, spread over all owners, content that the service can decrypt. */
async function encryptCodes(client: pg.Client, { fieldCipher }: Services, count: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string; ownerId: string }>(
    `SELECT id, owner_id AS "ownerId" FROM qr_codes ORDER BY md5(id) LIMIT $1`,
    [count],
  );
  const kind = 'PET';
  const content = rows.map((row) =>
    encryptQrCodeData(fieldCipher, { ...row, kind }, { name: 'Rex', species: 'Dog' }),
  );
  const ids = rows.map(({ id }) => id);
  await client.query(
    `UPDATE qr_codes SET kind = $1, data = made.data FROM unnest($2::text[], $3::bytea[]) AS made (id, data)
     WHERE qr_codes.id = made.id`,
    [kind, ids, content],
  );
  await client.query('VACUUM qr_codes');
  return ids;
}

const SIZES_SQL = `
  SELECT CASE WHEN relnamespace = 'partitions'::regnamespace THEN 'scans' ELSE relname END AS name,
         sum(pg_table_size(oid))::float8 AS table, sum(pg_indexes_size(oid))::float8 AS indexes
  FROM pg_class WHERE relkind = 'r' AND relnamespace IN ('public'::regnamespace, 'partitions'::regnamespace)
  GROUP BY 1`;

async function readUsage(client: pg.Client, folder: string): Promise<Usage> {
  const { rows: sizes } = await client.query<{ name: string; table: number; indexes: number }>(SIZES_SQL);
  const { rows: wal } = await client.query<{ bytes: number; images: number }>(
    `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS bytes, wal_fpi::float8 AS images FROM pg_stat_wal`,
  );
  const { user, system } = process.cpuUsage();
  const serviceCpu = (user + system) / 1_000_000;
  return {
    serviceCpu,
    serverCpu: ((await getCpuSeconds(folder)) ?? Number.NaN) - serviceCpu,
    walBytes: wal[0]?.bytes ?? 0,
    fullPageImages: wal[0]?.images ?? 0,
    bytesByTable: new Map(sizes.map(({ name, table, indexes }) => [name, { table, indexes }])),
  };
}

function printCosts(stage: string, scans: number, before: Usage, after: Usage): void {
  const each = (read: (usage: Usage) => number) => (read(after) - read(before)) / scans;
  console.log(`
${stage}, for each scan:
  CPU of the service     ${(each(({ serviceCpu }) => serviceCpu) * 1e6).toFixed(0)} µs
  CPU of PostgreSQL      ${(each(({ serverCpu }) => serverCpu) * 1e6).toFixed(0)} µs
  WAL                    ${each(({ walBytes }) => walBytes).toFixed(0)} bytes, ${each(({ fullPageImages }) => fullPageImages).toFixed(2)} pages in full`);
  for (const [name, { table, indexes }] of after.bytesByTable) {
    const earlier = before.bytesByTable.get(name) ?? { table: 0, indexes: 0 };
    const [tableBytes, indexBytes] = [(table - earlier.table) / scans, (indexes - earlier.indexes) / scans];
    if (tableBytes + indexBytes > 1)
      console.log(
        `  ${name.padEnd(22)} ${tableBytes.toFixed(0)} bytes and ${indexBytes.toFixed(0)} in indexes`,
      );
  }
}
