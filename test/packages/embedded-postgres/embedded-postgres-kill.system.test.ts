import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  listClusterProcesses,
  readPostmasterFile,
} from '../../../packages/embedded-postgres/src/cluster-processes.ts';
import { startEmbeddedPostgres } from '../../../packages/embedded-postgres/src/start-embedded-postgres.ts';
import {
  createPreparedDataFolder,
  createScratchFolder,
  retryUntilSuccess,
  runQuery,
  SILENT_LOG,
  startScript,
  waitForExit,
  waitForFirstLine,
} from '../../scratch-folder.ts';
import { t } from '../../tap.ts';
import { getSiblingScriptPath } from '../../transpiled-scripts.ts';

const SCRIPT = getSiblingScriptPath(import.meta.url, '../../start/database-process');

/** Of all tests but that of the first start: each creates a table of its own. */
const dataDir = await createPreparedDataFolder(t);
const cluster = join(dataDir, 'postgres');

t.test('a killed server restarts on the same port with all committed data', async (t) => {
  const database = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
  await runQuery(database.ownerUrl, 'CREATE TABLE rounds (n int)');
  const pool = new pg.Pool({ connectionString: database.ownerUrl });
  pool.on('error', () => {});
  for (const round of [1, 2, 3]) {
    // Busy backends do not notice at once that their postmaster died.
    const busy = [1, 2, 3].map(() => pool.query('SELECT pg_sleep(60)').catch(() => {}));
    await retryUntilSuccess(() => pool.query('INSERT INTO rounds VALUES ($1)', [round]));
    const before = await readPostmasterFile(cluster);
    process.kill(before?.pid ?? Number.NaN, 'SIGKILL');
    await retryUntilSuccess(() => runQuery(database.ownerUrl, 'SELECT 1'));
    await Promise.all(busy);
    t.not((await readPostmasterFile(cluster))?.pid, before?.pid, `round ${round}: another process`);
  }
  await pool.end();
  t.same(await runQuery(database.ownerUrl, 'SELECT count(*)::int AS n FROM rounds'), [{ n: 3 }]);
  await database.stop();
  t.same(await listClusterProcesses(cluster), []);
});

t.test('stopping right after a kill leaves no process', async (t) => {
  for (const delay of [0, 20, 60]) {
    const database = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
    process.kill((await readPostmasterFile(cluster))?.pid ?? Number.NaN, 'SIGKILL');
    await sleep(delay);
    await database.stop();
    t.same(await listClusterProcesses(cluster), []);
    await sleep(100);
    t.same(await listClusterProcesses(cluster), [], 'and none comes back');
  }
});

t.test('adopts, restarts and stops the server of a killed service', async (t) => {
  const service = startScript(t, SCRIPT, dataDir);
  const url = await waitForFirstLine(service);
  await runQuery(url, 'CREATE TABLE kept AS SELECT 1 AS a');
  const orphan = await readPostmasterFile(cluster);
  service.kill('SIGKILL');
  await waitForExit(service);

  const database = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
  t.equal((await readPostmasterFile(cluster))?.pid, orphan?.pid, 'the same process serves on');
  t.equal(database.ownerUrl, url);
  t.same(await runQuery(database.ownerUrl, 'SELECT a FROM kept'), [{ a: 1 }]);

  process.kill(orphan?.pid ?? Number.NaN, 'SIGKILL');
  t.same(await retryUntilSuccess(() => runQuery(database.ownerUrl, 'SELECT a FROM kept')), [{ a: 1 }]);
  t.not((await readPostmasterFile(cluster))?.pid, orphan?.pid);
  await database.stop();
  t.same(await listClusterProcesses(cluster), []);
});

t.test('a first start killed at any moment is repaired by the next', async (t) => {
  const dataDir = await createScratchFolder(t);
  for (let moment = 0; moment < 6; moment += 1) {
    const service = startScript(t, SCRIPT, dataDir);
    await retryUntilSuccess(async () => {
      if (!(await readdir(dataDir)).some((name) => name.startsWith('service-'))) throw new Error('not yet');
    });
    await sleep(moment * 160);
    service.kill('SIGKILL');
    await waitForExit(service);
  }
  const database = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
  await runQuery(database.ownerUrl, 'SELECT 1');
  await runQuery(database.applicationUrl, 'SELECT 1');
  await runQuery(database.reportingUrl, 'SELECT 1');
  await database.stop();
  t.same(await listClusterProcesses(join(dataDir, 'postgres')), []);
  t.notOk(
    (await readdir(dataDir)).some((name) => name.startsWith('postgres.new')),
    'no unfinished cluster is left',
  );
});

t.test('ten kills of service and server under load lose no committed row', async (t) => {
  const acknowledged: number[] = [];
  let next = 0;
  for (let round = 0; round < 5; round += 1) {
    const service = startScript(t, SCRIPT, dataDir);
    const url = await waitForFirstLine(service);
    await runQuery(url, 'CREATE TABLE IF NOT EXISTS rows (n int PRIMARY KEY)');
    const load = { on: true };
    const writers = [1, 2, 3, 4].map(async () => {
      while (load.on) {
        next += 1;
        const n = next;
        await runQuery(url, `INSERT INTO rows VALUES (${n})`).then(
          () => acknowledged.push(n),
          () => sleep(10),
        );
      }
    });
    const waitForMoreRows = async () => {
      const enough = acknowledged.length + 8;
      await retryUntilSuccess(async () => {
        if (acknowledged.length < enough) throw new Error(`${acknowledged.length} of ${enough} rows`);
      });
    };
    await waitForMoreRows();
    process.kill((await readPostmasterFile(cluster))?.pid ?? Number.NaN, 'SIGKILL');
    await waitForMoreRows();
    service.kill('SIGKILL');
    load.on = false;
    await Promise.all([...writers, waitForExit(service)]);
  }
  const database = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
  const stored = new Set((await runQuery(database.ownerUrl, 'SELECT n FROM rows')).map((row) => row.n));
  await database.stop();
  t.same(
    acknowledged.filter((n) => !stored.has(n)),
    [],
  );
});
