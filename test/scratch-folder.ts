import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Test } from 'tap';
import { terminateOrphanedProcesses } from '../packages/embedded-postgres/src/cluster-processes.ts';
import { getNodeArguments } from './transpiled-scripts.ts';

export const SILENT_LOG = { info: () => {}, warn: () => {}, error: () => {} };

/** Create a data folder that is removed after the test, after stopping servers left running on it. */
export async function createScratchFolder(t: Test): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'qr-test-')));
  t.teardown(async () => {
    await terminateOrphanedProcesses(join(folder, 'postgres'), 0);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Create a data folder as a first start leaves it, without its keys and passwords: a start on it takes half the time. */
export async function createPreparedDataFolder(t: Test): Promise<string> {
  const folder = await createScratchFolder(t);
  // cp instead of Node keeps the owner of the files, which is not root.
  const copy = spawnSync('cp', ['-a', process.env.TEST_PREPARED_CLUSTER ?? '', join(folder, 'postgres')]);
  if (copy.status !== 0) throw new Error(`The prepared database could not be copied: ${copy.stderr}`);
  return folder;
}

/** Run one statement on its own connection and return its rows. */
export async function runQuery(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Retry until an attempt succeeds, for `limit` milliseconds, then throw the last error. A busy machine takes long. */
export async function retryUntilSuccess<T>(attempt: () => Promise<T>, limit = 120_000): Promise<T> {
  const deadline = Date.now() + limit;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(20);
    }
  }
}

/** Start one of the scripts beside the tests in a child process that is killed after the test. */
export function startScript(t: Test, script: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [...getNodeArguments(script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

export function waitForFirstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('close', () => reject(new Error(`ended after printing: ${text}`)));
  });
}

/** Wait for a process to end; returns its exit code or signal. */
export function waitForExit(child: ChildProcess): Promise<number | string | null> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve(child.exitCode ?? child.signalCode);
  }
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
}
