import { setTimeout as wait } from 'node:timers/promises';

const SCANS_PER_SECOND = 100;

/** Scan a code at a constant rate until it is over; returns milliseconds of each from its scheduled time. */
export async function runScans(base: string, qrCodeId: string, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const pending = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let sentScans = 0; !isOver(); sentScans += 1) {
    const dueAt = startedAt + (sentScans * 1000) / SCANS_PER_SECOND;
    const delay = dueAt - performance.now();
    if (delay > 0) await wait(delay);
    const one = sendScan(base, qrCodeId, dueAt).then((ms) => {
      times.push(ms);
      pending.delete(one);
    });
    pending.add(one);
  }
  await Promise.all(pending);
  return times;
}

async function sendScan(base: string, qrCodeId: string, dueAt: number): Promise<number> {
  const response = await fetch(`${base}/api/scans/public`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ qrCodeId }),
  });
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`A scan was answered ${response.status}.`);
  return performance.now() - dueAt;
}

export function createDeadline(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() >= end;
}
