import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

// Clock ticks a second, as Linux has told programs since ever.
const TICKS_PER_SECOND = 100;

/**
 * Seconds of processor time that this process and the database server of a data folder have used so far, or null where
 * the system does not tell. Unlike the time on the clock it says little of what else the machine does.
 */
export async function getCpuSeconds(dataDir: string): Promise<number | null> {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1_000_000;
  try {
    const pidFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
    const server = Number(pidFile.split('\n')[0]);
    let ticks = 0;
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      const fields = await readProcessStat(pid);
      if (Number(pid) === server || Number(fields[1]) === server)
        ticks += Number(fields[11]) + Number(fields[12]);
    }
    return own + ticks / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/** Seconds of processor time that a process has used so far. */
export async function getProcessCpuSeconds(pid: number): Promise<number> {
  const fields = await readProcessStat(String(pid));
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** The fields of /proc/<pid>/stat after the name: state, parent, …; none for a process that has ended. */
async function readProcessStat(pid: string): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
