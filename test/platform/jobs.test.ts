import { setTimeout as wait } from 'node:timers/promises';
import type { Test } from 'tap';
import { retryFailedJob } from '../../src/features/administration/jobs.repository.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { SilentRetryError } from '../../src/platform/job-worker.ts';
import { createJobScheduler, installJobQueues, type JobQueueDefinition } from '../../src/platform/jobs.ts';
import { createTestGate } from '../gate.ts';
import { cloneDatabase, DATABASE_TIMEOUTS, startTestApp } from '../helper.ts';
import { runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const QUEUE: JobQueueDefinition = { name: 'trial', expireInSeconds: 30, retryLimit: 2, retryDelay: 1 };

async function setUp(t: Test, firstRepeatDelayMs?: number) {
  const url = await cloneDatabase(t);
  await installJobQueues(url.owner, [QUEUE]);
  const database = openDatabase({ url: url.owner, poolSize: 5, ...DATABASE_TIMEOUTS, onError: () => {} });
  const errors: object[] = [];
  const log = { error: (details: object, message: string) => errors.push({ ...details, message }) };
  const jobs = createJobScheduler(database, log, firstRepeatDelayMs);
  const more = () => createJobScheduler(database, log, firstRepeatDelayMs);
  t.teardown(async () => {
    await jobs.stop();
    await database.close();
    await url.drop();
  });
  const rows = async () => {
    const { rows: found } = await database.pool.query<{
      state: string;
      data: object;
      output: object;
      retry_count: number;
    }>("SELECT state, data, output, retry_count FROM pgboss.job WHERE name = 'trial' ORDER BY created_on");
    return found;
  };
  const until = async (done: () => Promise<boolean> | boolean) => {
    for (let tries = 0; tries < 500 && !(await done()); tries++) await wait(20);
  };
  return { database, jobs, more, errors, rows, until };
}

t.test('a job is stored if and only if the transaction commits', async (t) => {
  const { database, jobs, rows } = await setUp(t);
  await jobs.start();
  await t.rejects(
    database.transaction(async (tx) => {
      await jobs.enqueue(tx, QUEUE, { id: 'undone' });
      throw new Error('rolled back');
    }),
    /rolled back/,
  );
  t.same(await rows(), []);
  await database.transaction(async (tx) => {
    await jobs.enqueue(tx, QUEUE, { id: 'done' });
    t.same(await rows(), [], 'it is not visible before');
  });
  t.match(await rows(), [{ state: 'created', data: { id: 'done' } }]);
});

t.test('creates a recurring job soon after the start, once for several instances', async (t) => {
  const { jobs, more, rows, errors, until } = await setUp(t, 50);
  const instances = [jobs, more(), more()];
  t.teardown(() => Promise.all(instances.slice(1).map((one) => one.stop())));
  for (const one of instances) {
    one.repeat(QUEUE, 60 * 60);
    await one.start();
  }
  await until(async () => (await rows()).length > 0);
  await wait(300);
  t.match(await rows(), [{ data: {} }]);
  t.equal((await rows()).length, 1);
  t.same(errors, []);
  t.throws(
    () => jobs.repeat(QUEUE, 24 * 60 * 60),
    RangeError,
    'a finished job is not remembered for so long',
  );
});

t.test('recurring jobs that cannot be stored take one connection from requests', async (t) => {
  const { database, jobs, rows, until } = await setUp(t, 1);
  await jobs.start();
  const countWaiting = async () => {
    const { rows: found } = await database.pool.query(
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ 'INSERT INTO pgboss.job'",
    );
    return found.length;
  };
  await database.transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE pgboss.job IN SHARE MODE`;
    for (let n = 0; n < 20; n++) jobs.repeat({ ...QUEUE, name: n === 0 ? QUEUE.name : `absent-${n}` }, 60);
    await until(async () => (await countWaiting()) > 0);
    await wait(200);
    t.equal(await countWaiting(), 1);
  });
  await until(async () => (await rows()).length > 0);
  t.match(await rows(), [{ data: {} }], 'they are stored afterwards');
});

t.test('a woken worker runs each job once and in order', async (t) => {
  const { database, jobs, rows, until } = await setUp(t);
  const processedIds: unknown[] = [];
  let runningCount = 0;
  let maxRunning = 0;
  jobs.work(QUEUE, async ({ id }) => {
    maxRunning = Math.max(maxRunning, ++runningCount);
    await wait(5);
    processedIds.push(id);
    runningCount--;
  });
  await jobs.start();
  for (const id of ['a', 'b', 'c']) await database.transaction((tx) => jobs.enqueue(tx, QUEUE, { id }));
  jobs.wake(QUEUE);
  await until(() => processedIds.length === 3);
  await until(async () => (await rows()).every(({ state }) => state === 'completed'));
  t.same([...processedIds].sort(), ['a', 'b', 'c']);
  t.equal(maxRunning, 1);
});

t.test('retries a handler that throws and stores only the name of its error', async (t) => {
  const { database, jobs, errors, rows, until } = await setUp(t);
  let tries = 0;
  jobs.work(QUEUE, async () => {
    tries++;
    if (tries === 1) throw new TypeError('canary-secret in the message');
  });
  await jobs.start();
  await database.transaction((tx) => jobs.enqueue(tx, QUEUE, { id: 'x' }));
  jobs.wake(QUEUE);
  await until(() => errors.length > 0);
  await until(async () => (await rows())[0]?.state === 'retry');
  t.match(await rows(), [{ state: 'retry', output: { name: 'TypeError' } }]);
  t.notMatch(JSON.stringify([await rows(), errors]), 'canary');
  await database.pool.query("UPDATE pgboss.job SET start_after = now() WHERE name = 'trial'");
  jobs.wake(QUEUE);
  await until(async () => (await rows())[0]?.state === 'completed');
  t.match(await rows(), [{ state: 'completed', retry_count: 1 }]);
  t.equal(tries, 2);
});

t.test('gives up a job after its last attempt', async (t) => {
  const { database, jobs, errors, rows, until } = await setUp(t);
  let tries = 0;
  jobs.work(QUEUE, async () => {
    tries++;
    throw new SilentRetryError('again');
  });
  await jobs.start();
  await database.transaction((tx) => jobs.enqueue(tx, QUEUE, { id: 'x' }));
  await until(async () => {
    await database.pool.query(
      "UPDATE pgboss.job SET start_after = now() WHERE name = 'trial' AND state = 'retry'",
    );
    jobs.wake(QUEUE);
    return (await rows())[0]?.state === 'failed';
  });
  t.equal(tries, 3);
  t.equal((await rows())[0]?.state, 'failed');
  t.match(errors, [{ message: /has no tries left/ }], 'the last failure is always logged');
  t.equal(errors.length, 1);

  const { rows: ids } = await database.pool.query("SELECT id FROM pgboss.job WHERE name = 'trial'");
  await database.transaction((tx) => retryFailedJob(tx, ids[0].id));
  jobs.wake(QUEUE);
  await until(async () => tries === 4 && (await rows())[0]?.state === 'failed');
  t.equal(tries, 4, 'a requeued job is tried once more');
});

t.test('distinguishes pending jobs from finished ones', async (t) => {
  const { database, jobs } = await setUp(t);
  await jobs.start();
  const states = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'];
  for (const id of states) {
    await database.transaction((tx) => jobs.enqueue(tx, QUEUE, { id }));
    const text =
      "UPDATE pgboss.job SET state = $1::pgboss.job_state WHERE name = 'trial' AND data->>'id' = $2";
    await database.pool.query(text, [id, id]);
  }
  t.same([...(await jobs.findPending(QUEUE, 'id', [...states, 'absent']))].sort(), [
    'active',
    'created',
    'retry',
  ]);
  t.same([...(await jobs.findPending(QUEUE, 'id', ['retry', 'failed']))], ['retry']);
  t.same([...(await jobs.findPendingOrFailed(QUEUE, 'id', ['retry', 'failed', 'completed']))].sort(), [
    'failed',
    'retry',
  ]);
  t.equal((await jobs.findPending({ ...QUEUE, name: 'another' }, 'id', states)).size, 0);
  t.equal((await jobs.findPending(QUEUE, 'id', [])).size, 0);
});

t.test('stopping waits for the active job and takes no other', async (t) => {
  const { database, jobs, rows, until } = await setUp(t);
  let started = 0;
  let ended = 0;
  jobs.work(QUEUE, async () => {
    started++;
    await wait(200);
    ended++;
  });
  await jobs.start();
  for (const id of ['a', 'b']) await database.transaction((tx) => jobs.enqueue(tx, QUEUE, { id }));
  jobs.wake(QUEUE);
  await until(() => started === 1);
  await jobs.stop();
  t.same([started, ended], [1, 1]);
  t.same((await rows()).map(({ state }) => state).sort(), ['completed', 'created']);
});

t.test('requeues a job that outlasts the stop timeout, and another worker runs it immediately', async (t) => {
  const { database, jobs, more, rows, until } = await setUp(t);
  let finish = () => {};
  const slow = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let begun = false;
  jobs.work(QUEUE, () => {
    begun = true;
    return slow;
  });
  await jobs.start();
  await database.transaction((tx) => jobs.enqueue(tx, QUEUE, { id: 'x' }));
  jobs.wake(QUEUE);
  await until(() => begun);
  await jobs.stop(50);
  t.match(await rows(), [{ state: 'retry', retry_count: 0 }]);

  const other = more();
  t.teardown(() => other.stop());
  const [firstFinished, checked] = [createTestGate(), createTestGate()];
  other.work(QUEUE, async () => {
    finish();
    firstFinished.open();
    await checked.whenOpened;
  });
  await other.start();
  await firstFinished.whenOpened;
  // Long enough for a completion by the first worker.
  await wait(200);
  t.match(await rows(), [{ state: 'active' }], 'the first worker does not complete it');
  checked.open();
  await until(async () => (await rows())[0]?.state === 'completed');
  t.match(await rows(), [{ state: 'completed', retry_count: 0 }], 'it was not an attempt');
});

t.test('runs jobs with bounded concurrency and requeues all of them on stop', async (t) => {
  const { database, jobs, rows, until } = await setUp(t);
  let [now, maxRunning, done] = [0, 0, 0];
  let isStuck = false;
  const work = async () => {
    maxRunning = Math.max(maxRunning, ++now);
    await (isStuck ? wait(5_000, null, { ref: false }) : wait(30));
    now--;
    done++;
  };
  jobs.work(QUEUE, work, 3);
  const add = async (count: number) => {
    for (let n = 0; n < count; n++)
      await database.transaction((tx) => jobs.enqueue(tx, QUEUE, { id: `${n}` }));
    jobs.wake(QUEUE);
  };
  await add(20);
  await jobs.start();
  await until(() => done === 20);
  t.same([maxRunning, done], [3, 20]);
  isStuck = true;
  await add(5);
  await until(() => now === 3);
  await jobs.stop(50);
  const states = (await rows()).map(({ state }) => state).filter((state) => state !== 'completed');
  t.same(states.sort(), ['created', 'created', 'retry', 'retry', 'retry']);
});

t.test('updates retry and expiry settings of an existing queue', async (t) => {
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  const readQueueSettings = () =>
    runQuery(
      url.owner,
      "SELECT retry_limit, retry_delay, expire_seconds FROM pgboss.queue WHERE name = 'trial'",
    );
  for (const queue of [QUEUE, { ...QUEUE, expireInSeconds: 60, retryLimit: 0, retryDelay: 9 }]) {
    await installJobQueues(url.owner, [queue]);
    const [retry_limit, retry_delay] = [queue.retryLimit, queue.retryDelay];
    t.same(await readQueueSettings(), [{ retry_limit, retry_delay, expire_seconds: queue.expireInSeconds }]);
  }
});

t.test('jobs of the real application carry ids only', async (t) => {
  const { createUser, database } = await startTestApp(t);
  await createUser();
  const { rows } = await database.pool.query<{ name: string; data: object }>(
    'SELECT name, data FROM pgboss.job UNION ALL SELECT name, data FROM pgboss.archive',
  );
  t.ok(rows.some(({ name }) => name === 'mail'));
  for (const { data } of rows) {
    for (const value of Object.values(data ?? {})) t.match(value, /^[0-9a-f]{24}$/);
  }
});

t.test('parallel first starts create the queues once', async (t) => {
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  await runQuery(url.owner, 'DROP SCHEMA pgboss CASCADE');
  await Promise.all([1, 2, 3].map(() => installJobQueues(url.owner, [QUEUE])));
  t.same(await runQuery(url.owner, 'SELECT name FROM pgboss.queue'), [{ name: 'trial' }]);
});
