import { loadConfig } from '../config.ts';
import { handleTerminationSignal } from '../process/shutdown.ts';
import { createServices, type Services } from '../services.ts';
import type { ProcessLog } from '../shared/process-log.ts';
import { attachOrStartEmbeddedPostgres } from '../start/attach-embedded-postgres.ts';
import { checkKeys } from '../start/check-keys.ts';
import { findStripeEmulator } from '../start/development-packages.ts';
import { formatFailure } from '../start/format-failure.ts';
import { getExitCode } from '../start/get-exit-code.ts';
import { openKeyRing } from '../start/keys/open-key-ring.ts';
import { openDatabaseServer, openPreparedDatabase } from '../start/open-database.ts';
import { openSecrets } from '../start/open-secrets.ts';

/** What a command works with. */
export interface CommandContext {
  services: Services;
  /** Aborted by SIGINT or SIGTERM: stop at the next good moment. */
  signal: AbortSignal;
}

interface CommandOptions {
  /** Whether a file of encryption keys may be made for a database that nobody has used; outside production it always may. */
  canCreateKeys?: boolean;
  /** The exit code for a failure that has none of its own, in place of 1, where 1 says something else. */
  failureExitCode?: number;
}

/** A command of one step is no job for a log; what goes wrong is on the terminal. */
const COMMAND_LOG: ProcessLog = {
  info() {},
  warn() {},
  error: (_details, message) => console.error(message),
};

/**
 * Runs a command on the service's database, the embedded one of a running service or one started for as long
 * as it runs, and ends with its exit code: what `work` answers, 75 when the database or the data folder cannot be
 * had right now, 78 for a configuration or keys that are not usable, 1 or `failure` for any other.
 */
export async function runCommand(
  name: string,
  work: (context: CommandContext) => Promise<number>,
  options: CommandOptions = {},
): Promise<void> {
  const signal = createTerminationSignal();
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreBrokenPipe);
  let code: number;
  try {
    code = await withServices(process.env, options, (services) => work({ services, signal }));
  } catch (error) {
    console.error(`${name}: ${formatFailure(error)}`);
    code = getExitCode(error, options.failureExitCode);
  }
  // All is closed. The schema engine's timer alone would keep the process for ten seconds after a migration.
  process.exit(code);
}

/** The services of some settings, without jobs under way, for as long as the work lasts. */
export async function withServices<Result>(
  environment: NodeJS.ProcessEnv,
  options: CommandOptions,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(environment);
  const address = config.databaseUrl
    ? await openDatabaseServer(config, COMMAND_LOG)
    : await attachOrStartEmbeddedPostgres({ dataDir: config.dataDir, log: COMMAND_LOG });
  try {
    const database = await openPreparedDatabase(config, address, COMMAND_LOG);
    try {
      const secrets = await openSecrets(config, database);
      const keyRing = await openKeyRing(config, database, COMMAND_LOG, options.canCreateKeys);
      await checkKeys(database, secrets, keyRing.current());
      const stripeEmulator = config.billing === 'sandbox' ? await findStripeEmulator(config.dataDir) : null;
      const services = createServices({
        config,
        secrets,
        keyRing,
        database,
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
  } finally {
    await address.stop();
  }
}

/** Whoever read the output may have had enough: what the command does is not less needed for that. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function createTerminationSignal(): AbortSignal {
  const ending = new AbortController();
  handleTerminationSignal(() => ending.abort());
  return ending.signal;
}
