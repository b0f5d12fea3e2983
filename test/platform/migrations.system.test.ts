import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@qr-profile-service/embedded-postgres';
import pg from 'pg';
import { applyMigrations } from '../../src/platform/migrations.ts';
import { EXIT_CODES } from '../../src/shared/process-exit-codes.ts';
import { getErrorExitCode } from '../../src/start/get-exit-code.ts';
import {
  createScratchFolder,
  retryUntilSuccess,
  runQuery,
  SILENT_LOG,
  startScript,
  waitForExit,
} from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { getSiblingScriptPath } from '../transpiled-scripts.ts';
import {
  COMPATIBLE_COMMENT,
  createMigrationScratch,
  FIRST_MIGRATION,
  SECOND_MIGRATION,
} from './migration-scratch.ts';

const dataDir = await createScratchFolder(t);
const server = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
t.teardown(server.stop);
t.jobs = 4;

t.test('applies migrations once and in order, with rows as Prisma writes them', async (t) => {
  const { url, folder, add } = await createMigrationScratch(t, server.ownerUrl);
  await add('20260101000000_first', FIRST_MIGRATION);
  await add('20260102000000_second', SECOND_MIGRATION);
  t.same(await applyMigrations({ url, folder, log: SILENT_LOG }), {
    applied: ['20260101000000_first', '20260102000000_second'],
  });
  t.same(await applyMigrations({ url, folder, log: SILENT_LOG }), { applied: [] });
  await add('20260103000000_third', 'CREATE TABLE c (x int);');
  t.same(await applyMigrations({ url, folder, log: SILENT_LOG }), { applied: ['20260103000000_third'] });

  const rows = await runQuery(url, 'SELECT * FROM _prisma_migrations ORDER BY migration_name');
  t.equal(rows.length, 3);
  t.same(Object.keys(rows[0] ?? {}).sort(), [
    'applied_steps_count',
    'checksum',
    'finished_at',
    'id',
    'logs',
    'migration_name',
    'rolled_back_at',
    'started_at',
  ]);
  t.match(rows[0], {
    id: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/,
    checksum: createHash('sha256').update(FIRST_MIGRATION).digest('hex'),
    migration_name: '20260101000000_first',
    finished_at: Date,
    started_at: Date,
    applied_steps_count: 1,
    logs: null,
    rolled_back_at: null,
  });
  t.same(await runQuery(url, 'SELECT one(), x FROM a'), [{ one: 1, x: 'one; two' }]);
});

t.test('runs migrations in UTC whatever the time zone of the database', async (t) => {
  const { url, folder, add } = await createMigrationScratch(t, server.ownerUrl);
  await runQuery(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET timezone = 'America/New_York'`);
  await add('1_first', FIRST_MIGRATION);
  await add('2_second', SECOND_MIGRATION);
  await applyMigrations({ url, folder, log: SILENT_LOG });
  t.same(await runQuery(url, 'SELECT y FROM a'), [{ y: 'UTC' }]);
});

t.test('parallel instances apply each migration once', async (t) => {
  const { url, folder, add } = await createMigrationScratch(t, server.ownerUrl);
  await add('1_first', FIRST_MIGRATION);
  await add('2_second', `${SECOND_MIGRATION}SELECT pg_sleep(0.3);`);
  const starts = Array.from({ length: 4 }, () => applyMigrations({ url, folder, log: SILENT_LOG }));
  const applied = (await Promise.all(starts)).flatMap((outcome) => outcome.applied);
  t.same(applied.sort(), ['1_first', '2_second']);
  t.same(await runQuery(url, 'SELECT count(*)::int AS n FROM _prisma_migrations'), [{ n: 2 }]);
});

t.test('a migration gives way to readers until it gets its lock', async (t) => {
  const { url, folder, add } = await createMigrationScratch(t, server.ownerUrl);
  await add('1_first', FIRST_MIGRATION);
  await applyMigrations({ url, folder, log: SILENT_LOG });
  await add('2_second', SECOND_MIGRATION);
  const report = new pg.Client({ connectionString: url });
  await report.connect();
  t.teardown(() => report.end());
  await report.query('BEGIN; SELECT FROM a');
  const events: string[] = [];
  const applying = applyMigrations({ url, folder, log: SILENT_LOG }).then((result) => {
    events.push('migrated');
    return result;
  });
  const isWaiting = async () => {
    const [row] = await runQuery(url, `SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted`);
    return row?.waiting === 1;
  };
  while (!(await isWaiting())) await sleep(20);
  await runQuery(url, 'SELECT FROM a');
  events.push('read behind it');
  await report.query('COMMIT');
  t.same(await applying, { applied: ['2_second'] });
  t.same(events, ['read behind it', 'migrated']);
});

t.test('names the line of a failed migration, rolls it back, and applies it once corrected', async (t) => {
  const { url, folder, add } = await createMigrationScratch(t, server.ownerUrl);
  await add('1_first', FIRST_MIGRATION);
  await add('2_wrong', 'CREATE TABLE b (x int);\n\nINSERT INTO nowhere VALUES (1);\n');
  await t.rejects(applyMigrations({ url, folder, log: SILENT_LOG }), {
    migration: '2_wrong',
    message: /2_wrong failed, line 3: relation "nowhere" does not exist/,
  });
  t.same(await runQuery(url, 'SELECT migration_name AS n FROM _prisma_migrations'), [{ n: '1_first' }]);
  t.same(await runQuery(url, "SELECT to_regclass('b') AS b"), [{ b: null }]);
  await add('2_wrong', 'CREATE TABLE b (x int);\n');
  t.same(await applyMigrations({ url, folder, log: SILENT_LOG }), { applied: ['2_wrong'] });
});

t.test('a migration that the database interrupts is temporary', async (t) => {
  const { url, folder, add } = await createMigrationScratch(t, server.ownerUrl);
  await add('20260101000000_first', `${FIRST_MIGRATION}SELECT pg_sleep(60);`);
  const failed = applyMigrations({ url, folder, log: SILENT_LOG }).then(
    () => null,
    (error: Error) => error,
  );
  await retryUntilSuccess(async () => {
    const rows = await runQuery(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event = 'PgSleep'`,
    );
    if (rows.length === 0) throw new Error('not under way');
  });
  const error = await failed;
  t.match(error, { name: 'MigrationError' });
  t.equal(getErrorExitCode(error), EXIT_CODES.TEMPORARY);
  await add('20260101000000_first', FIRST_MIGRATION);
  t.same(await applyMigrations({ url, folder, log: SILENT_LOG }), { applied: ['20260101000000_first'] });
});

