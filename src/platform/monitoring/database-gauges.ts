import { Gauge, Registry } from 'prom-client';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { createSingleFlight } from '../../shared/memoize.ts';
import type { Database } from '../database.ts';
import { querySql } from '../sql.ts';

export interface GaugeReading {
  name: string;
  labels?: Record<string, string>;
  value: number;
}

/** State that all instances share, read from the database for each scrape. */
export interface DatabaseGauges {
  /** Help text and labels by name. */
  gauges: Readonly<Record<string, { help: string; labelNames?: readonly string[] }>>;
  /** A name without a reading is absent from the answer. */
  read(pool: Database['pool']): Promise<readonly GaugeReading[]>;
}

/** Scrapers share a reading, so that they cannot load the database. */
const MAX_AGE_MS = 5_000;

/** Set for each scrape; no group of gauges reads it. */
export const GAUGE_READ_FAILURES = {
  name: 'qrps_database_read_failures',
  help: 'Groups of gauges that could not be read from the database for this scrape.',
} as const;

/** 0 once all finished segments are archived; no row where nothing is archived. Needs no privileges. */
export const WAL_ARCHIVE_SQL = `
  SELECT 'qrps_wal_archive_wait_seconds' AS name, NULL AS queue,
    CASE WHEN last_archived_wal COLLATE "C" >=
        pg_walfile_name(pg_current_wal_lsn() - pg_size_bytes(current_setting('wal_segment_size')))
      THEN 0
      ELSE extract(epoch FROM now() - coalesce(last_archived_time, stats_reset))::float8
    END AS value
  FROM pg_stat_archiver
  WHERE current_setting('archive_mode') <> 'off' AND NOT pg_is_in_recovery()`;

const PLATFORM_SQL = `
  SELECT 'qrps_instances' AS name, NULL AS queue, count(*)::float8 AS value FROM instances
  WHERE last_heartbeat_at > now() - interval '15 seconds'
  UNION ALL
  SELECT 'qrps_worker_silence_seconds', NULL, extract(epoch FROM now() - maintained_on)::float8 FROM pgboss.version
  WHERE maintained_on IS NOT NULL
  UNION ALL
  SELECT 'qrps_jobs_waiting', queue.name, count(job.id)::float8 FROM pgboss.queue AS queue
  LEFT JOIN pgboss.job AS job ON job.name = queue.name AND job.state < 'active' GROUP BY 2
  UNION ALL
  SELECT 'qrps_jobs_failed', name, count(*)::float8 FROM pgboss.job WHERE state = 'failed' GROUP BY 2
  UNION ALL
  SELECT 'qrps_job_wait_seconds', name, extract(epoch FROM now() - min(start_after))::float8 FROM pgboss.job
  WHERE state < 'active' AND start_after < now() GROUP BY 2
  UNION ALL ${WAL_ARCHIVE_SQL}`;

export const PLATFORM_GAUGES: DatabaseGauges = {
  gauges: {
    qrps_instances: { help: 'Running instances, by their heartbeats.' },
    qrps_worker_silence_seconds: { help: 'Time since any worker was seen.' },
    qrps_jobs_waiting: { help: 'Jobs that wait, by queue.', labelNames: ['queue'] },
    qrps_jobs_failed: {
      help: `Jobs that failed for good in the last ${formatLifetime('failedJob')}, by queue.`,
      labelNames: ['queue'],
    },
    qrps_job_wait_seconds: { help: 'How long the oldest due job waits, by queue.', labelNames: ['queue'] },
    qrps_wal_archive_wait_seconds: {
      help: 'How long PostgreSQL has archived nothing although a WAL segment waits.',
    },
  },
  async read(pool) {
    const rows = await querySql<{ name: string; queue: string | null; value: number }>(pool)({
      text: PLATFORM_SQL,
      values: [],
    });
    return rows.map(({ name, queue, value }) => ({
      name,
      value,
      ...(queue === null ? {} : { labels: { queue } }),
    }));
  },
};

/** Read gauges of the database as Prometheus text; what cannot be read is absent, and counted as failed. */
export function createDatabaseGaugeReader(
  pool: Database['pool'],
  groups: readonly DatabaseGauges[],
): () => Promise<string> {
  const registry = new Registry();
  const failures = new Gauge({
    ...GAUGE_READ_FAILURES,
    registers: [registry],
  });
  const registers = [registry];
  const gauges = new Map(
    groups.flatMap((group) =>
      Object.entries(group.gauges).map(
        ([name, { help, labelNames = [] }]) =>
          [name, new Gauge({ name, help, labelNames, registers })] as const,
      ),
    ),
  );
  const singleFlight = createSingleFlight<string>();
  let last = { text: '', readAt: Number.NEGATIVE_INFINITY };

  async function readAll(): Promise<string> {
    const results = await Promise.allSettled(groups.map((group) => group.read(pool)));
    for (const gauge of gauges.values()) gauge.reset();
    failures.set(results.filter(({ status }) => status === 'rejected').length);
    const readings = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    for (const { name, labels = {}, value } of readings) gauges.get(name)?.set(labels, value);
    const names = new Set([GAUGE_READ_FAILURES.name, ...readings.map(({ name }) => name)]);
    const metrics = await Promise.all([...names].map((name) => registry.getSingleMetricAsString(name)));
    last = { text: `${metrics.join('\n\n')}\n`, readAt: performance.now() };
    return last.text;
  }

  return async () =>
    performance.now() - last.readAt < MAX_AGE_MS ? last.text : singleFlight('all', readAll);
}
