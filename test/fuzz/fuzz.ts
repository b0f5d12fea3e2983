// Sends generated requests and hostile uploads to a service of its own and judges each answer by the OpenAPI
// document: `npm run fuzz -- [--requests 100000] [--uploads 20000] [--seed n]`. With --operation, --seed and --path,
// as a failure prints them, it sends that one request again.
import { randomInt } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SECRETS } from '../helper.ts';
import { readDocument } from './document.ts';
import { type Job, Runner, seedOf } from './runner.ts';
import { seedWorld } from './seed-world.ts';
import { type Service, startService } from './service.ts';
import { World } from './world.ts';

const AT_ONCE = 8;
/** Requests of a job, after which the next operation has its turn. */
const RUNS = 25;
const WARM_UP = 5_000;
/** Requests under the limits that hold in use. */
const LIMITED = 2_000;
const SETTLE_SECONDS = 60;
const MAX_GROWTH = 60 * 1024 * 1024;
const MAX_FAILURES = 30;

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
const seed = Number(values.seed ?? randomInt(2 ** 31));
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
const settle = (seconds: number) =>
  sleep(seconds * 1000, undefined, { signal: stopping.signal }).catch(() => {});

const dataDir = await mkdtemp(join(tmpdir(), 'qr-fuzz-'));
try {
  process.exitCode = await main();
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();

async function main(): Promise<number> {
  console.log(`seed ${seed}`);
  const failures = new Set<string>();
  const found = (failure: string | null) => {
    if (failure === null || failures.has(failure)) return;
    failures.add(failure);
    console.log(`\n${failure}\n`);
  };

  const isWhole = values.operation === undefined;
  const free = await startService({ dataDir, scale: 100_000, secrets: SECRETS });
  try {
    const { runner, world } = await open(free);
    if (isWhole) await wholeRun(free, runner, world, failures, found);
    else await oneOperation(runner, found);
    runner.close();
    await world.close();
  } finally {
    await free.stop();
  }
  if (isWhole && !stopping.signal.aborted) await limitedRun(found);
  const logged = await unexpectedLines();
  if (logged.length > 0) found(`FAILED the service logged\n  ${logged.slice(0, 5).join('\n  ')}`);
  if (stopping.signal.aborted) console.log('broken off');
  console.log(failures.size === 0 ? '\nnothing found' : `\n${failures.size} failures`);
  return failures.size === 0 ? (stopping.signal.aborted ? 130 : 0) : 1;
}

async function open(service: Service) {
  const { host, port, ownerUrl, applicationUrl } = service;
  const answer = await fetch(`http://${host}:${port}/api/docs/json`);
  const document = readDocument((await answer.json()) as Record<string, unknown>);
  const world = await World.open({ host: `${host}:${port}`, ownerUrl, applicationUrl, secrets: SECRETS });
  const target = { host, port, document, world };
  await seedWorld(world, document, target);
  return { runner: await Runner.create(target, stopping.signal), world };
}

type Found = (failure: string | null) => void;

/** Warms up, sends all, waits; prints the figures. */
async function wholeRun(service: Service, runner: Runner, world: World, failures: Set<string>, found: Found) {
  const requests = Number(values.requests);
  const uploads = Number(values.uploads);
  const share = uploads / Math.max(1, requests + uploads);
  const warm = Math.min(WARM_UP, requests + uploads);
  await send(
    runner,
    { requests: warm * (1 - share), uploads: warm * share, part: 'warm-up' },
    failures,
    found,
  );
  const before = await service.memory();
  const begun = Date.now();
  const counted = { requests: runner.tally.requests, uploads: runner.tally.uploads };
  runner.tally.statuses.clear();
  await send(runner, { requests, uploads, part: 'run' }, failures, found);
  const seconds = (Date.now() - begun) / 1000;
  const after = await service.memory();
  if (!stopping.signal.aborted) console.log(`waiting ${SETTLE_SECONDS} s`);
  await settle(SETTLE_SECONDS);
  const rested = await service.memory();

  const { tally } = runner;
  const sent = { requests: tally.requests - counted.requests, uploads: tally.uploads - counted.uploads };
  const classes = [1, 2, 3, 4, 5].map((first) => [
    `answers ${first}xx`,
    sum([...tally.statuses].filter(([status]) => Math.floor(status / 100) === first)),
  ]);
  print([
    ['requests', sent.requests],
    ['uploads', sent.uploads],
    ['broken off on purpose', tally.aborted],
    ['requests a second', Math.round((sent.requests + sent.uploads) / seconds)],
    ...classes.filter(([, count]) => count),
    ['answers 503', tally.statuses.get(503) ?? 0],
    ['operations', runner.operations.length],
    ['memory after warm-up', megabytes(before)],
    ['memory after the run', megabytes(after)],
    [`memory ${SETTLE_SECONDS} s later`, megabytes(rested)],
  ]);
  const never = runner.operations.filter(({ id }) => !tally.succeeded.has(id)).map(({ id }) => id);
  if (never.length > 0) console.log(`never succeeded: ${never.join(', ')}`);
  if (stopping.signal.aborted) return;
  if (rested - before > MAX_GROWTH) found(`FAILED memory grew by ${megabytes(rested - before)}`);
  for (const fault of await traces(service, world)) found(`FAILED ${fault}`);
}

/** What a run must not leave behind. */
async function traces(service: Service, world: World): Promise<string[]> {
  const faults = (await world.lostText()).map((rows) => `text was lost (U+FFFD) in ${rows}`);
  const temporary = await service.temporaryFiles();
  if (temporary.length > 0) faults.push(`temporary files: ${temporary.slice(0, 5).join(', ')}`);
  const named = await world.namedFiles();
  for (const folder of ['profile-pictures', 'qrcodes']) {
    const files = await readdir(join(dataDir, 'uploads', folder));
    const unnamed = files.filter((file) => !named.has(file));
    if (unnamed.length > 0)
      faults.push(`${unnamed.length} files in ${folder} that no row names: ${unnamed[0]}`);
  }
  const health = await fetch(`http://${service.host}:${service.port}/api/health/ready`).catch(() => null);
  if (!health?.ok) faults.push(`the service is not ready afterwards: ${health?.status}`);
  return faults;
}

/** A part of the run under the limits that hold in use: those answers are declared too. */
async function limitedRun(found: Found): Promise<void> {
  const service = await startService({ dataDir, scale: 1, secrets: SECRETS });
  try {
    const { runner, world } = await open(service);
    const requests = Math.min(LIMITED, Number(values.requests));
    await send(
      runner,
      { requests, uploads: Math.min(200, Number(values.uploads)), part: 'limits' },
      new Set(),
      found,
    );
    print([
      ['requests under the usual limits', runner.tally.requests + runner.tally.uploads],
      ['answers 429', runner.tally.statuses.get(429) ?? 0],
    ]);
    runner.close();
    await world.close();
  } finally {
    await service.stop();
  }
}

/** Repeats what a failure named: one request with --path, else as many as a job has. */
async function oneOperation(runner: Runner, found: Found): Promise<void> {
  const operation = runner.operations.find(({ id }) => id === values.operation);
  if (!operation) throw new Error(`There is no operation ${values.operation}`);
  const { path, upload: isUpload } = values;
  found(await runner.run({ operation, isUpload, seed, runs: path ? 1_000 : Number(values.requests), path }));
}

/** Sends so many requests and uploads, several at once, each operation in its turn. */
async function send(
  runner: Runner,
  wanted: { requests: number; uploads: number; part: string },
  failures: Set<string>,
  found: Found,
): Promise<void> {
  const from = { requests: runner.tally.requests, uploads: runner.tally.uploads };
  const left = () => ({
    requests: from.requests + wanted.requests - runner.tally.requests,
    uploads: from.uploads + wanted.uploads - runner.tally.uploads,
  });
  const jobs = jobsOf(runner, wanted.part);
  const progress = setInterval(() => {
    const { requests, uploads } = runner.tally;
    process.stderr.write(
      `${wanted.part}: ${requests - from.requests} requests, ${uploads - from.uploads} uploads\n`,
    );
  }, 10_000);
  const work = async () => {
    while (!stopping.signal.aborted && failures.size < MAX_FAILURES) {
      const { requests, uploads } = left();
      if (requests <= 0 && uploads <= 0) return;
      // Both come to their end together.
      const isUpload =
        uploads > 0 && (requests <= 0 || uploads / wanted.uploads > requests / wanted.requests);
      const job = isUpload ? jobs.uploads() : jobs.requests();
      found(await runner.run({ ...job, runs: Math.min(RUNS, Math.ceil(isUpload ? uploads : requests)) }));
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    clearInterval(progress);
  }
}

function jobsOf(runner: Runner, part: string) {
  const inTurn = (operations: Runner['operations'], isUpload: boolean) => {
    let turn = 0;
    return (): Omit<Job, 'runs'> => {
      const operation = operations[turn % operations.length];
      if (!operation) throw new Error('The document declares no such operation');
      const round = Math.floor(turn / operations.length);
      turn += 1;
      return { operation, isUpload, seed: seedOf(seed, `${part} ${operation.id} ${isUpload}`, round) };
    };
  };
  return { requests: inTurn(runner.operations, false), uploads: inTurn(runner.formOperations, true) };
}

/** Lines of the service's log about faults of its own. */
async function unexpectedLines(): Promise<string[]> {
  const text = await readFile(join(dataDir, 'service.log'), 'utf8');
  return text.split('\n').filter((line) => /"level":"?(?:5\d|60|error|fatal)|PROTOTYPE|Error:/.test(line));
}

function sum(counts: [number, number][]): number {
  return counts.reduce((total, [, count]) => total + count, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function print(rows: (string | number | undefined)[][]): void {
  for (const [name, value] of rows) console.log(`${String(name).padEnd(34)} ${String(value).padStart(10)}`);
}
