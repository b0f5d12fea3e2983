// Sends generated requests and hostile uploads to a service of its own and judges each answer by the OpenAPI
// document: `npm run fuzz -- [--requests 100000] [--uploads 20000] [--seed n]`. With --operation, --seed and --path,
// as a failure prints them, it sends that one request again.
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { endAsMistyped, wordsOf } from '../../bench/usage.ts';
import { TEST_SECRETS } from '../helper.ts';
import { readDocument } from './document.ts';
import { megabytes, print, printTally } from './figures.ts';
import { Runner } from './runner.ts';
import { seedWorld } from './seed-world.ts';
import { type Run, sendAll } from './send-all.ts';
import { type Service, startService } from './service.ts';
import { tracesOf, unexpectedLines } from './traces.ts';
import { World } from './world.ts';

const WARM_UP = 5_000;
/** Requests and uploads under the limits that hold in use. */
const LIMITED = { requests: 2_000, uploads: 200 };
const SETTLE_SECONDS = 60;
const MAX_GROWTH = 60 * 1024 * 1024;
const MAX_FAILURES = 30;

wordsOf(import.meta.url, () => true);
const values = readOptions() ?? endAsMistyped(import.meta.url);
const requests = Number(values.requests);
const uploads = Number(values.uploads);
const stopping = new AbortController();
let isBrokenOff = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    isBrokenOff = true;
    stopping.abort();
  });

const dataDir = await mkdtemp(join(tmpdir(), 'qr-fuzz-'));
try {
  process.exitCode = await main();
} catch (error) {
  // What fails because the service is ended says nothing.
  if (!isBrokenOff) throw error;
  console.log('broken off');
  process.exitCode = 130;
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();

function readOptions() {
  try {
    const { values } = parseArgs({
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
  } catch {
    return null;
  }
}

async function main(): Promise<number> {
  const failures = new Set<string>();
  const run: Run = {
    seed: Number(values.seed ?? randomInt(2 ** 31)),
    stopping: stopping.signal,
    found(failure) {
      if (failure === null || failures.has(failure)) return;
      failures.add(failure);
      console.log(`\n${failure}\n`);
      if (failures.size >= MAX_FAILURES) stopping.abort();
    },
  };
  console.log(`seed ${run.seed}`);
  if (values.operation === undefined) {
    await withService(100_000, (service, runner, world) => wholeRun(run, service, runner, world));
    if (!stopping.signal.aborted) await withService(1, (_service, runner) => limitedRun(run, runner));
  } else await withService(100_000, (_service, runner) => oneOperation(run, runner));
  const logged = await unexpectedLines(dataDir);
  if (logged.length > 0) run.found(`FAILED the service logged\n  ${logged.slice(0, 5).join('\n  ')}`);
  if (isBrokenOff) console.log('broken off');
  console.log(failures.size === 0 ? '\nnothing found' : `\n${failures.size} failures`);
  return failures.size > 0 ? 1 : isBrokenOff ? 130 : 0;
}

/** Runs something against a service in a process of its own; `scale` is RATE_LIMIT_SCALE. */
async function withService(
  scale: number,
  work: (service: Service, runner: Runner, world: World) => Promise<void>,
): Promise<void> {
  const service = await startService({ dataDir, scale, secrets: TEST_SECRETS });
  try {
    const { host, port, ownerUrl, applicationUrl } = service;
    const answer = await fetch(`http://${host}:${port}/api/docs/json`);
    const document = readDocument((await answer.json()) as Record<string, unknown>);
    const world = await World.open({
      host: `${host}:${port}`,
      ownerUrl,
      applicationUrl,
      secrets: TEST_SECRETS,
    });
    const target = { host, port, document, world };
    await seedWorld(world, document, target);
    const runner = await Runner.create(target, stopping.signal);
    await work(service, runner, world);
    runner.close();
    await world.close();
  } finally {
    await service.stop();
  }
}

/** Warms up, sends all, waits; prints the figures. */
async function wholeRun(run: Run, service: Service, runner: Runner, world: World): Promise<void> {
  const warm = Math.min(WARM_UP, requests + uploads) / Math.max(1, requests + uploads);
  await sendAll(runner, run, { requests: requests * warm, uploads: uploads * warm, part: 'warm-up' });
  const before = await service.memory();
  const warmUp = runner.takeTally();
  const begun = Date.now();
  await sendAll(runner, run, { requests, uploads, part: 'run' });
  const seconds = (Date.now() - begun) / 1000;
  const after = await service.memory();
  if (!stopping.signal.aborted) console.log(`waiting ${SETTLE_SECONDS} s`);
  await sleep(SETTLE_SECONDS * 1000, undefined, { signal: stopping.signal }).catch(() => {});
  const rested = await service.memory();

  printTally(runner.tally, seconds);
  print([
    ['memory after warm-up', megabytes(before)],
    ['memory after the run', megabytes(after)],
    [`memory ${SETTLE_SECONDS} s later`, megabytes(rested)],
    ['operations', runner.operations.length],
  ]);
  if (stopping.signal.aborted) return;
  const succeeded = new Set([...warmUp.succeeded, ...runner.tally.succeeded]);
  const never = runner.operations.filter(({ id }) => !succeeded.has(id)).map(({ id }) => id);
  if (never.length > 0) console.log(`never succeeded: ${never.join(', ')}`);
  if (rested - before > MAX_GROWTH) run.found(`FAILED memory grew by ${megabytes(rested - before)}`);
  for (const fault of await tracesOf(dataDir, service, world)) run.found(`FAILED ${fault}`);
}

/** A part under the limits that hold in use: their answers are declared too. */
async function limitedRun(run: Run, runner: Runner): Promise<void> {
  await sendAll(runner, run, {
    requests: Math.min(LIMITED.requests, requests),
    uploads: Math.min(LIMITED.uploads, uploads),
    part: 'limits',
  });
  print([
    ['requests under the usual limits', runner.tally.requests + runner.tally.uploads],
    ['answers 429', runner.tally.statuses.get(429) ?? 0],
  ]);
}

/** Repeats what a failure named: one request with --path, else as many as --requests says. */
async function oneOperation({ seed, found }: Run, runner: Runner): Promise<void> {
  const operation = runner.operations.find(({ id }) => id === values.operation);
  if (!operation) throw new Error(`There is no operation ${values.operation}`);
  const { path, upload: isUpload } = values;
  found(await runner.run({ operation, isUpload, seed, runs: path ? 1_000 : requests, path }));
}
