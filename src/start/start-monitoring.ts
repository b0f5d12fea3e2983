import type { Config } from '../config.ts';
import type { Database } from '../platform/database.ts';
import { createDatabaseGaugeReader, PLATFORM_GAUGES } from '../platform/monitoring/database-gauges.ts';
import { startMonitoringServer } from '../platform/monitoring/monitoring-server.ts';
import type { Shutdown } from '../process/shutdown.ts';
import { FEATURE_GAUGES } from '../services.ts';

/** Serve metrics and health of this process on METRICS_PORT, if it is set. */
export async function startMonitoring(
  { metrics }: Config,
  { database, runsJobs }: { database: Database; runsJobs: boolean },
  log: { info(message: string): void },
  shutdown: Shutdown,
): Promise<void> {
  if (!metrics) return;
  const readDatabaseGauges = createDatabaseGaugeReader(database.pool, [PLATFORM_GAUGES, ...FEATURE_GAUGES]);
  const server = await startMonitoringServer({ settings: metrics, readDatabaseGauges, runsJobs });
  shutdown.addPhase('metrics', 10, () => server.close());
  log.info(`metrics: http://${metrics.host}:${server.port}/metrics`);
}
