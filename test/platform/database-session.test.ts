// Own process: it records every connection that the process opens.
import pg from 'pg';
import type { Test } from 'tap';
import { openDatabase } from '../../src/platform/database.ts';
import { connectDatabaseClient } from '../../src/platform/database-client.ts';
import { runWithEncryptionKeyLock } from '../../src/platform/key-lock.ts';
import { prepareDatabase } from '../../src/platform/prepare-database.ts';
import { openPgNotificationListener } from '../../src/platform/realtime/notification-listener.ts';
import { prepareReportingDatabaseRole } from '../../src/platform/reporting-role.ts';
import { JOB_QUEUES } from '../../src/services.ts';
import { formatDatabaseAddress, parseDatabaseUrl } from '../../src/shared/database-url.ts';
import { cloneDatabase } from '../helper.ts';
import { runQuery, SILENT_LOG } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const SESSION_SQL = `SELECT name || '=' || setting AS setting FROM pg_settings
  WHERE name IN ('jit', 'TimeZone', 'statement_timeout', 'search_path', 'DateStyle') ORDER BY name`;

const HOSTILE_DEFAULTS = [
  "TimeZone = 'Asia/Kathmandu'",
  'jit = on',
  'statement_timeout = 0',
  "DateStyle = 'German'",
];

/** Clone a database whose defaults would break what the service stores. */
async function cloneHostileDatabase(t: Test) {
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  const name = new URL(url.owner).pathname.slice(1);
  for (const setting of HOSTILE_DEFAULTS) await runQuery(url.owner, `ALTER DATABASE ${name} SET ${setting}`);
  return url;
}

/** Record the settings of every session at its end, by its application name. */
function recordSessions(t: Test): Map<string, Set<string>> {
  const sessions = new Map<string, Set<string>>();
  const { end } = pg.Client.prototype;
  t.intercept(pg.Client.prototype, 'end', {
    value: async function recordSettings(this: pg.Client, ...args: unknown[]) {
      const name: unknown = Reflect.get(Reflect.get(this, 'connectionParameters'), 'application_name');
      const { rows } = await this.query<{ setting: string }>(SESSION_SQL);
      const settings = rows.map(({ setting }) => setting).join(' ');
      sessions.set(String(name), (sessions.get(String(name)) ?? new Set()).add(settings));
      return Reflect.apply(end, this, args);
    },
  });
  return sessions;
}

const APPLICATION_SESSION =
  'DateStyle=ISO, MDY TimeZone=UTC jit=off search_path=public statement_timeout=8000';

t.test('every connection of the service sets its session, whatever the database defaults to', async (t) => {
  const url = await cloneHostileDatabase(t);
  const sessions = recordSessions(t);
  const ownerUrl = url.owner;
  const migrationsFolder = 'prisma/migrations';
  await prepareDatabase({
    ownerUrl,
    applicationUrl: url.application,
    migrationsFolder,
    queues: JOB_QUEUES,
    log: SILENT_LOG,
  });
  const database = openDatabase({ url: url.application, poolSize: 3, onError: () => {} });
  await new Promise<void>((resolve) => {
    const listener = openPgNotificationListener({
      url: database.directUrl,
      onPayload: () => {},
      onConnected: () => void listener.close().then(resolve),
      log: SILENT_LOG,
    });
  });
  await runWithEncryptionKeyLock(database, async () => {
    const { rows } = await database.pool.query<{ setting: string }>(SESSION_SQL);
    t.equal(rows.map(({ setting }) => setting).join(' '), APPLICATION_SESSION, 'driver');
    const read = await database.client.$queryRawUnsafe<{ setting: string }[]>(SESSION_SQL);
    t.equal(read.map(({ setting }) => setting).join(' '), APPLICATION_SESSION, 'Prisma');
  });
  await database.close();
  // The pool does not wait for the end of its connections, which are checked above.
  sessions.delete('qr-profile-service');
  t.same(Object.fromEntries([...sessions].map(([name, settings]) => [name, [...settings]])), {
    'qr-profile-service migrations': [APPLICATION_SESSION.replace('=8000', '=0')],
    'qr-profile-service realtime': [APPLICATION_SESSION],
    'qr-profile-service keys': [APPLICATION_SESSION],
  });
});

