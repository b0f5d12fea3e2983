import { pino } from 'pino';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { ensureAdministrator } from './features/administration/index.ts';
import { listPackages } from './features/billing/index.ts';
import { hasOutdatedQrCodeImages } from './features/codes/index.ts';
import { createLoggerOptions, type LogSettings } from './platform/http/request-log.ts';
import { limitHeapGrowth } from './process/heap-growth.ts';
import { createLogStream } from './process/log-stream.ts';
import { registerShutdownHandlers, type Shutdown } from './process/shutdown.ts';
import { createTerminalLog, type TerminalLog } from './process/terminal-log.ts';
import { formatDatabaseAddress } from './shared/database-url.ts';
import { getTraceLogFields } from './shared/tracing.ts';
import { assertPortFree } from './start/assert-port-free.ts';
import { attachToEmbeddedPostgres } from './start/attach-embedded-postgres.ts';
import { checkConfig } from './start/check-config.ts';
import { lockDataFolder } from './start/data-folder-lock.ts';
import { assertDevelopmentPackagesInstalled } from './start/development-packages.ts';
import { startOidcEmulator, startStripeEmulator } from './start/emulators.ts';
import { findConfigWarnings } from './start/find-config-warnings.ts';
import { formatErrorForTerminal } from './start/format-failure.ts';
import { describeOwnerPages, formatStartSummary } from './start/format-start-summary.ts';
import { getErrorExitCode } from './start/get-exit-code.ts';
import { openDatabaseServer } from './start/open-database.ts';
import { openServices } from './start/open-services.ts';
import { readStartSettings } from './start/read-start-settings.ts';
import { startMonitoring } from './start/start-monitoring.ts';
import { startTracing } from './start/start-tracing.ts';
import { renderTerminalQrCode } from './start/terminal-qr-code.ts';

const isLogLevelSet = Boolean(process.env.LOG_LEVEL?.trim());

limitHeapGrowth();
try {
  const { config, isLan, isCheck, isAttached } = await readStartSettings(process.env, process.argv.slice(2));
  if (isCheck) {
    console.log(await checkConfig(config));
  } else {
    await assertDevelopmentPackagesInstalled(config);
    const shutdown = await startServer(config, { isLan, isAttached });
    if (isLan && !shutdown.signal.aborted)
      console.log(await renderTerminalQrCode(`${config.publicBaseUrl}/`));
  }
} catch (error) {
  console.error(formatErrorForTerminal(error));
  process.exit(getErrorExitCode(error));
}

async function startServer(
  config: Config,
  { isLan, isAttached }: Pick<ServerProcess, 'isLan' | 'isAttached'>,
): Promise<Shutdown> {
  const terminal = process.stdout.isTTY ? openTerminalLog() : null;
  const stream = terminal ?? createLogStream();
  const log = pino(
    { ...createLoggerOptions({ level: config.logLevel }), mixin: () => getTraceLogFields() },
    stream,
  );
  const shutdown = registerShutdownHandlers(log, config.shutdownDelayMs);
  shutdown.signal.addEventListener('abort', () => terminal?.print('Stopping …'));
  // Each request is information.
  const requestLog = { level: terminal && !isLogLevelSet ? 'warn' : config.logLevel, stream };
  try {
    await openServer(config, { isLan, isAttached, terminal, requestLog, log, shutdown });
  } catch (error) {
    if (shutdown.signal.aborted) return shutdown;
    await shutdown.rollBack();
    throw error;
  }
  return shutdown;
}

function openTerminalLog(): TerminalLog {
  const canReplaceLines = process.env.TERM !== 'dumb';
  return createTerminalLog({ output: process.stdout, canReplaceLines, showsInfo: isLogLevelSet });
}

interface ServerProcess {
  isLan: boolean;
  isAttached: boolean;
  terminal: TerminalLog | null;
  requestLog: LogSettings;
  log: pino.Logger;
  shutdown: Shutdown;
}

