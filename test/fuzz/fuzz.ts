// Send generated requests and hostile uploads to a temporary service and check each response against the OpenAPI
// document: `npm run fuzz -- [--requests 100000] [--uploads 20000] [--seed n]`. With --operation, --seed and --path, as
// printed with a failure, it repeats that one request.
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { TEST_SECRETS } from '../helper.ts';
import { readDocument } from './document.ts';
import { findTraces, findUnexpectedLogLines } from './find-traces.ts';
import { formatMegabytes, printRows, printTally } from './print-figures.ts';
import { readOptions } from './read-options.ts';
import { FuzzRunner } from './runner.ts';
import { seedWorld } from './seed-world.ts';
import { type FuzzRun, sendAllRequests } from './send-all.ts';
import { type FuzzService, startService } from './service.ts';
import { FuzzWorld } from './world.ts';

const WARM_UP_REQUESTS = 5_000;
/** Requests and uploads under production rate limits. */
const RATE_LIMITED_COUNTS = { requests: 2_000, uploads: 200 };
const SETTLE_SECONDS = 60;
const MAX_MEMORY_GROWTH_BYTES = 60 * 1024 * 1024;
const MAX_FAILURES = 30;

const values = readOptions(import.meta.url, parseOptions);
const requests = Number(values.requests);
const uploads = Number(values.uploads);
const stopping = new AbortController();
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    isInterrupted = true;
    stopping.abort();
  });

const dataDir = await mkdtemp(join(tmpdir(), 'qr-fuzz-'));
try {
  process.exitCode = await main();
} catch (error) {
  // Errors caused by the shutdown are ignored.
  if (!isInterrupted) throw error;
  console.log('broken off');
  process.exitCode = 130;
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      requests: { type: 'string', default: '100000' },
      uploads: { type: 'string', default: '20000' },
      seed: { type: 'string' },
      operation: { type: 'string' },
      path: { type: 'string' },
      upload: { type: 'boolean', default: false },
    },
  });
  const { requests, uploads, seed = '0' } = values;
  return [requests, uploads, seed].every((text) => /^-?\d{1,10}$/.test(text)) ? values : null;
}

async function main(): Promise<number> {
  const failures = new Set<string>();
  const run: FuzzRun = {
    seed: Number(values.seed ?? randomInt(2 ** 31)),
    stopping: stopping.signal,
    onResult(failure) {
      if (failure === null || failures.has(failure)) return;
      failures.add(failure);
      console.log(`\n${failure}\n`);
      if (failures.size >= MAX_FAILURES) stopping.abort();
    },
  };
  console.log(`seed ${run.seed}`);
  if (values.operation === undefined) {
    await runWithService(100_000, (service, runner, world) => runAll(run, service, runner, world));
    if (!stopping.signal.aborted) await runWithService(1, (_service, runner) => runRateLimited(run, runner));
  } else await runWithService(100_000, (_service, runner) => runOperation(run, runner));
  const logLines = await findUnexpectedLogLines(dataDir);
  if (logLines.length > 0) run.onResult(`FAILED the service logged\n  ${logLines.slice(0, 5).join('\n  ')}`);
  if (isInterrupted) console.log('broken off');
  console.log(failures.size === 0 ? '\nnothing found' : `\n${failures.size} failures`);
  return failures.size > 0 ? 1 : isInterrupted ? 130 : 0;
}

/** Run work against a service in a child process; `scale` is RATE_LIMIT_SCALE. */
async function runWithService(
  scale: number,
  work: (service: FuzzService, runner: FuzzRunner, world: FuzzWorld) => Promise<void>,
): Promise<void> {
  const service = await startService({ dataDir, scale, secrets: TEST_SECRETS });
  try {
    const { host, port, ownerUrl, applicationUrl } = service;
    const response = await fetch(`http://${host}:${port}/api/docs/json`);
    const document = readDocument((await response.json()) as Record<string, unknown>);
    const world = await FuzzWorld.open({
      host: `${host}:${port}`,
      ownerUrl,
      applicationUrl,
      secrets: TEST_SECRETS,
    });
    const target = { host, port, document, world };
    await seedWorld(world, document, target);
    const runner = await FuzzRunner.create(target, stopping.signal);
    await work(service, runner, world);
    runner.close();
    await world.close();
  } finally {
    await service.stop();
  }
}

async function runAll(
  run: FuzzRun,
  service: FuzzService,
  runner: FuzzRunner,
  world: FuzzWorld,
): Promise<void> {
  const warm = Math.min(WARM_UP_REQUESTS, requests + uploads) / Math.max(1, requests + uploads);
  await sendAllRequests(runner, run, { requests: requests * warm, uploads: uploads * warm, part: 'warm-up' });
  const before = await service.memory();
  const warmUp = runner.takeTally();
  const startedAt = Date.now();
  await sendAllRequests(runner, run, { requests, uploads, part: 'run' });
  const seconds = (Date.now() - startedAt) / 1000;
  const after = await service.memory();
  if (!stopping.signal.aborted) console.log(`waiting ${SETTLE_SECONDS} s`);
  await sleep(SETTLE_SECONDS * 1000, undefined, { signal: stopping.signal }).catch(() => {});
  const restingMemory = await service.memory();

  printTally(runner.tally, seconds);
  printRows([
    ['memory after warm-up', formatMegabytes(before)],
    ['memory after the run', formatMegabytes(after)],
    [`memory ${SETTLE_SECONDS} s later`, formatMegabytes(restingMemory)],
    ['operations', runner.operations.length],
  ]);
  if (stopping.signal.aborted) return;
  const succeeded = new Set([...warmUp.succeeded, ...runner.tally.succeeded]);
  const never = runner.operations.filter(({ id }) => !succeeded.has(id)).map(({ id }) => id);
  if (never.length > 0) console.log(`never succeeded: ${never.join(', ')}`);
  if (restingMemory - before > MAX_MEMORY_GROWTH_BYTES)
    run.onResult(`FAILED memory grew by ${formatMegabytes(restingMemory - before)}`);
  for (const fault of await findTraces(dataDir, service, world)) run.onResult(`FAILED ${fault}`);
}

/** Run a part under production rate limits, whose responses must be declared too. */
async function runRateLimited(run: FuzzRun, runner: FuzzRunner): Promise<void> {
  await sendAllRequests(runner, run, {
    requests: Math.min(RATE_LIMITED_COUNTS.requests, requests),
    uploads: Math.min(RATE_LIMITED_COUNTS.uploads, uploads),
    part: 'limits',
  });
  printRows([
    ['requests under the usual limits', runner.tally.requests + runner.tally.uploads],
    ['answers 429', runner.tally.statuses.get(429) ?? 0],
  ]);
}

/** Repeat what a failure named: one request with --path, otherwise as many as --requests. */
async function runOperation({ seed, onResult }: FuzzRun, runner: FuzzRunner): Promise<void> {
  const operation = runner.operations.find(({ id }) => id === values.operation);
  if (!operation) throw new Error(`There is no operation ${values.operation}`);
  const { path, upload: isUpload } = values;
  onResult(await runner.run({ operation, isUpload, seed, runs: path ? 1_000 : requests, path }));
}
