// First process of the namespaces: `node bench/hosts/hosts-process.js <folder> all|core|random|<part of the names> <seconds of a cut> [minutes] [seed]`
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createClockFaults,
  createDiskFaults,
  createFailover,
  createKillFaults,
  createLinkFault,
  createLinkFaults,
  createRepeatedFailover,
  drawFaults,
  FAKETIME_SKIP_REASON,
  type Fault,
  type FaultTargets,
  SMALL_DISK_HOSTS,
} from './faults.ts';
import { findLost, findWrongCounts, waitForMails } from './find-lost.ts';
import { createOwner, isSuccess, type LoadResult, startLoad } from './load.ts';
import { createNetwork, mountSmallDisk } from './network.ts';
import { type DatabaseHost, startPostgresServers } from './postgres-servers.ts';
import {
  createServiceHosts,
  getDataFolder,
  isReady,
  SERVICE_HOSTS,
  WORKER_HOSTS,
  waitUntilReady,
} from './service-hosts.ts';

/** Enough for the emails of an hour. */
const SMALL_DISK_MEGABYTES = 64;
const WARM_UP_MS = 3_000;
const HEALTH_INTERVAL_MS = 250;
/** Normal is: for this long every answer was a success and every process was ready. */
const QUIET_MS = 3_000;
const NORMAL_TIMEOUT_MS = 90_000;

const [folder = '', selection = '', cutSeconds = '', minutes = '', seed = ''] = process.argv.slice(2);
const seconds = Number(cutSeconds);

interface Row {
  name: string;
  results: LoadResult[];
  /** Null if it did not come within the time limit. */
  normalAfterSeconds: number | null;
}

createNetwork();
for (const host of SMALL_DISK_HOSTS) mountSmallDisk(getDataFolder(folder, host), SMALL_DISK_MEGABYTES);
const database = await startPostgresServers(folder);
const hosts = createServiceHosts(folder);
for (const name of ['redis', 's3', 'proxy', 'app1'] as const) hosts[name].start();
await waitUntilReady('app1');
hosts.app2.start();
hosts.worker1.start();
await waitUntilReady('app2', 'worker1');
const owner = await createOwner(getDataFolder(folder, 'worker1'));
hosts.worker2.start();
await waitUntilReady(...SERVICE_HOSTS);

const targets: FaultTargets = { folder, database, hosts };
const failover = createFailover(targets, ['primary', 'replica'], {
  name: `primary cut off from its replica for ${Math.min(seconds, 3)} s, then killed; replica promoted`,
  cutSeconds: Math.min(seconds, 3),
});
const repairable = [
  ...createLinkFaults(seconds),
  ...createKillFaults(targets),
  ...createClockFaults(targets, seconds),
  ...createDiskFaults(targets, seconds),
];
if (selection === 'random') process.exit((await runRandomFaults()) ? 1 : 0);

const all = [...repairable, failover];
const selected: Record<string, Fault[]> = {
  all,
  core: [createLinkFault(['app1', 'primary'], seconds), failover],
};
const faults = selected[selection] ?? all.filter(({ name }) => name.includes(selection));
const lastPrimary = faults.includes(failover) ? 'replica' : 'primary';
let isFailed = await runFaults(faults, () => lastPrimary, 0);

if (selection === 'all') {
  await database.rebuild('primary', 'replica');
  const name = 'the same with an asynchronous replica';
  const asynchronous = createFailover(targets, ['replica', 'primary'], { name, cutSeconds: 3 });
  isFailed = (await runFaults([asynchronous], () => 'primary', Number.POSITIVE_INFINITY)) || isFailed;
  if (FAKETIME_SKIP_REASON) console.log(`clocks: skipped, ${FAKETIME_SKIP_REASON}`);
}
process.exit(isFailed ? 1 : 0);

/** Run faults at random until the time is over, or until SIGTERM; returns whether something went wrong. */
async function runRandomFaults(): Promise<boolean> {
  const { fault, getPrimary } = createRepeatedFailover(targets, 'failover, and a new replica');
  const end = performance.now() + Number(minutes) * 60_000;
  let isStopped = false;
  process.once('SIGTERM', () => {
    isStopped = true;
  });
  console.log(`seed ${seed}`);
  const drawn = drawFaults([...repairable, fault], {
    seed: Number(seed),
    seconds,
    isOver: () => isStopped || performance.now() > end,
  });
  return runFaults(drawn, getPrimary, 0);
}

