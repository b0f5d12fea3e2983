import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { runWithCleanUp } from '../run-with-clean-up.ts';
import { type BenchedService, runWithService } from '../service-process.ts';
import { startWorkers } from '../worker-process.ts';
import { type DeliveryCounter, type DeliveryTally, tallyDeliveries } from './deliveries.ts';

const WORKER_COUNT = 2;

const BUSY_TIMEOUT_MS = 10_000;
const MAX_KILL_PAUSE_MS = 200;

/** Maximum wait for all jobs after the last kill: more than the expiry and retry delay of a job. */
const COMPLETION_TIMEOUT_MS = 180_000;

export interface WorkerRunResult {
  tallies: DeliveryTally[];
  kills: number;
  interruptedJobs: number;
  unfinishedJobs: number;
  seconds: number;
}

export async function killWorkers(
  settings: { events: number; kills: number; log: (text: string) => void },
  deliveries: readonly DeliveryCounter[],
): Promise<WorkerRunResult> {
  const environment = Object.assign(
    { WORKER: 'separate', BCRYPT_COST: '4', RATE_LIMIT_SCALE: '1000000' },
    ...deliveries.map((one) => one.environment),
  );
  return runWithService(
    environment,
    (service) => runDeliveries(service, environment, settings, deliveries),
    false,
  );
}

async function runDeliveries(
  service: BenchedService,
  environment: Record<string, string>,
  { events, kills, log }: { events: number; kills: number; log: (text: string) => void },
  deliveries: readonly DeliveryCounter[],
): Promise<WorkerRunResult> {
  const startedAt = performance.now();
  const pool = new pg.Pool({ connectionString: service.ownerUrl, max: 2 });
  const queues = deliveries.map(({ queue }) => queue);
  const number = async (select: string) => {
    const text = `SELECT coalesce(${select}, 0)::int AS number FROM pgboss.job WHERE name = ANY($1)`;
    return Number((await pool.query(text, [queues])).rows[0].number);
  };
  const count = (states: string) => number(`count(*) FILTER (WHERE state IN (${states}))`);
  const countDueJobs = async () =>
    Number((await pool.query('SELECT count(*) FROM notifications WHERE due_at <= now()')).rows[0].count);
  const workers = startWorkers(service, environment, WORKER_COUNT);
  const stop = async () => {
    await workers.stop();
    await pool.end();
  };
  return runWithCleanUp(stop, async () => {
    const creation = Promise.all(deliveries.map((one) => one.createEvents(service, events)));
    // Avoid an unhandled rejection; it is awaited below.
    creation.catch(() => {});
    for (let kill = 0; kill < kills; kill++) {
      for (const deadline = Date.now() + BUSY_TIMEOUT_MS; Date.now() < deadline; await wait(20))
        if (deliveries.reduce((sum, one) => sum + one.countInFlight(), 0) >= WORKER_COUNT) break;
      await wait(Math.random() * MAX_KILL_PAUSE_MS);
      await workers.replaceOldest();
      if ((kill + 1) % 10 === 0) log(`${kill + 1} kills`);
    }
    const expected = await creation;
    for (const deadline = Date.now() + COMPLETION_TIMEOUT_MS; Date.now() < deadline; await wait(500))
      if ((await countDueJobs()) + (await count("'created', 'retry', 'active'")) === 0) break;
    const tallies = deliveries.map((one, index) => tallyDeliveries(one, expected[index] ?? new Set()));
    const interruptedJobs = await number('sum(retry_count)');
    const unfinishedJobs = await count("'created', 'retry', 'active', 'failed'");
    return {
      tallies,
      kills,
      interruptedJobs,
      unfinishedJobs,
      seconds: (performance.now() - startedAt) / 1000,
    };
  });
}
