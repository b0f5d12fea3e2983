// `npm run dev`: run the service from its sources and restart it when they change.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { pino } from 'pino';
import { handleTerminationSignal } from '../src/process/shutdown.ts';
import { readCommandArguments } from '../src/shared/command-usage.ts';
import { ATTACH_OPTION } from '../src/start/read-start-settings.ts';
import { createDevelopmentDatabase } from './dev/database.ts';
import { updatePrismaClient } from './dev/prisma-client.ts';
import { createSupervisor } from './dev/supervisor.ts';
import { watchSources } from './dev/watch-sources.ts';
import { getTranspiledPath, transpileChangedSources } from './testing/transpile.ts';

const USAGE = `Usage:
  npm run dev             runs the service from its sources and restarts it when they change
  npm run dev -- --lan    … for a phone in the same network
Watches src, locales, prisma and .env. Log lines are formatted on a terminal, and JSON elsewhere. Ctrl-C ends it.`;

const commandArguments = readCommandArguments(USAGE, (args) => args.every((word) => word === '--lan'));
const isTerminal = process.stdout.isTTY === true;
const output = isTerminal ? await createPrettyOutput() : pino.destination({ fd: 1, sync: true });
const log = pino({ base: null }, output);
const database = createDevelopmentDatabase(log);
let hasDatabase = false;
const supervisor = createSupervisor({ prepare: prepareSources, start: startServiceProcess, log });

handleTerminationSignal(
  () => void stopDevelopment(),
  () => supervisor.signal('SIGKILL'),
);
process.on('exit', () => supervisor.signal('SIGTERM'));
// Watched before the first start, so that no change beside it is missed.
await watchSources(
  (files) => {
    log.info(`restarting: ${describeFiles(files)} changed`);
    supervisor.restart();
  },
  (err) => log.error({ err }, 'changes cannot be watched'),
);
supervisor.restart();

async function prepareSources(): Promise<boolean> {
  if (!(await updatePrismaClient())) {
    log.error('prisma generate failed; waiting for a change');
    return false;
  }
  try {
    transpileChangedSources();
    hasDatabase = await database.start();
    return true;
  } catch (error) {
    log.error(`${error instanceof Error ? error.message : error}; waiting for a change`);
    return false;
  }
}

function startServiceProcess() {
  const options = ['--enable-source-maps', `--import=./${getTranspiledPath('src/start/env-file.ts')}`];
  const words = [...commandArguments, ...(hasDatabase ? [ATTACH_OPTION] : [])];
  const service = spawn(process.execPath, [...options, getTranspiledPath('src/server.ts'), ...words], {
    stdio: ['ignore', isTerminal ? 'pipe' : 'inherit', 'inherit'],
    // Own process group: Ctrl-C reaches the service once, from here, and not as a second signal.
    detached: true,
  });
  if (service.stdout)
    createInterface({ input: service.stdout }).on('line', (line) => output.write(`${line}\n`));
  return service;
}

async function stopDevelopment(): Promise<void> {
  await supervisor.stop();
  await database.stop();
  process.exit(0);
}

/** Loaded lazily: production has no pino-pretty, and a pipe gets JSON. */
async function createPrettyOutput() {
  const { default: createPretty } = await import('pino-pretty');
  return createPretty({
    sync: true,
    singleLine: true,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss.l',
  });
}

function describeFiles([first = '', ...others]: string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
