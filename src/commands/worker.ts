import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Shutdown } from '../process/shutdown.ts';
import { CHECK_CONFIG_OPTION, readCommandArguments } from '../shared/command-usage.ts';

const JOB_STOP_TIMEOUT_MS = 7_000;
const PHASE_TIMEOUT_MS = 8_000;

const [option] = readCommandArguments(
  `Usage:
  npm run worker                      runs background jobs (mails, exports, counting) for services started with
                                      WORKER=separate; needs their settings. Several can run. Without DATABASE_URL it
                                      uses the database of a running service.
  npm run worker -- --check-config    checks the settings and ends, without connecting to anything`,
  (words) => words.length === 0 || (words.length === 1 && words[0] === CHECK_CONFIG_OPTION),
);
const { pino } = await import('pino');
const { loadConfig } = await import('../config.ts');
const { createLoggerOptions } = await import('../platform/http/request-log.ts');
const { createLogStream } = await import('../process/log-stream.ts');
const { registerShutdownHandlers } = await import('../process/shutdown.ts');
const { getTraceLogFields } = await import('../shared/tracing.ts');
const { attachToEmbeddedPostgres } = await import('../start/attach-embedded-postgres.ts');
const { checkConfig } = await import('../start/check-config.ts');
const { findStripeEmulator } = await import('../start/development-packages.ts');
const { formatErrorForTerminal } = await import('../start/format-failure.ts');
const { getErrorExitCode } = await import('../start/get-exit-code.ts');
const { openDatabaseServer } = await import('../start/open-database.ts');
const { openServices } = await import('../start/open-services.ts');
const { startMonitoring } = await import('../start/start-monitoring.ts');
const { startTracing, TRACING_STOP_TIMEOUT_MS } = await import('../start/start-tracing.ts');

try {
  const config = loadConfig(process.env);
  if (option) console.log(await checkConfig(config));
  else await startWorker(config);
} catch (error) {
  console.error(`worker: ${formatErrorForTerminal(error)}`);
  process.exit(getErrorExitCode(error));
}

async function startWorker(config: Config): Promise<void> {
  const options = { ...createLoggerOptions({ level: config.logLevel }), mixin: () => getTraceLogFields() };
  const log = pino(options, createLogStream());
  const shutdown = registerShutdownHandlers(log);
  try {
    await openWorkerServices(config, log, shutdown);
  } catch (error) {
    if (shutdown.signal.aborted) return;
    await shutdown.rollBack();
    throw error;
  }
}

async function openWorkerServices(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  const tracing = await startTracing(config.traces, log);
  if (config.traces) shutdown.addPhase('traces', TRACING_STOP_TIMEOUT_MS + 100, () => tracing.stop());
  const address = config.databaseUrl
    ? await openDatabaseServer(config, log)
    : await attachToEmbeddedPostgres(config.dataDir, shutdown.signal);
  const stripeEmulator = config.billing === 'sandbox' ? await findStripeEmulator(config.dataDir) : null;
  if (config.billing === 'sandbox' && !stripeEmulator)
    log.warn('payments: no service of this data folder has started a sandbox, payments are skipped');
  const services = await openServices(config, address, log, shutdown, { stripeEmulator });
  if (shutdown.signal.aborted) return;
  // Otherwise the first command would open it, fail, and report Redis as unavailable.
  services.redis?.open();
  await services.instanceHeartbeat.start();
  await services.jobs.start();
  services.dispatcher.start();
  services.webhookDispatcher.start();
  await startMonitoring(config, { database: services.database, runsJobs: true }, log, shutdown);
  shutdown.addPhase('jobs', PHASE_TIMEOUT_MS, async () => {
    await Promise.all([
      services.dispatcher.stop(),
      services.webhookDispatcher.stop(),
      services.jobs.stop(JOB_STOP_TIMEOUT_MS),
    ]);
    await services.mailProvider.close();
    services.push?.close();
    services.webPush.close();
    await services.instanceHeartbeat.stop();
  });
  log.info('worker: ready');
}
