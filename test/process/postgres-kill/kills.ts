import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listClusterProcesses, readPostmasterFile, sendSignal } from '@qr-profile-service/embedded-postgres';
import type { ScanResponse } from './visitors.ts';

export const KILL_KINDS = ['ALL', 'MAIN', 'CONNECTION'] as const;

export interface Kill {
  kind: (typeof KILL_KINDS)[number];
  /** Milliseconds until the first acknowledged scan that was sent after a failed one; null if there was none. */
  recoveredAfterMs: number | null;
}

const RECOVERY_TIMEOUT_MS = 30_000;

export function createKiller(dataDir: string) {
  const cluster = join(dataDir, 'postgres');
  let killedAt: number | null = null;
  let failedAt: number | null = null;
  let backAt: number | null = null;

  return {
    onAnswer({ status, sentAt, at }: ScanResponse): void {
      if (killedAt === null) return;
      if (status !== 201) failedAt ??= at;
      else if (failedAt !== null && sentAt >= failedAt) backAt ??= at;
    },
    async kill(kind: Kill['kind']): Promise<Kill> {
      const pids = await victims(kind);
      [failedAt, backAt] = [null, null];
      killedAt = performance.now();
      const startedAt = killedAt;
      for (const pid of pids) sendSignal(pid, 'SIGKILL');
      while (backAt === null && performance.now() - startedAt < RECOVERY_TIMEOUT_MS) await sleep(5);
      killedAt = null;
      return { kind, recoveredAfterMs: backAt === null ? null : backAt - startedAt };
    },
  };

  async function victims(kind: Kill['kind']): Promise<number[]> {
    const main = (await readPostmasterFile(cluster))?.pid;
    const all = await listClusterProcesses(cluster);
    if (main === undefined || !all.includes(main)) throw new Error('No server is running.');
    if (kind === 'ALL') return all;
    if (kind === 'MAIN') return [main];
    // The newest process: the oldest ones are background workers.
    return all.filter((pid) => pid !== main).slice(-1);
  }
}
