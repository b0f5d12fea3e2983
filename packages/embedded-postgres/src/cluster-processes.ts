import { readdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileIfExists } from './private-file.ts';

/** The content of postmaster.pid, which survives a killed postmaster. */
export interface PostmasterFile {
  pid: number;
  port: number;
  status: string;
}

/** Read postmaster.pid; undefined when absent or written by a server without a postmaster. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const lines = ((await readFileIfExists(join(cluster, 'postmaster.pid'))) ?? '').split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), status: lines[7]?.trim() ?? '' };
}

/** Check that the id was not reused, by working directory; outside Linux any living process counts. */
export async function isClusterProcess(cluster: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') return (await getProcessFolder(pid)) === cluster;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** List the processes of a cluster: postmaster, backends, initdb. Linux only; empty elsewhere. */
export async function listClusterProcesses(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const folders = await Promise.all(pids.map(getProcessFolder));
  return pids.filter((_, index) => folders[index] === cluster);
}

/** End processes without a postmaster; a kill after the timeout is safe: the next start recovers the data. */
export async function terminateOrphanedProcesses(cluster: string, timeoutMs: number): Promise<void> {
  const patientUntil = Date.now() + timeoutMs;
  for (;;) {
    const pids = await listClusterProcesses(cluster);
    if (pids.length === 0) return;
    if (Date.now() >= patientUntil) for (const pid of pids) sendSignal(pid, 'SIGKILL');
    await sleep(20);
  }
}

/** End the processes and remove postmaster.pid, whose id another process may have by now. */
export async function prepareClusterForStart(cluster: string): Promise<void> {
  await terminateOrphanedProcesses(cluster, 1_000);
  // Elsewhere PostgreSQL checks the file itself.
  if (process.platform === 'linux') await rm(join(cluster, 'postmaster.pid'), { force: true });
}

export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}

async function getProcessFolder(pid: number): Promise<string | undefined> {
  // Fails for an ended process, a zombie, and one of another user.
  return readlink(`/proc/${pid}/cwd`).catch(() => undefined);
}
