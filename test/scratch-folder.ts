import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Test } from 'tap';
import { terminateOrphanedProcesses } from '../packages/embedded-postgres/src/cluster-processes.ts';
import { getNodeArguments } from './transpiled-scripts.ts';

/** A log that nobody reads. */
export const SILENT_LOG = { info: () => {}, warn: () => {}, error: () => {} };

/** A data folder for one test, removed after it with whatever a failed test left running on it. */
export async function createScratchFolder(t: Test): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'qr-test-')));
  t.teardown(async () => {
    await terminateOrphanedProcesses(join(folder, 'postgres'), 0);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Runs one statement on a connection of its own and gives its rows. */
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

/** Tries until it works, for `limit` milliseconds at most; then the last error is thrown. */
export async function retryUntilSuccess<T>(attempt: () => Promise<T>, limit = 20_000): Promise<T> {
  const until = Date.now() + limit;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(20);
    }
  }
}

/** A process of its own that runs one of the scripts beside the tests; killed after the test. */
export function startScript(t: Test, script: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [...getNodeArguments(script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

/** The first line that a process prints. */
export function waitForFirstLine(child: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) done(text.slice(0, text.indexOf('\n')));
    });
    child.once('close', () => failed(new Error(`ended after printing: ${text}`)));
  });
}

/** Resolves when a process has ended, with its exit code or signal. */
export function waitForExit(child: ChildProcess): Promise<number | string | null> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve(child.exitCode ?? child.signalCode);
  }
  return new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal)));
}
