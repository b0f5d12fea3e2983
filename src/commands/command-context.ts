import { type Config, loadConfig } from '../config.ts';
import type { Database } from '../platform/database.ts';
import { handleTerminationSignal } from '../process/shutdown.ts';
import { createServices, type Services } from '../services.ts';
import type { ProcessLog } from '../shared/process-log.ts';
import type { Secrets } from '../shared/secret-names.ts';
import {
  assertEmbeddedPostgresExists,
  attachOrStartEmbeddedPostgres,
} from '../start/attach-embedded-postgres.ts';
import { verifyKeysMatchDatabase } from '../start/check-keys.ts';
import { findStripeEmulator } from '../start/development-packages.ts';
import { formatErrorForTerminal } from '../start/format-failure.ts';
import { getErrorExitCode } from '../start/get-exit-code.ts';
import { openEncryptionKeyRing } from '../start/keys/open-key-ring.ts';
import { type DatabaseServer, openDatabaseServer, prepareAndOpenDatabase } from '../start/open-database.ts';
import { loadServiceSecrets } from '../start/open-secrets.ts';

export interface CommandContext {
  services: Services;
  /** Aborted by SIGINT or SIGTERM. */
  signal: AbortSignal;
}

interface CommandOptions {
  /** Runs before the secrets are compared with the database. */
  prepare?: (database: Database, secrets: Secrets) => Promise<void>;
  /** Whether the embedded database may be created. */
  canCreateDatabase?: boolean;
  /** Whether a key file may be created for an unused database; outside production it always may. */
  canCreateKeys?: boolean;
  failureExitCode?: number;
}

export const COMMAND_LOG: ProcessLog = {
  info() {},
  warn() {},
  error: (_details, message) => console.error(message),
};

/** Run a command on the configured or embedded database (started if needed) and exit with the code of `work`. */
export async function runCommand(
  name: string,
  work: (context: CommandContext) => Promise<number>,
  options: CommandOptions = {},
): Promise<void> {
  await runAndExit(
    name,
    (signal) => runWithServices(process.env, options, (services) => work({ services, signal })),
    options.failureExitCode,
  );
}

/** Run a command on the schema of the configured or embedded database, and exit with the code of `work`. */
export async function runSchemaCommand(
  name: string,
  work: (config: Config, address: DatabaseServer, log: ProcessLog) => Promise<number>,
): Promise<void> {
  await runAndExit(name, () => {
    const config = loadConfig(process.env);
    return runWithDatabaseServer(config, {}, (address) => work(config, address, COMMAND_LOG));
  });
}

/** Exit with the code of `work`, or with that of its error. */
export async function runAndExit(
  name: string,
  work: (signal: AbortSignal) => Promise<number>,
  failureExitCode?: number,
): Promise<void> {
  const signal = createTerminationSignal();
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreBrokenPipe);
  const code = await runAndPrintError(name, () => work(signal), failureExitCode);
  // The timer of the schema engine would keep the process alive for 10 s after a migration.
  process.exit(code);
}

/** Get the exit code of `work`, or print its error and get that of the error. */
export async function runAndPrintError(
  name: string,
  work: () => Promise<number>,
  failureExitCode?: number,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    console.error(`${name}: ${formatErrorForTerminal(error)}`);
    return getErrorExitCode(error, failureExitCode);
  }
}

export async function runWithServices<Result>(
  environment: NodeJS.ProcessEnv,
  options: CommandOptions,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(environment);
  return runWithDatabaseServer(config, options, (address) =>
    runWithServicesOnServer(config, address, options, work),
  );
}

/** Migrate the database, and run `work` with all services. */
export async function runWithServicesOnServer<Result>(
  config: Config,
  address: DatabaseServer,
  options: CommandOptions,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const database = await prepareAndOpenDatabase(config, address, COMMAND_LOG);
  try {
    const secrets = await loadServiceSecrets(config, database);
    const keyRing = await openEncryptionKeyRing(config, database, COMMAND_LOG, options.canCreateKeys);
    await options.prepare?.(database, secrets);
    await verifyKeysMatchDatabase(database, secrets, keyRing.current());
    const stripeEmulator = config.billing === 'sandbox' ? await findStripeEmulator(config.dataDir) : null;
    const services = createServices({
      config,
      secrets,
      keyRing,
      database: database.forEveryAccount('COMMAND'),
      log: COMMAND_LOG,
      stripeEmulator,
    });
    try {
      return await work(services);
    } finally {
      await services.mailProvider.close();
      await services.closeFiles();
    }
  } finally {
    await database.close();
  }
}

/** Open the configured or embedded database server for `work`. */
export async function runWithDatabaseServer<Result>(
  config: Config,
  options: CommandOptions,
  work: (address: DatabaseServer) => Promise<Result>,
): Promise<Result> {
  const address = await openCommandDatabaseServer(config, options);
  try {
    return await work(address);
  } finally {
    await address.stop();
  }
}

async function openCommandDatabaseServer(
  config: Config,
  { canCreateDatabase = false }: CommandOptions,
): Promise<DatabaseServer> {
  if (config.databaseUrl) return openDatabaseServer(config, COMMAND_LOG);
  const { dataDir } = config;
  if (!canCreateDatabase) await assertEmbeddedPostgresExists(dataDir);
  return attachOrStartEmbeddedPostgres({ dataDir, log: COMMAND_LOG });
}

/** The reader of the output can leave early (`| head`); the command still has to finish. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function createTerminationSignal(): AbortSignal {
  const ending = new AbortController();
  handleTerminationSignal(() => ending.abort());
  return ending.signal;
}
