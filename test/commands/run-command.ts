import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { getNodeArguments } from '../transpiled-scripts.ts';

export interface CommandResult {
  code: number | null;
  out: string;
  errors: string;
}

export function runCommand(
  name: string,
  environment: Record<string, string>,
  ...args: string[]
): Promise<CommandResult> {
  return runScript(`src/commands/${name}.ts`, environment, ...args);
}

export function runScript(
  file: string,
  environment: Record<string, string>,
  ...args: string[]
): Promise<CommandResult> {
  const child = spawn(process.execPath, [...getNodeArguments(file), ...args], {
    env: completeEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const result: CommandResult = { code: null, out: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    result.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    result.errors += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...result, code })));
}

/**
 * Run a command in this process, which has loaded the application already; that takes a process of its own two seconds.
 * Commands run one after the other. What signals, pipes and the end of a process do is tested with `runCommand`.
 */
export function runCommandInProcess(
  name: string,
  environment: Record<string, string>,
  ...args: string[]
): Promise<CommandResult> {
  const run = lastRun.then(() => importCommand(name, environment, args));
  lastRun = run.catch(() => {});
  return run;
}

let lastRun: Promise<unknown> = Promise.resolve();
let runs = 0;

class ProcessExit extends Error {}

async function importCommand(
  name: string,
  environment: Record<string, string>,
  args: readonly string[],
): Promise<CommandResult> {
  const [file = ''] = getNodeArguments(`src/commands/${name}.ts`);
  const { argv, env, exit } = process;
  const { log } = console;
  const { write } = process.stderr;
  const removeListeners = trackListeners();
  const result: CommandResult = { code: null, out: '', errors: '' };
  process.argv = [process.execPath, resolve(file), ...args];
  process.env = completeEnvironment(environment);
  process.exit = (code) => {
    result.code ??= Number(code ?? process.exitCode ?? 0);
    throw new ProcessExit();
  };
  // Not process.stdout.write, by which results of tests are written.
  console.log = (...values: unknown[]) => {
    if (result.code === null) result.out += `${format(...values)}\n`;
  };
  process.stderr.write = (text: Uint8Array | string) => {
    if (result.code === null) result.errors += text;
    return true;
  };
  try {
    runs += 1;
    // A module is evaluated again for another query; those that it imports are not.
    await import(`${pathToFileURL(resolve(file)).href}?run=${runs}`);
    result.code ??= Number(process.exitCode ?? 0);
  } catch (error) {
    if (!(error instanceof ProcessExit)) throw error;
  } finally {
    Object.assign(process, { argv, env, exit, exitCode: undefined });
    process.stderr.write = write;
    console.log = log;
    removeListeners();
  }
  return result;
}

/** Get a function that removes the listeners that a command adds for the rest of its process. */
function trackListeners(): () => void {
  const events = [
    ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => [process, name] as const),
    ...[process.stdout, process.stderr].map((stream) => [stream, 'error'] as const),
  ];
  const before = events.map(([emitter, name]) => emitter.rawListeners(name));
  return () => {
    for (const [index, [emitter, name]] of events.entries())
      for (const listener of emitter.rawListeners(name) as (() => void)[])
        if (!before[index]?.includes(listener)) emitter.off(name, listener);
  };
}

function completeEnvironment(environment: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, NODE_ENV: 'test', BCRYPT_COST: '4', ...environment };
}
