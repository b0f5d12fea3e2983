// Measure an export of 20,000 codes and 200,000 scans: time, growth of resident memory, and response times of other
// requests meanwhile: `npm run bench:export -- [codes] [scans]`. With `collect` as third argument garbage is collected
// every second, which shows the memory in use without garbage.
import { fillAccount } from './fill-account.ts';
import { isWholeNumber, readArguments } from './read-arguments.ts';
import { formatProbeTimes, type RunningApp, runWithApp, startProbing } from './running-app.ts';
import { type ScratchDatabase, withScratchDatabase } from './scratch-database.ts';

const args = readArguments(import.meta.url, (candidate) => {
  const numbers = candidate.at(-1) === 'collect' ? candidate.slice(0, -1) : candidate;
  return numbers.length <= 2 && numbers.every(isWholeNumber);
});
const collects = args.at(-1) === 'collect';
const [codes = 20_000, scans = 200_000] = args.filter(isWholeNumber).map(Number);
const MIB = 1024 * 1024;

await withScratchDatabase((scratch) => runWithApp(scratch, (app) => measureExport(app, scratch)));
process.exit();

async function measureExport(app: RunningApp, scratch: ScratchDatabase): Promise<void> {
  const { address } = app;
  const small = await fillAccount(scratch, { qrCodes: 150, scans: 4_000, notifications: 100 });
  const large = await fillAccount(scratch, { qrCodes: codes, scans, notifications: scans / 10 });
  const headers = { authorization: `Bearer ${app.createToken(large.userId, large.sessionId)}` };
  const other = { authorization: `Bearer ${app.createToken(small.userId, small.sessionId)}` };

  await discardBody(await fetch(`${address}/api/auth/export`, { headers: other }));
  const memory = watchMemory();
  console.log(`resident memory before: ${(memory.first / MIB).toFixed(0)} MiB`);

  const probe = startProbing(() => fetch(`${address}/api/auth/me`, { headers: other }), 200);
  let startedAt = performance.now();
  const exportResponse = await fetch(`${address}/api/auth/export`, { headers });
  console.log(
    `GET /api/auth/export: ${exportResponse.status} in ${(performance.now() - startedAt).toFixed(0)} ms`,
  );
  const { id } = (await exportResponse.json()) as { id: string };
  const finishedExport = await waitForExport(`${address}/api/auth/exports/${id}`, headers);
  console.log(
    `made by the job in ${formatSecondsSince(startedAt)} s, ${(finishedExport.size / MIB).toFixed(1)} MiB`,
  );
  console.log(`growth of resident memory: ${memory.growth()} MiB at the most`);

  startedAt = performance.now();
  const bytes = await discardBody(await fetch(`${address}/api/auth/exports/${id}/content`, { headers }));
  console.log(`fetched in ${formatSecondsSince(startedAt)} s, ${(bytes / MIB).toFixed(1)} MiB`);
  console.log(`growth of resident memory: ${memory.growth()} MiB at the most`);
  console.log(`others meanwhile: ${formatProbeTimes(await probe.stop())}`);
  console.log(`kept afterwards: ${memory.getRetained()} MiB`);
  memory.stop();
}

async function waitForExport(url: string, headers: Record<string, string>): Promise<{ size: number }> {
  for (;;) {
    const body = (await (await fetch(url, { headers })).json()) as { status: string; size: number };
    if (body.status === 'READY') return body;
    if (body.status === 'FAILED') throw new Error('The export failed.');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function discardBody(response: Response): Promise<number> {
  if (response.status !== 200) throw new Error(`answered ${response.status}: ${await response.text()}`);
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  return bytes;
}

function watchMemory() {
  global.gc?.();
  const first = process.memoryUsage.rss();
  let highest = first;
  const timer = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, 50);
  const collection = collects ? setInterval(() => global.gc?.(), 1_000) : undefined;
  return {
    first,
    getRetained: () => {
      global.gc?.();
      return ((process.memoryUsage.rss() - first) / MIB).toFixed(0);
    },
    growth: () => ((highest - first) / MIB).toFixed(0),
    stop() {
      clearInterval(timer);
      clearInterval(collection);
    },
  };
}

function formatSecondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}
