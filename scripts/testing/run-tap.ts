import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FileEnd, reportOf, type TapResult } from './tap-report.ts';

/** Where tests are compiled to: loaded as sources they would need half as long again. */
export const COMPILED = 'dist-tests';

/** Files that run beside each other: more than processors, since many wait. */
const AT_ONCE = 3;

/** Seconds that a test file may take. */
const LONGEST = 300;

/** Milliseconds that tests have to clean up after themselves when they are broken off. */
const GRACE = 5_000;

/**
 * Runs test files (all without a name; a folder means the tests below it), each as a process of its own that ends by itself,
 * writing a line for each one that ends. When the signal is aborted all that was started is ended.
 */
export async function runTap(
  names: readonly string[],
  environment: Record<string, string>,
  signal: AbortSignal,
): Promise<TapResult> {
  const files = (await Promise.all((names.length > 0 ? names : ['test']).map(filesOf))).flat();
  const total: TapResult = { passed: 0, failed: 0, notRun: [] };
  const waiting = [...new Set(files)];
  const runNext = async (): Promise<void> => {
    const file = waiting.shift();
    if (file === undefined || signal.aborted) return;
    const { lines, ...end } = await runFile(file, environment, signal);
    // What fails after the end was asked for says nothing.
    if (signal.aborted) return;
    const { passed, failed, notRun, shown } = reportOf(file, lines, end);
    for (const text of shown) console.log(text);
    total.passed += passed;
    total.failed += failed;
    total.notRun.push(...notRun);
    await runNext();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runNext));
  return total;
}

/** The test files that a name means, in their order. */
async function filesOf(name: string): Promise<string[]> {
  if (!(await stat(name)).isDirectory()) return [name];
  const below = await readdir(name, { recursive: true });
  return below
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(name, file))
    .sort();
}

async function runFile(
  file: string,
  environment: Record<string, string>,
  signal: AbortSignal,
): Promise<FileEnd & { lines: string[] }> {
  const begun = performance.now();
  // A process group of its own: Ctrl-C reaches this process, which ends the tests before their database.
  const child = spawn(process.execPath, [join(COMPILED, file.replace(/\.ts$/, '.js'))], {
    env: { ...process.env, TAP_TIMEOUT: String(LONGEST), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const end = () => endGroup(child, closed);
  const timer = setTimeout(end, (LONGEST + 10) * 1000);
  signal.addEventListener('abort', end, { once: true });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  const [exitCode] = await closed;
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
  return { lines, exitCode, seconds: (performance.now() - begun) / 1000 };
}

/** Ends a process and all that it started, after a moment to clean up. */
async function endGroup({ pid }: ChildProcess, closed: Promise<unknown>): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  await Promise.race([closed, sleep(GRACE, undefined, { ref: false })]);
  signalGroup(pid, 'SIGKILL');
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}