/** Run faults one after the other under load and print their rows; returns whether more than `maxLost` was lost. */
async function runFaults(
  list: Iterable<Fault>,
  getLastPrimary: () => DatabaseHost,
  maxLost: number,
): Promise<boolean> {
  const load = startLoad(owner);
  const health = watchHealth();
  await sleep(WARM_UP_MS);
  const rows: Row[] = [];
  for (const fault of list) {
    load.setFault(fault.name);
    await fault.begin();
    await sleep(fault.seconds * 1_000);
    await fault.end?.();
    const normalAfterSeconds = await waitUntilNormal(load.results, health);
    process.stderr.write(`${fault.name}: normal after ${normalAfterSeconds?.toFixed(1)} s\n`);
    rows.push({
      name: fault.name,
      results: load.results.filter(({ fault: name }) => name === fault.name),
      normalAfterSeconds,
    });
  }
  await load.stop();
  health.stop();
  await owner.logIn();
  const mailboxes = WORKER_HOSTS.map((host) => join(getDataFolder(folder, host), 'mailbox'));
  const mailTimes = await waitForMails(load.results, mailboxes);
  const lastPrimary = getLastPrimary();
  const lost = await findLost(load.results, { database: lastPrimary, owner, mailTimes });
  const wrong = await findWrongCounts(lastPrimary);
  console.log(
    '| fault | failed answers | acknowledged | lost | slowest answer, s | slowest email, s | normal again after, s |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  const times = rows.map(({ normalAfterSeconds }) => normalAfterSeconds);
  const slowest = times.includes(null) ? null : Math.max(...times.map(Number));
  const total = { name: 'all', results: load.results, normalAfterSeconds: slowest };
  for (const row of [...rows, total]) console.log(formatRow(row, lost, mailTimes));
  for (const line of wrong) console.log(`counted wrong: ${line}`);
  return (
    lost.size > maxLost ||
    wrong.length > 0 ||
    rows.some(({ normalAfterSeconds }) => normalAfterSeconds === null)
  );
}

function watchHealth() {
  let isOver = false;
  let lastNotReadyAt = 0;
  for (const host of SERVICE_HOSTS) watch(host).catch(() => {});
  async function watch(host: (typeof SERVICE_HOSTS)[number]) {
    for (; !isOver; await sleep(HEALTH_INTERVAL_MS))
      if (!(await isReady(host))) lastNotReadyAt = performance.now();
  }
  return {
    getLastNotReadyAt: () => lastNotReadyAt,
    stop() {
      isOver = true;
    },
  };
}

async function waitUntilNormal(results: readonly LoadResult[], health: ReturnType<typeof watchHealth>) {
  const endedAt = performance.now();
  for (; ; await sleep(HEALTH_INTERVAL_MS)) {
    const now = performance.now();
    if (now > endedAt + NORMAL_TIMEOUT_MS) return null;
    const recent = results.slice(-4_000);
    const isWaiting = recent.some(
      ({ answeredAt, sentAt }) => answeredAt === Infinity && sentAt < now - QUIET_MS,
    );
    const failedAt = recent
      .filter((result) => result.answeredAt < Infinity && !isSuccess(result))
      .map(({ answeredAt }) => answeredAt);
    const normalAt = Math.max(endedAt, health.getLastNotReadyAt(), ...failedAt);
    if (!isWaiting && now - normalAt >= QUIET_MS) return (normalAt - endedAt) / 1_000;
  }
}

function formatRow(
  { name, results, normalAfterSeconds }: Row,
  lost: ReadonlySet<LoadResult>,
  mailTimes: ReadonlyMap<string, number>,
) {
  const failed = new Map<number, number>();
  for (const result of results.filter((one) => !isSuccess(one)))
    failed.set(result.status, (failed.get(result.status) ?? 0) + 1);
  const failures = [...failed].sort().map(([status, count]) => `${count} × ${status || 'none'}`);
  const acknowledged = results.filter((result) => result.kind !== 'read' && isSuccess(result));
  const mailSeconds = acknowledged.flatMap(({ id, at, kind }) => {
    const sentAt = mailTimes.get(id);
    return kind === 'registration' && sentAt !== undefined ? [(sentAt - at) / 1_000] : [];
  });
  const cells = [
    name,
    failures.join(', ') || 'none',
    acknowledged.length,
    acknowledged.filter((result) => lost.has(result)).length,
    (getSlowestMs(results) / 1_000).toFixed(1),
    mailSeconds.length > 0 ? Math.max(0, ...mailSeconds).toFixed(1) : '',
    normalAfterSeconds === null ? `not within ${NORMAL_TIMEOUT_MS / 1_000}` : normalAfterSeconds.toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}

function getSlowestMs(results: readonly LoadResult[]): number {
  return results.reduce((slowest, { sentAt, answeredAt }) => Math.max(slowest, answeredAt - sentAt), 0);
}
