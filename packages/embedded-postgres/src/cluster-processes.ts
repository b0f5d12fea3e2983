import { readdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileIfExists } from './private-file.ts';

/** What the file postmaster.pid of a cluster says; it outlives a postmaster that was killed. */
export interface PostmasterFile {
  pid: number;
  port: number;
  /** 'starting', 'ready' or 'stopping'; other words are possible. */
  status: string;
}

/** Reads postmaster.pid; undefined where there is none, or one of a server without a postmaster. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const lines = ((await readFileIfExists(join(cluster, 'postmaster.pid'))) ?? '').split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), status: lines[7]?.trim() ?? '' };
}

/**
 * Whether a process works on this cluster, and not merely has the number of one that did.
 * Every process of PostgreSQL has its cluster as working folder; where the system does not say
 * (other than Linux), any living process counts.
 */
export async function isClusterProcess(cluster: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') return (await getProcessFolder(pid)) === cluster;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The processes that work on a cluster: postmaster, backends, initdb. Empty where the system does not say. */
export async function listClusterProcesses(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const folders = await Promise.all(pids.map(getProcessFolder));
  return pids.filter((_, index) => folders[index] === cluster);
}

/**
 * Ends what still works on a cluster that has no postmaster any more: backends see its death by
 * themselves; those that have not after `patience` milliseconds are killed, which is safe, since
 * nothing is on disk that the next start does not repair.
 */
export async function terminateOrphanedProcesses(cluster: string, patience: number): Promise<void> {
  const patientUntil = Date.now() + patience;
  for (;;) {
    const pids = await listClusterProcesses(cluster);
    if (pids.length === 0) return;
    if (Date.now() >= patientUntil) for (const pid of pids) sendSignal(pid, 'SIGKILL');
    await sleep(20);
  }
}

/**
 * Makes a cluster that no server runs on ready for the next one: nothing works on it, and no file names
 * a process whose number somebody else may have by now, which PostgreSQL would take for its own.
 */
export async function prepareClusterForStart(cluster: string): Promise<void> {
  await terminateOrphanedProcesses(cluster, 1_000);
  // Where processes cannot be listed PostgreSQL's own care has to do.
  if (process.platform === 'linux') await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/** Sends a signal; a process that is gone already is no error. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone.
  }
}

async function getProcessFolder(pid: number): Promise<string | undefined> {
  // Fails for a process that is gone, a zombie, and one of another user.
  return readlink(`/proc/${pid}/cwd`).catch(() => undefined);
}
