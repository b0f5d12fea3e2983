import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { listClusterProcesses } from '../../../packages/embedded-postgres/src/cluster-processes.ts';
import { startEmbeddedPostgres } from '../../../packages/embedded-postgres/src/start-embedded-postgres.ts';
import { createScratchFolder, runQuery, SILENT_LOG } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';

t.test('the first start creates the database, the second reuses it', async (t) => {
  const dataDir = await createScratchFolder(t);
  const first = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });

  await t.test('stores text in every script and times in UTC', async (t) => {
    const [row] = await runQuery(
      first.ownerUrl,
      `SELECT version(), lower('ÄÖ') AS lower, length('犬') AS length, current_setting('TimeZone') AS zone,
        current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
        current_setting('synchronous_commit') AS commit`,
    );
    t.match(row, { version: /^PostgreSQL 18\./, lower: 'äö', length: 1, zone: 'UTC', encoding: 'UTF8' });
    t.match(row, { fsync: 'on', commit: 'on' });
  });

  await t.test('the owner can create extensions, tables and databases', async (t) => {
    await runQuery(first.ownerUrl, 'CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin');
    await runQuery(
      first.ownerUrl,
      'CREATE TABLE notes (body text); GRANT SELECT ON notes TO qr_app, qr_reporting',
    );
    await runQuery(first.ownerUrl, 'CREATE DATABASE another');
    const [owner] = await runQuery(
      first.ownerUrl,
      'SELECT rolsuper FROM pg_roles WHERE rolname = current_user',
    );
    t.same(owner, { rolsuper: false });
  });

  await t.test('the application role cannot create, the reporting role cannot write', async (t) => {
    for (const url of [first.applicationUrl, first.reportingUrl]) {
      t.same(await runQuery(url, 'SELECT * FROM notes'), []);
      for (const sql of ['CREATE TABLE mine (a int)', 'CREATE SCHEMA mine', 'CREATE ROLE mine']) {
        await t.rejects(runQuery(url, sql), /permission denied|read-only transaction/, sql);
      }
    }
    const [reader] = await runQuery(
      first.reportingUrl,
      "SELECT current_setting('statement_timeout') AS t, current_setting('default_transaction_read_only') AS r",
    );
    t.same(reader, { t: '1min', r: 'on' });
  });

  await t.test('requires passwords and rejects the superuser', async (t) => {
    const other = (change: (url: URL) => void) => {
      const url = new URL(first.ownerUrl);
      change(url);
      return runQuery(url.href, 'SELECT 1');
    };
    await t.rejects(
      other((url) => {
        url.password = 'wrong';
      }),
      { code: '28P01' },
    );
    await t.rejects(
      other((url) => {
        url.password = '';
      }),
      /password/,
    );
    await t.rejects(
      other((url) => {
        url.username = 'postgres';
      }),
      { code: '28P01' },
    );
  });

  await t.test('URL files are private, and there is no socket', async (t) => {
    for (const [file, url] of [
      ['database-url', first.ownerUrl],
      ['database-url-app', first.applicationUrl],
      ['reporting-url', first.reportingUrl],
    ] as const) {
      t.equal((await readFile(join(dataDir, file), 'utf8')).trim(), url);
      t.equal((await stat(join(dataDir, file))).mode & 0o777, 0o600);
    }
    t.notOk((await readdir(join(dataDir, 'postgres'))).some((name) => name.startsWith('.s.')));
  });

  await t.test('the server log contains no data', async (t) => {
    await t.rejects(runQuery(first.ownerUrl, "SELECT 'canary'::int"));
    await t.rejects(
      runQuery(
        first.ownerUrl,
        "CREATE TABLE canary (a text UNIQUE); INSERT INTO canary VALUES ('canary'), ('canary')",
      ),
    );
    t.notMatch(await readFile(join(dataDir, 'postgres.log'), 'utf8'), 'canary');
  });

  const loosened = ['default_transaction_read_only = off', 'statement_timeout = 0'];
  for (const setting of loosened) {
    await runQuery(first.reportingUrl, `BEGIN READ WRITE; ALTER ROLE qr_reporting SET ${setting}; COMMIT`);
  }
  await first.stop();
  await first.stop();
  t.same(await listClusterProcesses(join(dataDir, 'postgres')), [], 'no process is left');
  t.same((await readdir(dataDir)).sort(), [
    'database-url',
    'database-url-app',
    'postgres',
    'postgres.log',
    'reporting-url',
  ]);

  const second = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
  t.equal(second.ownerUrl, first.ownerUrl, 'port and password are kept');
  t.same(await runQuery(second.applicationUrl, 'SELECT * FROM notes'), []);
  const limits =
    "SELECT current_setting('statement_timeout') AS t, current_setting('default_transaction_read_only') AS r";
  t.same(
    await runQuery(second.reportingUrl, limits),
    [{ t: '1min', r: 'on' }],
    'a reader loosens nothing for good',
  );
  await second.stop();
});

