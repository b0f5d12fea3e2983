// Public scans of the real service, alone and while 100 documents of 10 MB are uploaded at once; and alone again.
// `npm run bench:uploads-and-scans -- [uploads] [MB]`. Ends with 1 when the scans' 99th percentile is more than twice what
// it was before, or an upload is lost.
import { setTimeout as wait } from 'node:timers/promises';
import { upload } from './files/multipart-upload.ts';
import { quantile, tally, times } from './numbers.ts';
import { makeOwner } from './scan/scanned-codes.ts';
import { withService } from './service-process.ts';
import { numbersOf } from './usage.ts';

const [uploads = 0, megabytes = 0] = numbersOf(import.meta.url, 100, 10);

/** Milliseconds of scans alone, and how many are sent in a second: what one process answers without a queue. */
const ALONE_MS = 20_000;
const PER_SECOND = 100;
const GOAL = 2;

process.exitCode = await withService(
  { BILLING: 'off', LOG_LEVEL: 'error' },
  async (service) => {
    const base = `http://localhost:${service.port}`;
    const { token, post } = await makeOwner(base, service.ownerUrl);
    const data = { url: 'https://example.org/' };
    const { id: qrCodeId } = await post('/api/qrcodes', { kind: 'URL', title: 'Scanned', data });
    const scanning = (isOver: () => boolean) => scans(base, String(qrCodeId), isOver);

    await scanning(after(3_000));
    const alone = await scanning(after(ALONE_MS));
    console.log(`alone: ${times(alone)}`);
    let left = uploads;
    const answers: number[] = [];
    const begun = performance.now();
    const sending = Promise.all(
      Array.from({ length: uploads }, async () => {
        const file = { bytes: megabytes * 1_000_000 };
        const answer = await sent(() => upload(`${base}/api/documents`, token, file));
        answers.push(answer);
        left -= 1;
      }),
    );
    const during = await scanning(() => left === 0);
    await sending;
    const seconds = (performance.now() - begun) / 1000;
    console.log(
      `${uploads} uploads of ${megabytes} MB at once: ${tally(answers)} in ${seconds.toFixed(1)} s`,
    );
    console.log(`meanwhile: ${times(during)}`);
    await wait(1_000);
    const again = await scanning(after(ALONE_MS));
    console.log(`alone again: ${times(again)}`);
    const ratio = quantile(during, 0.99) / Math.max(quantile(alone, 0.99), quantile(again, 0.99));
    console.log(`p99 of scans beside uploads: ${ratio.toFixed(2)} times that of scans alone (goal ${GOAL})`);
    return ratio <= GOAL && answers.every((status) => status === 201) ? 0 : 1;
  },
  false,
);

/** The status of an upload that is sent again while the service says that it is busy, as it asks for. */
async function sent(send: () => ReturnType<typeof upload>): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const { status } = await send();
    if (status !== 503 || tries === 60) return status;
    await wait(1_000);
  }
}

/** Scans a code at an even pace until it is over; milliseconds of each, counted from when it was due. */
async function scans(base: string, qrCodeId: string, isOver: () => boolean): Promise<number[]> {
  const taken: number[] = [];
  const underWay = new Set<Promise<void>>();
  const begun = performance.now();
  for (let sentScans = 0; !isOver(); sentScans += 1) {
    const due = begun + (sentScans * 1000) / PER_SECOND;
    const early = due - performance.now();
    if (early > 0) await wait(early);
    const one = scan(base, qrCodeId, due).then((ms) => {
      taken.push(ms);
      underWay.delete(one);
    });
    underWay.add(one);
  }
  await Promise.all(underWay);
  return taken;
}

async function scan(base: string, qrCodeId: string, due: number): Promise<number> {
  const answer = await fetch(`${base}/api/scans/public`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ qrCodeId }),
  });
  await answer.arrayBuffer();
  if (answer.status !== 201) throw new Error(`A scan was answered ${answer.status}.`);
  return performance.now() - due;
}

function after(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() >= end;
}
