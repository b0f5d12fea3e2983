import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTapReport, type TapResult } from './tap-report.ts';

/** Time that tests have to clean up after themselves when the run is broken off, in milliseconds. */
const GRACE = 5_000;

/**
 * Runs test files (all without a name; a folder means the tests below it), writing a line for each one
 * that ends. When the signal is aborted tap and all it started are ended.
 */
export async function runTap(
  files: readonly string[],
  environment: Record<string, string>,
  signal: AbortSignal,
): Promise<TapResult> {
  // A process group of its own: Ctrl-C reaches this process, which ends the tests before their database.
  const child = spawn(join('node_modules', '.bin', 'tap'), ['--reporter=tap', ...files.map(asPattern)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const closed = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  const end = async () => {
    endGroup(child.pid, 'SIGTERM');
    await Promise.race([closed, sleep(GRACE, undefined, { ref: false })]);
    endGroup(child.pid, 'SIGKILL');
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) await end();

  const report = createTapReport();
  for await (const line of createInterface({ input: child.stdout })) {
    const shown = report.take(line);
    // What fails after the end was asked for says nothing.
    if (!signal.aborted) for (const text of shown) console.log(text);
  }
  return report.result(await closed);
}

function asPattern(file: string): string {
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? join(file, '**', '*.test.ts') : file;
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}
