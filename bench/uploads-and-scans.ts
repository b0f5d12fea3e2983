// Measure public scans alone and during 100 concurrent uploads of 10 MB, three times, and alone again. For comparison
// the same uploads go to another process that discards them: `npm run bench:uploads-and-scans -- [uploads] [MB]`. Exits
// with 1 if the median of the three 99th percentiles is more than twice that of scans alone, or if an upload is lost.
import { setTimeout as wait } from 'node:timers/promises';
import { runWithChildProcess, waitForMessage } from './child-process.ts';
import { formatTally, formatTimes, getQuantile } from './numbers.ts';
import { readNumberArguments } from './read-arguments.ts';
import { createOwner } from './scan/scanned-codes.ts';
import { runWithService } from './service-process.ts';

const [uploads = 0, megabytes = 0] = readNumberArguments(import.meta.url, 100, 10);

const BASELINE_MS = 20_000;
const SCANS_PER_SECOND = 100;
const ROUND_COUNT = 3;
const MAX_SLOWDOWN = 2;

process.exitCode = await runWithService(
  { BILLING: 'off', LOG_LEVEL: 'error' },
  async (service) => {
    const base = `http://localhost:${service.port}`;
    const { token, post } = await createOwner(base, service.ownerUrl);
    const data = { url: 'https://example.org/' };
    const { id: qrCodeId } = await post('/api/qrcodes', { kind: 'URL', title: 'Scanned', data });
    const scanning = (isOver: () => boolean) => runScans(base, String(qrCodeId), isOver);

    await scanning(createDeadline(3_000));
    const alone = await scanning(createDeadline(BASELINE_MS));
    console.log(`alone: ${formatTimes(alone)}`);
    const machine = await runWithChildProcess('files/upload-sink.ts', [], async (sink) => {
      const elsewhere = `http://127.0.0.1:${await waitForMessage<number>(sink)}`;
      return runRounds('to a process that throws them away', elsewhere, token, scanning);
    });
    const own = await runRounds('to the service', base, token, scanning);
    const again = await scanning(createDeadline(BASELINE_MS));
    console.log(`alone again: ${formatTimes(again)}`);
    const least = Math.max(getQuantile(alone, 0.99), getQuantile(again, 0.99));
    const ratio = own.p99 / least;
    console.log(
      `p99 of scans beside uploads: ${ratio.toFixed(2)} times that of scans alone (goal ${MAX_SLOWDOWN}); ` +
        `${(machine.p99 / least).toFixed(2)} times beside uploads elsewhere`,
    );
    return ratio <= MAX_SLOWDOWN && own.isWhole ? 0 : 1;
  },
  false,
);

/** Return the median of the 99th percentiles of scans during uploads, and whether every upload was accepted. */
async function runRounds(
  whereTo: string,
  base: string,
  token: string,
  scanning: (isOver: () => boolean) => Promise<number[]>,
): Promise<{ p99: number; isWhole: boolean }> {
  const p99s: number[] = [];
  let isWhole = true;
  for (let round = 1; round <= ROUND_COUNT; round += 1) {
    const begun = performance.now();
    const { answers, during } = await measureScansDuringUploads(base, token, scanning);
    const seconds = (performance.now() - begun) / 1000;
    console.log(
      `${uploads} uploads of ${megabytes} MB at once ${whereTo}: ${formatTally(answers)} in ${seconds.toFixed(1)} s; ` +
        `meanwhile ${formatTimes(during)}`,
    );
    p99s.push(getQuantile(during, 0.99));
    isWhole &&= answers.every((status) => status === 201);
    await wait(1_000);
  }
  return { p99: getQuantile(p99s, 0.5), isWhole };
}

async function measureScansDuringUploads(
  base: string,
  token: string,
  scanning: (isOver: () => boolean) => Promise<number[]>,
) {
  const words = [base, token, String(uploads), String(megabytes * 1_000_000)];
  return runWithChildProcess('files/upload-client.ts', words, async (client) => {
    let isOver = false;
    const answered = waitForMessage<number[]>(client).finally(() => {
      isOver = true;
    });
    const during = await scanning(() => isOver);
    return { answers: await answered, during };
  });
}

/** Scan a code at a constant rate until it is over; returns milliseconds of each from its scheduled time. */
async function runScans(base: string, qrCodeId: string, isOver: () => boolean): Promise<number[]> {
  const taken: number[] = [];
  const underWay = new Set<Promise<void>>();
  const begun = performance.now();
  for (let sentScans = 0; !isOver(); sentScans += 1) {
    const due = begun + (sentScans * 1000) / SCANS_PER_SECOND;
    const early = due - performance.now();
    if (early > 0) await wait(early);
    const one = sendScan(base, qrCodeId, due).then((ms) => {
      taken.push(ms);
      underWay.delete(one);
    });
    underWay.add(one);
  }
  await Promise.all(underWay);
  return taken;
}

async function sendScan(base: string, qrCodeId: string, due: number): Promise<number> {
  const answer = await fetch(`${base}/api/scans/public`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ qrCodeId }),
  });
  await answer.arrayBuffer();
  if (answer.status !== 201) throw new Error(`A scan was answered ${answer.status}.`);
  return performance.now() - due;
}

function createDeadline(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() >= end;
}
