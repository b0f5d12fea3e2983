import { readFile } from 'node:fs/promises';

const SAMPLE_INTERVAL_MS = 25;

/** Watch the resident memory of a process; returns its start and maximum in MiB, or null without /proc. */
export async function watchMemory(
  pid: number,
): Promise<(() => Promise<{ initialMib: number; maxMib: number }>) | null> {
  const initialMib = await getResidentMib(pid);
  if (initialMib === null) return null;
  let maxMib = initialMib;
  const sample = async () => {
    maxMib = Math.max(maxMib, (await getResidentMib(pid)) ?? 0);
  };
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await sample();
    return { initialMib, maxMib };
  };
}

async function getResidentMib(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes ? Number(kilobytes) / 1024 : null;
}
