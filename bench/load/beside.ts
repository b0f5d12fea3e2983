import { setTimeout as wait } from 'node:timers/promises';
import type { RoundOptions } from '../benchmark.ts';
import { alternateSides, getQuantile } from '../measure.ts';
import type { Measurement } from '../table.ts';

const SCANS_PER_SECOND = 100;
const WARM_UP_MS = 2_000;
/** Scans alone are measured for so many times the seconds of a round. */
const SECONDS_FACTOR = 4;
const MAX_SLOWDOWN = 2;

export interface ScannedCode {
  base: string;
  qrCodeId: string;
}

/** Compare public scans beside other work with scans alone, and measure the work. */
export async function measureScansBeside(
  row: string,
  options: Pick<RoundOptions, 'rounds' | 'seconds' | 'onProgress'>,
  code: ScannedCode,
  work: () => Promise<unknown>,
): Promise<{ scans: Measurement; seconds: number[] }> {
  await sendScans(code, createDeadline(WARM_UP_MS));
  const seconds: number[] = [];
  const p99s = await alternateSides(options, async (side) => {
    if (side === 'baseline')
      return getQuantile(
        await sendScans(code, createDeadline(options.seconds * SECONDS_FACTOR * 1000)),
        0.99,
      );
    let isOver = false;
    const startedAt = performance.now();
    const working = work().finally(() => {
      isOver = true;
      seconds.push((performance.now() - startedAt) / 1000);
    });
    const [times] = await Promise.all([sendScans(code, () => isOver), working]);
    return getQuantile(times, 0.99);
  });
  return {
    scans: { row, measure: 'p99 of scans', unit: 'ms', ...p99s, ratioGoal: { max: MAX_SLOWDOWN } },
    seconds,
  };
}

function sendScans({ base, qrCodeId }: ScannedCode, isOver: () => boolean): Promise<number[]> {
  const body = JSON.stringify({ qrCodeId });
  const headers = { 'Content-Type': 'application/json' };
  return sendAtRate(SCANS_PER_SECOND, isOver, async () => {
    const response = await fetch(`${base}/api/scans/public`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    if (response.status !== 201) throw new Error(`A scan was answered ${response.status}.`);
  });
}

/** Send at a constant rate until it is over; returns milliseconds of each from its scheduled time. */
export async function sendAtRate(
  perSecond: number,
  isOver: () => boolean,
  send: (index: number) => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  const pending = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let index = 0; !isOver(); index += 1) {
    const dueAt = startedAt + (index * 1000) / perSecond;
    const delay = dueAt - performance.now();
    if (delay > 0) await wait(delay);
    const one = send(index).then(() => {
      times.push(performance.now() - dueAt);
      pending.delete(one);
    });
    pending.add(one);
  }
  await Promise.all(pending);
  return times;
}

export function createDeadline(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() >= end;
}
