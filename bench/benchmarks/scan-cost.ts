import type pg from 'pg';
import { runWithServices } from '../../src/commands/command-context.ts';
import { dispatchDueNotifications } from '../../src/features/notifications/dispatch-notifications.use-case.ts';
import { rollUpScanCounts } from '../../src/features/scans/statistics/roll-up.ts';
import type { OwnBenchmark, RoundOptions } from '../benchmark.ts';
import { runWithChildProcess, waitForMessage } from '../child-process.ts';
import { runWithLoadClient } from '../load/compare.ts';
import type { LoadRequest, LoadTask } from '../load/load-process.ts';
import { getProcessCpuSeconds, getServerCpuSeconds } from '../process-usage.ts';
import { withClient } from '../scratch-database.ts';
import { createProcessEnvironment } from '../service-process.ts';
import type { Measurement } from '../table.ts';
import { type DataWorld, runWithDataWorld } from '../worlds/data-world.ts';

const CONNECTIONS = 32;
/** With so many scans the organization has 20,000 codes. */
const GENERATED_SCANS = 200_000;
/** More requests than can be sent: each has another visitor, so that none is a duplicate. */
const MAX_SCANS_PER_SECOND = 5_000;
/** Scans last so many times the seconds of a round. */
const SECONDS_FACTOR = 8;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Usage {
  processCpu: number;
  serverCpu: number;
  walBytes: number;
  bytesByTable: Map<string, { table: number; indexes: number }>;
}

/** What the scans of one side took, for each scan. */
interface Costs {
  processCpuMicroseconds: number;
  serverCpuMicroseconds: number;
  walBytes: number;
  tables: { name: string; table: number; indexes: number }[];
}

/** Compare what a scan costs with its minimum work in a bare handler, and print its notification and roll-ups. */
export const scanCostBenchmark: OwnBenchmark = {
  world: 'OWN',
  measure: (options) =>
    runWithDataWorld(options.scale(GENERATED_SCANS), null, (world) => measureCosts(options, world), {
      WORKER: 'separate',
    }),
};

async function measureCosts(
  { seconds, onProgress }: RoundOptions,
  { port, pid, folder, ownerUrl, applicationUrl, data }: DataWorld,
): Promise<Measurement[]> {
  const { codes } = data.organization;
  const requests = createRequests(codes, seconds * SECONDS_FACTOR * MAX_SCANS_PER_SECOND);
  const load = { requests, expected: 201, connections: CONNECTIONS, seconds: seconds * SECONDS_FACTOR };
  const { service, scans } = await withClient(ownerUrl, (client) =>
    measureScans({ ...load, port }, client, { folder, pid }),
  );
  onProgress(`${scans} scans`);
  const stages: Record<string, Costs> = {};
  await withClient(ownerUrl, (client) =>
    runWithServices(createProcessEnvironment(folder), {}, async (services) => {
      const target = { folder, pid: process.pid };
      stages.notification = await measureUsage(client, target, async () => {
        await dispatchDueNotifications(services);
        return scans;
      });
      const until = new Date(Date.now() + 2 * DAY_MS);
      stages['roll-up'] = await measureUsage(client, target, async () => {
        await rollUpScanCounts(services.database, { until });
        return scans;
      });
    }),
  );
  const baseline = await runWithChildProcess('baselines/bare-service.ts', [applicationUrl], async (bare) => {
    const barePort = await waitForMessage<number>(bare);
    const bareRequests = requests.map((request) => ({ ...request, path: '/scan' }));
    return withClient(ownerUrl, (client) =>
      measureScans({ ...load, port: barePort, requests: bareRequests }, client, {
        folder,
        pid: bare.pid ?? 0,
      }),
    );
  });
  return [
    ...toLines('scan-cost, scan', service, baseline.service),
    ...Object.entries(stages).flatMap(([name, costs]) => toLines(`scan-cost, ${name}`, costs)),
  ];
}

async function measureScans(
  task: LoadTask,
  client: pg.Client,
  target: { folder: string; pid: number },
): Promise<{ service: Costs; scans: number }> {
  return runWithLoadClient(async (run) => {
    let scans = 0;
    const service = await measureUsage(client, target, async () => {
      const { ms, failed } = await run(task);
      if (failed > 0) throw new Error(`${failed} scans failed.`);
      scans = ms.length;
      return scans;
    });
    return { service, scans };
  });
}

function createRequests(codes: readonly string[], count: number): LoadRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    method: 'POST',
    path: '/api/scans/public',
    body: { qrCodeId: codes[index % codes.length] },
    agent: `Mozilla/5.0 (Linux; Android 15; Pixel ${index}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36`,
  }));
}

const SIZES_SQL = `
  SELECT CASE WHEN relnamespace = 'partitions'::regnamespace THEN 'scans' ELSE relname END AS name,
         sum(pg_table_size(oid))::float8 AS table, sum(pg_indexes_size(oid))::float8 AS indexes
  FROM pg_class WHERE relkind = 'r' AND relnamespace IN ('public'::regnamespace, 'partitions'::regnamespace)
  GROUP BY 1`;

/** Measure the work of so many scans as it returns. */
async function measureUsage(
  client: pg.Client,
  target: { folder: string; pid: number },
  work: () => Promise<number>,
): Promise<Costs> {
  const before = await readUsage(client, target);
  const scans = await work();
  const after = await readUsage(client, target);
  const tables = [...after.bytesByTable].map(([name, { table, indexes }]) => {
    const earlier = before.bytesByTable.get(name) ?? { table: 0, indexes: 0 };
    return { name, table: (table - earlier.table) / scans, indexes: (indexes - earlier.indexes) / scans };
  });
  return {
    processCpuMicroseconds: ((after.processCpu - before.processCpu) / scans) * 1e6,
    serverCpuMicroseconds: ((after.serverCpu - before.serverCpu) / scans) * 1e6,
    walBytes: (after.walBytes - before.walBytes) / scans,
    tables: tables.filter(({ table, indexes }) => table + indexes > 1),
  };
}

async function readUsage(
  client: pg.Client,
  { folder, pid }: { folder: string; pid: number },
): Promise<Usage> {
  const { rows: sizes } = await client.query<{ name: string; table: number; indexes: number }>(SIZES_SQL);
  const { rows: wal } = await client.query<{ bytes: number }>(
    `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS bytes`,
  );
  return {
    processCpu: await getProcessCpuSeconds(pid),
    serverCpu: await getServerCpuSeconds(folder),
    walBytes: wal[0]?.bytes ?? 0,
    bytesByTable: new Map(sizes.map(({ name, table, indexes }) => [name, { table, indexes }])),
  };
}

function toLines(row: string, costs: Costs, baseline?: Costs): Measurement[] {
  const toLine = (measure: string, unit: string, read: (from: Costs) => number): Measurement => ({
    row,
    measure,
    unit,
    service: [read(costs)],
    baseline: baseline ? [read(baseline)] : [],
    ratioGoal: null,
  });
  return [
    toLine('CPU of the process', 'µs', ({ processCpuMicroseconds }) => processCpuMicroseconds),
    toLine('CPU of PostgreSQL', 'µs', ({ serverCpuMicroseconds }) => serverCpuMicroseconds),
    toLine('WAL', 'bytes', ({ walBytes }) => walBytes),
    ...costs.tables.flatMap(({ name }) => [
      toLine(`${name}, rows`, 'bytes', ({ tables }) => tables.find((one) => one.name === name)?.table ?? 0),
      toLine(
        `${name}, indexes`,
        'bytes',
        ({ tables }) => tables.find((one) => one.name === name)?.indexes ?? 0,
      ),
    ]),
  ];
}
