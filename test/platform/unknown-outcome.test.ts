// Own process: its connections to the database pass a proxy.
import type { Test } from 'tap';
import { type Database, openDatabase, runAfterCommit } from '../../src/platform/database.ts';
import { runPgTransaction } from '../../src/platform/driver-transaction.ts';
import { mapDatabaseError } from '../../src/platform/http/database-errors.ts';
import { executeSql } from '../../src/platform/sql.ts';
import { cloneDatabase } from '../helper.ts';
import { retryUntilSuccess, runQuery } from '../scratch-folder.ts';
import { startStallingProxy } from '../stalling-proxy.ts';
import { t } from '../tap.ts';

const INSERT =
  'INSERT INTO attempt_budgets (key, used, window_ends_at) VALUES (gen_random_uuid()::text, 1, now())';

async function openStallingDatabase(t: Test) {
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  const { hostname: host, port } = new URL(url.application);
  const proxy = await startStallingProxy(t, { host, port: Number(port) });
  const database = openDatabase({
    url: Object.assign(new URL(url.application), { port: String(proxy.port) }).href,
    poolSize: 2,
    answerTimeoutMs: 300,
    onError: () => {},
  });
  t.teardown(() => database.close());
  return { database, proxy, application: url.application };
}

/** Get the code that a client receives, where nothing comes back from the moment that `work` calls `stall`. */
async function findErrorCode(
  { database, proxy }: Awaited<ReturnType<typeof openStallingDatabase>>,
  work: (database: Database, stall: () => void) => Promise<unknown>,
): Promise<string | undefined> {
  // Connected before the network stalls.
  await database.pool.query('SELECT 1');
  const error = await work(database, proxy.stall).then(
    () => null,
    (error: unknown) => error,
  );
  await retryUntilSuccess(async () => {
    if (database.pool.totalCount > 0) throw new Error('still connected');
  });
  proxy.resume();
  return mapDatabaseError(error)?.code;
}

t.test(
  'the outcome is unknown where a commit got no answer, and only there',
  { timeout: 120_000 },
  async (t) => {
    const open = await openStallingDatabase(t);
    const unknown: Record<string, Parameters<typeof findErrorCode>[1]> = {
      'a statement of the driver': (database, stall) => {
        stall();
        return database.pool.query(INSERT);
      },
      'a statement of Prisma': (database, stall) => {
        stall();
        return executeSql(database.client)({ text: INSERT });
      },
      'a record of Prisma': (database, stall) => {
        stall();
        return database.client.attemptBudget.create({
          data: { key: 'a', used: 1, windowEndsAt: new Date() },
        });
      },
      'the commit of Prisma': (database, stall) =>
        database.transaction(async (tx) => {
          await executeSql(tx)({ text: INSERT });
          stall();
        }),
      'the commit of the driver': (database, stall) =>
        runPgTransaction(database, 'WRITE', async (connection) => {
          await connection.query(INSERT);
          stall();
        }),
    };
    for (const [title, work] of Object.entries(unknown)) {
      t.equal(await findErrorCode(open, work), 'OUTCOME_UNKNOWN', title);
      t.equal(open.database.getWriteFailureCode(), 'UNCONFIRMED', title);
      await open.database.pool.query(INSERT);
      t.equal(open.database.getWriteFailureCode(), null, `${title}: changes are stored again`);
    }
    const rolledBack: Record<string, Parameters<typeof findErrorCode>[1]> = {
      'a read': (database, stall) => {
        stall();
        return database.pool.query('SELECT used, window_ends_at FROM attempt_budgets FOR UPDATE');
      },
      'a change before the commit': (database, stall) =>
        database.transaction(async (tx) => {
          stall();
          await executeSql(tx)({ text: INSERT });
        }),
    };
    for (const [title, work] of Object.entries(rolledBack))
      t.equal(await findErrorCode(open, work), 'DATABASE_UNAVAILABLE', title);
    t.equal(open.database.getWriteFailureCode(), null);
  },
);

t.test('an audit entry marks its request once it is committed', async (t) => {
  const { database } = await openStallingDatabase(t);
  const steps: string[] = [];
  await database.transaction(async (tx) => {
    runAfterCommit(tx, () => steps.push('committed'));
    steps.push('written');
  });
  const failed = database.transaction(async (tx) => {
    runAfterCommit(tx, () => steps.push('never'));
    throw new Error('rolled back');
  });
  await t.rejects(failed);
  t.same(steps, ['written', 'committed']);
});

t.test('a statement that the server ended was rolled back', async (t) => {
  const { database, application } = await openStallingDatabase(t);
  const insert = `INSERT INTO attempt_budgets (key, used, window_ends_at) SELECT 'slow', 1, now() FROM pg_sleep(60)`;
  const ended = database.pool.query(`${insert} /* ended */`).then(
    () => null,
    (error: unknown) => error,
  );
  await retryUntilSuccess(async () => {
    const rows = await runQuery(
      application,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE query LIKE '%/* ended */' AND pid <> pg_backend_pid()`,
    );
    if (rows.length === 0) throw new Error('not under way');
  });
  t.match(mapDatabaseError(await ended), { code: 'DATABASE_UNAVAILABLE' });
  t.same(await runQuery(application, "SELECT FROM attempt_budgets WHERE key = 'slow'"), []);
});
