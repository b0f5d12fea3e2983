import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listClusterProcesses, readPostmasterFile, sendSignal } from '@qr-profile-service/embedded-postgres';
import type { ScanResponse } from './visitors.ts';

/** What is killed: all processes of the server at once, its main process alone, or one that serves a connection. */
export const KILL_KINDS = ['ALL', 'MAIN', 'CONNECTION'] as const;

export interface Kill {
  kind: (typeof KILL_KINDS)[number];
  /** Milliseconds until the first scan was acknowledged that was sent after one had failed; null where none was. */
  recoveredAfterMs: number | null;
}

/** Milliseconds after which nobody waits for the service to come back any more. */
const RECOVERY_TIMEOUT_MS = 30_000;

/** Kills the embedded server of a data folder, and notes when scans are acknowledged again. */
export function createKiller(dataDir: string) {
  const cluster = join(dataDir, 'postgres');
  let killedAt: number | null = null;
  let failedAt: number | null = null;
  let backAt: number | null = null;

  return {
    /** To be told of every answer. */
    onAnswer({ status, sentAt, at }: ScanResponse): void {
      if (killedAt === null) return;
      if (status !== 201) failedAt ??= at;
      else if (failedAt !== null && sentAt >= failedAt) backAt ??= at;
    },
    /** Kills, and waits until scans are acknowledged. */
    async kill(kind: Kill['kind']): Promise<Kill> {
      const pids = await victims(kind);
      [failedAt, backAt] = [null, null];
      killedAt = performance.now();
      const begun = killedAt;
      for (const pid of pids) sendSignal(pid, 'SIGKILL');
      while (backAt === null && performance.now() - begun < RECOVERY_TIMEOUT_MS) await sleep(5);
      killedAt = null;
      return { kind, recoveredAfterMs: backAt === null ? null : backAt - begun };
    },
  };

  async function victims(kind: Kill['kind']): Promise<number[]> {
    const main = (await readPostmasterFile(cluster))?.pid;
    const all = await listClusterProcesses(cluster);
    if (main === undefined || !all.includes(main)) throw new Error('No server is running.');
    if (kind === 'ALL') return all;
    if (kind === 'MAIN') return [main];
    // The newest of them: the oldest are its own helpers.
    return all.filter((pid) => pid !== main).slice(-1);
  }
}