async function openServer(
  config: Config,
  { isLan, isAttached, terminal, requestLog, log, shutdown }: ServerProcess,
): Promise<void> {
  if (!config.production && !isAttached) {
    const lock = await lockDataFolder(config.dataDir);
    shutdown.addPhase('data folder', 100, () => lock.release());
  }
  await assertPortFree(config.host, config.port);
  let stopServer = async () => {};
  const tracing = await startTracing(config.traces, log);
  // The embedded server takes all of this time, a server elsewhere none of it.
  shutdown.addPhase('database server', 3_300, () => Promise.all([stopServer(), tracing.stop()]));
  const address = isAttached
    ? await attachToEmbeddedPostgres(config.dataDir, shutdown.signal)
    : await openDatabaseServer(config, log, shutdown.signal);
  stopServer = address.stop;
  const oidcEmulator = await startOidcEmulator(config, log);
  const stripeEmulator = await startStripeEmulator(config, log, shutdown);
  const services = await openServices(config, address, log, shutdown, { oidcEmulator, stripeEmulator });
  if ((await ensureAdministrator(services)) === 'EXISTS')
    log.info('ADMIN_EMAIL is ignored: there is an administrator already');
  shutdown.addPhase('audit trail', 900, () => services.sealer.stop());
  await services.instanceHeartbeat.start();
  if (config.worker === 'in-process') await services.jobs.start();
  shutdown.addPhase('jobs', 2_000, async () => {
    await Promise.all([
      services.dispatcher.stop(),
      services.webhookDispatcher.stop(),
      services.jobs.stop(1_200),
    ]);
    await services.mailProvider.close();
    services.push?.close();
    services.webPush.close();
    await services.instanceHeartbeat.stop();
  });
  await startMonitoring(
    config,
    { database: services.database, runsJobs: config.worker === 'in-process' },
    log,
    shutdown,
  );
  // A process that restarts at every change leaves it to the first scan.
  if (!isAttached) {
    log.info('loading the names of places');
    await services.geocoder.preload();
  }

  log.info('loading the API');
  const app = await buildApp(services, requestLog, shutdown.signal);
  await app.ready();
  shutdown.addPhase('requests', 3_000, () => app.close());
  if (shutdown.signal.aborted) return;
  // After loading, which blocks the event loop for long enough to make a connection time out.
  services.sealer.start();
  if (config.worker === 'in-process') {
    services.dispatcher.start();
    services.webhookDispatcher.start();
  }
  await app.listen({ host: config.host, port: config.port });
  log.info(`address: ${config.publicBaseUrl}`);
  log.info(`documentation: ${config.publicBaseUrl}/api/docs`);
  if (config.ownerPages) log.info(`pages for owners: ${describeOwnerPages(config.publicBaseUrl)}`);
  for (const warning of findConfigWarnings(config)) log.warn(warning);
  const { malwareCheck } = services;
  if (malwareCheck && !(await malwareCheck.scanner.isAvailable()))
    log.warn(
      `CLAMD_URL is not reachable: until it is, uploads are ${malwareCheck.whenUnavailable === 'hold' ? 'held' : 'refused'}`,
    );
  if (!config.production && config.billing === 'off')
    log.info('BILLING is off: all features are available without limits');
  log.info(`mailbox: ${config.smtpUrl ? 'none, emails are sent to the mail server' : services.mailboxDir}`);
  if (config.worker === 'separate') log.info('jobs: run by npm run worker (WORKER=separate)');
  if (oidcEmulator) log.info(`identity provider: not configured, ${oidcEmulator.issuer} emulates one`);
  if (stripeEmulator) {
    const free = (await listPackages(services.database.client)).find(({ code }) => code === 'FREE');
    log.info(`payments: sandbox at ${stripeEmulator.pageUrl}, no real payments`);
    log.info(
      `limits: those of the package FREE (${free?.limits.qrCodes ?? 'unlimited'} codes for an account); BILLING=off lifts them`,
    );
  }
  log.info(`database: ${formatDatabaseAddress(address.applicationUrl)}`);
  if (isLan && (await hasOutdatedQrCodeImages(services)))
    log.warn(
      `codes were created for another address than ${config.publicBaseUrl}; redraw them: PUBLIC_BASE_URL=${config.publicBaseUrl} npm run images:rebuild`,
    );
  const emulated = [
    ...(config.production || config.smtpUrl ? [] : ['email']),
    ...(stripeEmulator ? [`payments (${stripeEmulator.pageUrl})`] : []),
    ...(oidcEmulator ? ['sign-in with Google'] : []),
  ];
  terminal?.print(formatStartSummary(config, emulated));
}