t.test('the next start repairs one that was killed during a migration', async (t) => {
  const { url, folder, add } = await createMigrationScratch(t, server.ownerUrl);
  await add('1_first', `${FIRST_MIGRATION}SELECT pg_sleep(1);`);
  const start = startScript(t, getSiblingScriptPath(import.meta.url, 'migrate-process'), url, folder);
  await retryUntilSuccess(async () => {
    const busy = await runQuery(
      url,
      "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%CREATE TABLE a%' AND pid <> pg_backend_pid()",
    );
    if (busy.length === 0) throw new Error('not yet');
  });
  start.kill('SIGKILL');
  await waitForExit(start);
  t.same(await applyMigrations({ url, folder, log: SILENT_LOG }), { applied: ['1_first'] });
});

t.test('rejects a database that is not UTF8 without changing it', async (t) => {
  const { url, folder, add } = await createMigrationScratch(
    t,
    server.ownerUrl,
    "ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0",
  );
  await add('1_first', FIRST_MIGRATION);
  await t.rejects(applyMigrations({ url, folder, log: SILENT_LOG }), /encoding is SQL_ASCII/);
  t.same(await runQuery(url, "SELECT to_regclass('a') AS a"), [{ a: null }]);
});

t.test('warns about edited migrations, ignoring line ends', async (t) => {
  const { url, folder, add } = await createMigrationScratch(t, server.ownerUrl);
  const warnings: object[] = [];
  const log = { ...SILENT_LOG, warn: (details: object) => warnings.push(details) };
  await add('1_first', FIRST_MIGRATION);
  await add('2_second', SECOND_MIGRATION);
  await applyMigrations({ url, folder, log });
  await add('1_first', FIRST_MIGRATION.replaceAll('\n', '\r\n'));
  await applyMigrations({ url, folder, log });
  t.same(warnings, []);
  await add('1_first', `${FIRST_MIGRATION}-- changed`);
  await applyMigrations({ url, folder, log });
  t.same(warnings, [{ migrations: ['1_first'] }]);
});

t.test('an earlier version starts only while each newer migration is compatible with it', async (t) => {
  const { url, folder, add, remove } = await createMigrationScratch(t, server.ownerUrl);
  const warnings: object[] = [];
  const log = { ...SILENT_LOG, warn: (details: object) => warnings.push(details) };
  await add('1_first', FIRST_MIGRATION);
  await add('2_table', 'CREATE TABLE compatible_migrations (migration_name text PRIMARY KEY);');
  await applyMigrations({ url, folder, log });
  await add('3_expand', `${COMPATIBLE_COMMENT}\n${SECOND_MIGRATION}`);
  await applyMigrations({ url, folder, log });
  await remove('3_expand');
  t.same(await applyMigrations({ url, folder, log }), { applied: [] });
  t.same(warnings, [{ migrations: ['3_expand'] }]);
  await add('2_own', 'CREATE TABLE own (x int);');
  t.same(await applyMigrations({ url, folder, log }), { applied: ['2_own'] }, 'it still applies its own');

  await add('4_contract', 'ALTER TABLE a DROP COLUMN y;');
  await add('3_expand', `${COMPATIBLE_COMMENT}\n${SECOND_MIGRATION}`);
  await applyMigrations({ url, folder, log });
  await remove('3_expand');
  await remove('4_contract');
  await add('5_own', 'CREATE TABLE other (x int);');
  await t.rejects(applyMigrations({ url, folder, log }), {
    name: 'NewerDatabaseError',
    message: /cannot be used by this one \(4_contract\)\. Install the newer version, or restore the backup/,
  });
  t.same(
    await runQuery(url, "SELECT to_regclass('other') AS other"),
    [{ other: null }],
    'nothing is applied',
  );
});

t.test('the next start records what another tool applied as compatible', async (t) => {
  const { url, folder, add, remove } = await createMigrationScratch(t, server.ownerUrl);
  await add('1_table', 'CREATE TABLE compatible_migrations (migration_name text PRIMARY KEY);');
  await add('2_expand', `${COMPATIBLE_COMMENT}\nCREATE TABLE b (x int);`);
  await applyMigrations({ url, folder, log: SILENT_LOG });
  await runQuery(url, 'DELETE FROM compatible_migrations');
  await applyMigrations({ url, folder, log: SILENT_LOG });
  await remove('2_expand');
  t.same(await applyMigrations({ url, folder, log: SILENT_LOG }), { applied: [] });
});
