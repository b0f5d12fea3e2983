import { spawn, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { startService, startWorker } from '../process/service-process.ts';
import { createPreparedDataFolder, createScratchFolder, retryUntilSuccess } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const TOKEN = 'token-of-the-prometheus-test';

const skip = spawnSync('prometheus', ['--version']).error ? 'NOT RUN: prometheus is not installed' : false;

interface Panel {
  title: string;
  targets: { expr: string }[];
}

t.test(
  'Prometheus scrapes service and worker, and every rule and panel has an answer',
  { skip },
  async (t) => {
    const dataDir = await createPreparedDataFolder(t);
    const [port, servicePort, workerPort, prometheusPort] = [
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
    ];
    const environment = { WORKER: 'separate', METRICS_TOKEN: TOKEN };
    const service = startService(t, {
      dataDir,
      port,
      environment: { ...environment, METRICS_PORT: String(servicePort) },
    });
    await service.ready();
    const worker = startWorker(t, dataDir, { ...environment, METRICS_PORT: String(workerPort) });

    const folder = await createScratchFolder(t);
    await writeFile(join(folder, 'metrics-token'), TOKEN);
    const example = await readFile('deploy/monitoring/prometheus.yml', 'utf8');
    const config = example
      .replace('scrape_interval: 15s', 'scrape_interval: 1s\n  evaluation_interval: 1s')
      .replace('[alerts.yml]', `[${resolve('deploy/monitoring/alerts.yml')}]`)
      .replace('127.0.0.1:9464', `127.0.0.1:${servicePort}`)
      .replace('127.0.0.1:9465', `127.0.0.1:${workerPort}`);
    await writeFile(join(folder, 'prometheus.yml'), config);
    const prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${prometheusPort}`,
      ],
      { stdio: 'ignore' },
    );
    const ended = new Promise((end) => prometheus.once('exit', end));
    t.teardown(async () => {
      prometheus.kill('SIGKILL');
      await ended;
    });
    const ask = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${prometheusPort}/api/v1/${path}`);
      return (await response.json()) as { status: string; data: { result: { value: [number, string] }[] } };
    };
    const query = (expression: string) => ask(`query?query=${encodeURIComponent(expression)}`);

    await retryUntilSuccess(async () => {
      await fetch(`${service.base}/api/health/ready`);
      const { data } = await query('sum(up) + count(rate(http_request_duration_seconds_count[30s])) * 0');
      if (data.result[0]?.value[1] !== '2') throw new Error(`not both are up: ${worker.output()}`);
    }, 120_000);

    const { panels } = JSON.parse(await readFile('deploy/monitoring/grafana-dashboard.json', 'utf8')) as {
      panels: Panel[];
    };
    for (const { title, targets } of panels)
      for (const { expr } of targets)
        t.match(await query(expr.replaceAll('$__rate_interval', '30s')), { status: 'success' }, title);
    for (const expression of [
      'qrps_instances',
      'qrps_worker_silence_seconds',
      'qrps_jobs_waiting{queue="mail"}',
      'qrps_audit_unsealed_entries',
      'qrps_notification_lag_seconds',
      'process_resident_memory_bytes',
      'qrps_job_fetch_timestamp_seconds',
      'http_request_duration_seconds_count{route="/api/health/ready",status="200"}',
    ])
      await retryUntilSuccess(async () => {
        if ((await query(expression)).data.result.length === 0) throw new Error(`nothing: ${expression}`);
      }, 60_000);
    const rules = JSON.stringify(await ask('rules'));
    t.match(rules, '"health":"ok"');
    t.notMatch(rules, '"health":"err"');

    const readiness = `http://127.0.0.1:${workerPort}/health/ready`;
    t.equal((await fetch(readiness)).status, 200, 'a worker that fetches jobs is ready');
    t.equal((await fetch(`http://127.0.0.1:${workerPort}/metrics`)).status, 401);
  },
);
