import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createDatabaseGaugeReader,
  PLATFORM_GAUGES,
} from '../../../src/platform/monitoring/database-gauges.ts';
import { lastJobFetch } from '../../../src/platform/monitoring/metrics.ts';
import { startMonitoringServer } from '../../../src/platform/monitoring/monitoring-server.ts';
import { FEATURE_GAUGES } from '../../../src/services.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';

const TOKEN = 'a-token-of-the-scrapers-1';

const GROUPS = [PLATFORM_GAUGES, ...FEATURE_GAUGES];

function readValue(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? Number.NaN : Number(line.slice(series.length + 1));
}

t.test('scrapers read what requests, statements and jobs did, by route and never by id', async (t) => {
  const { call, database } = await startTestApp(t);
  const server = await startMonitoringServer({
    settings: { host: '127.0.0.1', port: 0, token: TOKEN },
    readDatabaseGauges: createDatabaseGaugeReader(database.pool, GROUPS),
    runsJobs: false,
  });
  t.teardown(() => server.close());
  const base = `http://127.0.0.1:${server.port}`;
  const headers = { authorization: `Bearer ${TOKEN}` };
  const scrape = async () => (await fetch(`${base}/metrics`, { headers })).text();

  const series = 'http_request_duration_seconds_count{method="GET",route="/api/qrcodes/:id",status="401"}';
  const before = readValue(await scrape(), series) || 0;
  const id = '0123456789abcdef01234567';
  t.equal((await call('GET', `/api/qrcodes/${id}`)).status, 401);
  t.equal((await call('GET', `/nothing/${id}`)).status, 404);
  const text = await scrape();
  t.equal(readValue(text, series), before + 1);
  t.match(text, 'route="unknown",status="404"');
  t.notMatch(text, id);
  t.ok(readValue(text, 'qrps_database_connection_wait_seconds_count') > 0);
  t.ok(readValue(text, 'nodejs_eventloop_lag_seconds') >= 0);
  t.equal(readValue(text, 'qrps_database_read_failures'), 0);
  for (const { gauges } of GROUPS)
    for (const name of Object.keys(gauges))
      if (!/failed|wait_seconds|silence/.test(name)) t.match(text, `# TYPE ${name} gauge`);
  t.ok(readValue(text, 'qrps_scan_partitions_until_timestamp_seconds') > Date.now() / 1000);

  t.equal((await fetch(`${base}/metrics`)).status, 401);
  t.equal((await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${TOKEN}x` } })).status, 401);
  t.equal((await fetch(`${base}/metrics`, { method: 'POST', headers })).status, 405);
  t.equal((await fetch(`${base}/health/live`)).status, 200);
  t.equal((await fetch(`${base}/elsewhere`)).status, 404);
  const promtool = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
    timeout: 20_000,
  });
  const isInstalled = !promtool.error;
  // The names of Node's own are those of its library.
  const lines = `${promtool.stdout}${promtool.stderr}`
    .split('\n')
    .filter((line) => line && !line.startsWith('nodejs_'));
  t.equal(isInstalled ? lines.join('\n') : '', '', {
    skip: isInstalled ? false : 'no promtool',
  });
});

t.test('a process that runs jobs is ready while it fetches them', async (t) => {
  const server = await startMonitoringServer({
    settings: { host: '127.0.0.1', port: 0, token: undefined },
    readDatabaseGauges: async () => '',
    runsJobs: true,
  });
  t.teardown(() => server.close());
  const readStatus = async () => (await fetch(`http://127.0.0.1:${server.port}/health/ready`)).status;
  lastJobFetch.set(Date.now() / 1000 - 120);
  t.equal(await readStatus(), 503);
  lastJobFetch.setToCurrentTime();
  t.equal(await readStatus(), 200);
});

t.test('a database that does not answer holds back neither the answer nor other gauges', async (t) => {
  const pool = {} as never;
  const read = createDatabaseGaugeReader(pool, [
    { gauges: { qrps_one: { help: 'One.' } }, read: async () => [{ name: 'qrps_one', value: 1 }] },
    { gauges: { qrps_two: { help: 'Two.' } }, read: () => Promise.reject(new Error('away')) },
  ]);
  const text = await read();
  t.equal(readValue(text, 'qrps_one'), 1);
  t.equal(readValue(text, 'qrps_database_read_failures'), 1);
  t.notMatch(text, 'qrps_two');

  const server = await startMonitoringServer({
    settings: { host: '127.0.0.1', port: 0, token: undefined },
    readDatabaseGauges: () => sleep(60_000, '', { ref: false }),
    runsJobs: false,
  });
  t.teardown(() => server.close());
  const response = await fetch(`http://127.0.0.1:${server.port}/metrics`);
  t.equal(response.status, 200);
  t.match(await response.text(), 'nodejs_eventloop_lag_seconds');
});
