// Measure public scans alone and during 100 concurrent uploads of 10 MB, three times, and alone again. For comparison
// the same uploads go to another process that discards them: `npm run bench:uploads-and-scans -- [uploads] [MB]`. Exits
// with 1 if the median of the three 99th percentiles is more than twice that of scans alone, or if an upload is lost.
import { setTimeout as wait } from 'node:timers/promises';
import { runWithChildProcess, waitForMessage } from './child-process.ts';
import { formatTally, formatTimes, getQuantile } from './numbers.ts';
import { readNumberArguments } from './read-arguments.ts';
import { createDeadline, runScans } from './scan/run-scans.ts';
import { createOwner } from './scan/scanned-codes.ts';
import { runWithService } from './service-process.ts';

const [uploads = 0, megabytes = 0] = readNumberArguments(import.meta.url, 100, 10);

const BASELINE_MS = 20_000;
const ROUND_COUNT = 3;
const MAX_SLOWDOWN = 2;

process.exitCode = await runWithService(
  { BILLING: 'off', LOG_LEVEL: 'error' },
  async (service) => {
    const base = `http://localhost:${service.port}`;
    const { token, post } = await createOwner(base, service.ownerUrl);
    const data = { url: 'https://example.org/' };
    const { id: qrCodeId } = await post('/api/qrcodes', { kind: 'URL', title: 'Scanned', data });
    const scan = (isOver: () => boolean) => runScans(base, String(qrCodeId), isOver);

    await scan(createDeadline(3_000));
    const baseline = await scan(createDeadline(BASELINE_MS));
    console.log(`alone: ${formatTimes(baseline)}`);
    const machine = await runWithChildProcess('files/upload-sink.ts', [], async (sink) => {
      const elsewhere = `http://127.0.0.1:${await waitForMessage<number>(sink)}`;
      return runRounds('to a process that throws them away', elsewhere, token, scan);
    });
    const own = await runRounds('to the service', base, token, scan);
    const repeatedBaseline = await scan(createDeadline(BASELINE_MS));
    console.log(`alone again: ${formatTimes(repeatedBaseline)}`);
    const maxBaseline = Math.max(getQuantile(baseline, 0.99), getQuantile(repeatedBaseline, 0.99));
    const ratio = own.p99 / maxBaseline;
    console.log(
      `p99 of scans beside uploads: ${ratio.toFixed(2)} times that of scans alone (goal ${MAX_SLOWDOWN}); ` +
        `${(machine.p99 / maxBaseline).toFixed(2)} times beside uploads elsewhere`,
    );
    return ratio <= MAX_SLOWDOWN && own.isComplete ? 0 : 1;
  },
  false,
);

async function runRounds(
  target: string,
  base: string,
  token: string,
  scan: (isOver: () => boolean) => Promise<number[]>,
): Promise<{ p99: number; isComplete: boolean }> {
  const p99s: number[] = [];
  let isComplete = true;
  for (let round = 1; round <= ROUND_COUNT; round += 1) {
    const startedAt = performance.now();
    const { responses, during: scanTimes } = await measureScansDuringUploads(base, token, scan);
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(
      `${uploads} uploads of ${megabytes} MB at once ${target}: ${formatTally(responses)} in ${seconds.toFixed(1)} s; ` +
        `meanwhile ${formatTimes(scanTimes)}`,
    );
    p99s.push(getQuantile(scanTimes, 0.99));
    isComplete &&= responses.every((status) => status === 201);
    await wait(1_000);
  }
  return { p99: getQuantile(p99s, 0.5), isComplete };
}

async function measureScansDuringUploads(
  base: string,
  token: string,
  scan: (isOver: () => boolean) => Promise<number[]>,
) {
  const args = [base, token, String(uploads), String(megabytes * 1_000_000)];
  return runWithChildProcess('files/upload-client.ts', args, async (client) => {
    let isOver = false;
    const response = waitForMessage<number[]>(client).finally(() => {
      isOver = true;
    });
    const scanTimes = await scan(() => isOver);
    return { responses: await response, during: scanTimes };
  });
}