t.test('a start repairs missing or wrong files', async (t) => {
  const dataDir = await createScratchFolder(t);
  const cluster = join(dataDir, 'postgres');
  const first = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
  await runQuery(first.ownerUrl, 'CREATE TABLE kept AS SELECT 1 AS a');
  await first.stop();

  await t.test('restores a lost URL file', async (t) => {
    await rm(join(dataDir, 'database-url-app'));
    const database = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
    t.teardown(database.stop);
    t.same(await runQuery(database.ownerUrl, 'SELECT a FROM kept'), [{ a: 1 }]);
    await runQuery(database.applicationUrl, 'SELECT 1');
    await runQuery(database.reportingUrl, 'SELECT 1');
  });

  await t.test('restores passwords that do not match the cluster', async (t) => {
    const path = join(dataDir, 'reporting-url');
    const url = new URL((await readFile(path, 'utf8')).trim());
    url.password = 'elsewhere';
    await writeFile(path, url.href);
    const database = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
    t.teardown(database.stop);
    t.same(await runQuery(database.ownerUrl, 'SELECT a FROM kept'), [{ a: 1 }]);
    await runQuery(database.reportingUrl, 'SELECT 1');
  });

  await t.test('chooses another port if its own is in use', async (t) => {
    const { port } = new URL((await readFile(join(dataDir, 'database-url'), 'utf8')).trim());
    const stranger = createServer();
    await new Promise<void>((done) => stranger.listen(Number(port), '127.0.0.1', done));
    t.teardown(() => stranger.close());
    const database = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
    t.teardown(database.stop);
    t.not(new URL(database.ownerUrl).port, port);
    t.equal((await readFile(join(dataDir, 'database-url'), 'utf8')).trim(), database.ownerUrl);
    t.same(await runQuery(database.ownerUrl, 'SELECT a FROM kept'), [{ a: 1 }]);
  });

  await t.test('ignores a postmaster.pid with a reused process id', async (t) => {
    const lines = [process.pid, cluster, 1, 1, '', '127.0.0.1', ' 1 1', 'ready'];
    await writeFile(join(cluster, 'postmaster.pid'), `${lines.join('\n')}\n`);
    const database = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
    t.teardown(database.stop);
    t.same(await runQuery(database.ownerUrl, 'SELECT a FROM kept'), [{ a: 1 }]);
  });

  await t.test('a cluster of another version is not changed', async (t) => {
    await writeFile(join(cluster, 'PG_VERSION'), '17\n');
    await t.rejects(startEmbeddedPostgres({ dataDir, log: SILENT_LOG }), /PostgreSQL 17/);
    await writeFile(join(cluster, 'PG_VERSION'), '18\n');
  });
});

t.test('an aborted start leaves no process', async (t) => {
  const dataDir = await createScratchFolder(t);
  const abort = AbortSignal.abort();
  await t.rejects(startEmbeddedPostgres({ dataDir, log: SILENT_LOG, abort }));
  t.same(await listClusterProcesses(join(dataDir, 'postgres')), []);
});
