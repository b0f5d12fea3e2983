import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { PLATFORM_GAUGES } from '../../src/platform/monitoring/database-gauges.ts';
import { collectProcessMetrics, metricsRegistry } from '../../src/platform/monitoring/metrics.ts';
import { FEATURE_GAUGES } from '../../src/services.ts';
import { t } from '../tap.ts';

const FOLDER = 'deploy/monitoring';

t.test('alerts and dashboard use metrics that exist', async (t) => {
  collectProcessMetrics();
  const known = new Set([
    ...metricsRegistry.getMetricsAsArray().map(({ name }) => name),
    ...[PLATFORM_GAUGES, ...FEATURE_GAUGES].flatMap(({ gauges }) => Object.keys(gauges)),
    'qrps_database_read_failures',
  ]);
  for (const file of ['alerts.yml', 'grafana-dashboard.json']) {
    const text = await readFile(`${FOLDER}/${file}`, 'utf8');
    const names = new Set(
      [...text.matchAll(/\b(?:qrps|http|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
        known.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, ''),
      ),
    );
    t.ok(names.size > 10, file);
    t.same(
      [...names].filter((name) => !known.has(name)),
      [],
      file,
    );
  }
});

t.test('alerts fire for faults and not before', async (t) => {
  const { error, status, stdout, stderr } = spawnSync(
    'promtool',
    ['test', 'rules', `${FOLDER}/alerts.test.yml`],
    { encoding: 'utf8', timeout: 60_000 },
  );
  t.equal(status, 0, `${stdout}${stderr}`, { skip: error ? 'NOT RUN: promtool is not installed' : false });
});
