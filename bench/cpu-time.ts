import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

// Clock ticks per second (USER_HZ), which is 100 on every Linux platform that Node supports.
const TICKS_PER_SECOND = 100;

/** Get CPU seconds, which hardly depend on machine load, of this process and a database server; null without /proc. */
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

export async function getProcessCpuSeconds(pid: number): Promise<number> {
  const fields = await readProcessStat(String(pid));
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Read the fields of /proc/<pid>/stat after the name (state, parent, …); none if the process has exited. */
async function readProcessStat(pid: string): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
