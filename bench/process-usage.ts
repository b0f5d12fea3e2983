import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

// Clock ticks per second (USER_HZ), which is 100 on every Linux platform that Node supports.
const TICKS_PER_SECOND = 100;

const SAMPLE_INTERVAL_MS = 25;

/** Get the CPU seconds, which hardly depend on machine load, of the embedded server in a data folder; NaN without /proc. */
export async function getServerCpuSeconds(dataDir: string): Promise<number> {
  const pidFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  const server = Number(pidFile.split('\n')[0]);
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return Number.NaN;
  let ticks = 0;
  for (const pid of pids) {
    const fields = await readProcessStat(pid);
    if (Number(pid) === server || Number(fields[1]) === server)
      ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}

export async function getProcessCpuSeconds(pid: number): Promise<number> {
  const fields = await readProcessStat(String(pid));
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Measure how much the resident memory of a process grows during the work, in MiB; null without /proc. */
export async function measureMemoryGrowth<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; growthMib: number | null }> {
  const initialMib = await getResidentMib(pid);
  let maxMib = initialMib ?? 0;
  const sample = async () => {
    maxMib = Math.max(maxMib, (await getResidentMib(pid)) ?? 0);
  };
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS);
  try {
    const result = await work();
    await sample();
    return { result, growthMib: initialMib === null ? null : maxMib - initialMib };
  } finally {
    clearInterval(timer);
  }
}

export async function getResidentMib(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes ? Number(kilobytes) / 1024 : null;
}

/** Read the fields of /proc/<pid>/stat after the name (state, parent, …); none if the process has exited. */
async function readProcessStat(pid: string): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
