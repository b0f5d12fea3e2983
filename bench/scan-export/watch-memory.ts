import { readFile } from 'node:fs/promises';

const LOOK_EVERY_MS = 25;

/**
 * Watches the resident memory of a process until it is asked: MiB at the beginning and at the most. Null where the
 * system does not tell.
 */
export async function watchMemory(
  pid: number,
): Promise<(() => Promise<{ before: number; most: number }>) | null> {
  const before = await residentOf(pid);
  if (before === null) return null;
  let most = before;
  const look = async () => {
    most = Math.max(most, (await residentOf(pid)) ?? 0);
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await look();
    return { before, most };
  };
}

/** Resident memory of a process in MiB. */
async function residentOf(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes ? Number(kilobytes) / 1024 : null;
}