t.test('sessions of the reporting role do not use JIT', async (t) => {
  const [row] = await runQuery(process.env.TEST_REPORTING_URL ?? '', 'SHOW jit');
  t.same(row, { jit: 'off' });
});

t.test('a start does not change the JIT setting that the reporting role has', async (t) => {
  const client = new pg.Client({ connectionString: process.env.TEST_OWNER_URL });
  await client.connect();
  t.teardown(() => client.end());
  const statements = t.capture(client, 'query', client.query);
  await prepareReportingDatabaseRole(client, SILENT_LOG);
  const texts = statements().map(({ args: [statement] }) => String(statement));
  t.ok(texts.length > 3);
  t.same(
    texts.filter((text) => /SET jit/.test(text)),
    [],
  );
});

t.test('options in the URL are added to those of the service, which win', async (t) => {
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  const options = encodeURIComponent('-c TimeZone=Asia/Kathmandu -c work_mem=7MB -c jit=on');
  const database = openDatabase({
    url: `${url.application}?options=${options}`,
    poolSize: 1,
    onError: () => {},
  });
  t.teardown(() => database.close());
  const { rows } = await database.pool.query(
    `SELECT current_setting('TimeZone') AS zone, current_setting('work_mem') AS memory, current_setting('jit') AS jit`,
  );
  t.same(rows, [{ zone: 'UTC', memory: '7MB', jit: 'off' }]);
});

t.test('a session that a pooler changed is refused with what is wrong', async (t) => {
  const url = await cloneHostileDatabase(t);
  const database = openDatabase({ url: url.application, isPooled: true, poolSize: 1, onError: () => {} });
  t.teardown(() => database.close());
  await t.rejects(database.pool.query('SELECT 1'), {
    name: 'DatabaseSessionError',
    message: /TimeZone = Asia\/Kathmandu instead of UTC, .*jit = on instead of off/,
  });
});

t.test('of several hosts the first one that accepts is used', async (t) => {
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  const { host } = new URL(url.application);
  const severalHosts = `${url.application.replace(host, `127.0.0.1:1,${host}`)}?target_session_attrs=read-write`;
  const client = await connectDatabaseClient(severalHosts, { role: 'application', applicationName: 'test' });
  t.match(await client.query('SELECT 1 AS one'), { rows: [{ one: 1 }] }, 'a connection of its own');
  await client.end();
  const database = openDatabase({ url: severalHosts, poolSize: 2, onError: () => {} });
  t.teardown(() => database.close());
  const attempts = await Promise.allSettled([1, 2].map(() => database.pool.query('SELECT 1')));
  t.match(attempts, [{ reason: { code: 'ECONNREFUSED' } }, { reason: { code: 'ECONNREFUSED' } }]);
  t.match(
    await database.pool.query('SELECT 1 AS one'),
    { rows: [{ one: 1 }] },
    'the pool, after two failures',
  );
});

t.test('a URL is read with its hosts and options, and shown without its password', async (t) => {
  const url = 'postgresql://app:p%40ss@one:1,[::1]:2/qr?sslmode=require&options=-c%20work_mem=1MB';
  t.same(parseDatabaseUrl(url), {
    hostUrls: [
      'postgresql://app:p%40ss@one:1/qr?sslmode=verify-full',
      'postgresql://app:p%40ss@[::1]:2/qr?sslmode=verify-full',
    ],
    options: '-c work_mem=1MB',
    user: 'app',
  });
  t.equal(formatDatabaseAddress(url), 'postgresql://app@one:1,[::1]:2/qr');
  for (const password of ['', ':', ':pass', ':pa:ss', '::'])
    t.equal(formatDatabaseAddress(`postgresql://app${password}@one/qr`), 'postgresql://app@one/qr');
  for (const wrong of ['one:port/qr', 'one/qr?sslmode=verify_full', 'one/qr?sslmode=allow'])
    t.throws(() => parseDatabaseUrl(`postgresql://app@${wrong}`), TypeError, wrong);
});
