import { openDatabase } from '../../../src/platform/database.ts';
import { parseKeySet } from '../../../src/shared/crypto/key-set.ts';
import { verifyKeysMatchDatabase } from '../../../src/start/check-keys.ts';
import { findFreePort } from '../../../src/start/find-free-port.ts';
import { cloneDatabase, TEST_SECRETS } from '../../helper.ts';
import { createScratchFolder, runQuery } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';
import { diagnose, diagnoseOne } from './doctor-helper.ts';

const url = await cloneDatabase(t);
t.teardown(() => url.drop());
const NAME = new URL(url.owner).pathname.slice(1);
const SETTINGS = { DATABASE_URL: url.application, DATABASE_OWNER_URL: url.owner };
const diagnosePrepared = (name: string, environment: Record<string, string> = {}) =>
  diagnoseOne(name, { ...SETTINGS, ...environment });

t.test('a prepared database has what the service needs', async (t) => {
  const results = await diagnose(
    SETTINGS,
    'database',
    'database extensions',
    'database clock',
    'migrations',
    'database role',
    'database owner',
    'database connections',
    'replication',
    'direct connection',
  );
  t.match(results, {
    database: {
      state: 'ok',
      found: /^PostgreSQL \d+.*, UTF8, session in UTC without JIT, statements end after 8 s$/,
    },
    'database extensions': { state: 'ok', found: 'pg_trgm, btree_gin' },
    'database clock': { state: 'ok' },
    migrations: { state: 'ok', found: /^(\d+) of \1 applied$/ },
    'database role': { state: 'ok', found: /cannot alter the audit trail$/ },
    'database owner': { state: 'ok' },
    'database connections': { state: 'ok', found: /1 × 13 for running processes$/ },
    replication: { state: 'not configured' },
    'direct connection': { state: 'not configured' },
  });
});

t.test('settings that can lose data are a problem', async (t) => {
  t.match(await diagnosePrepared('database settings'), {
    state: 'problem',
    found: /^fsync off, full_page_writes off, synchronous_commit \w+, wal_level \w+$/,
    advice: /Turn fsync and full_page_writes on/,
  });
});

t.test('a server that cannot be used is one problem, without its password', async (t) => {
  const port = await findFreePort();
  const refused = `postgresql://app:the-password@127.0.0.1:${port}/qr`;
  const wrong = Object.assign(new URL(url.application), { password: 'the-password' }).href;
  for (const [DATABASE_URL, code] of [
    [refused, 'ECONNREFUSED'],
    [wrong, '28P01'],
    [url.application.replace(NAME, 'none'), '3D000'],
  ] as const) {
    const results = await diagnose(
      { DATABASE_URL },
      'database',
      'migrations',
      'database role',
      'worker',
      'jobs',
    );
    t.match(results, {
      database: { state: 'problem', found: 'cannot be used', advice: new RegExp(`${code}.*DATABASE_URL`) },
    });
    t.same(Object.keys(results), ['database'], 'the others have no result');
    t.notMatch(JSON.stringify(results), /the-password/);
  }
});

t.test('a read-only database is a problem', async (t) => {
  const other = await cloneDatabase(t);
  t.teardown(() => other.drop());
  const name = new URL(other.owner).pathname.slice(1);
  await runQuery(other.owner, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  t.match(await diagnoseOne('database', { DATABASE_URL: other.application }), {
    state: 'problem',
    found: /, read-only$/,
  });
});

t.test('a database without tables only waits for the first start', async (t) => {
  const empty = await cloneDatabase(t, 'template1');
  t.teardown(() => empty.drop());
  const results = await diagnose(
    { DATABASE_URL: empty.application, ...TEST_SECRETS },
    ...['database', 'database extensions', 'migrations', 'secrets', 'worker', 'jobs', 'partitions'],
    ...['background work', 'database connections'],
  );
  t.match(results, {
    database: { state: 'ok' },
    'database extensions': { state: 'warning', found: /^available, not installed: / },
    migrations: { state: 'warning', found: /^0 of \d+ applied$/ },
  });
  t.same(Object.keys(results), ['database', 'database extensions', 'migrations']);
});

t.test('a database in another encoding is a problem', async (t) => {
  const name = `${NAME}_latin`;
  await runQuery(
    url.owner,
    `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
  );
  t.teardown(() => runQuery(url.owner, `DROP DATABASE ${name} WITH (FORCE)`));
  t.match(await diagnosePrepared('database', { DATABASE_URL: url.owner.replace(NAME, name) }), {
    state: 'problem',
    found: /LATIN1/,
    advice: /ENCODING 'UTF8'/,
  });
});

t.test('migrations that are missing, newer, changed or unfinished are named by what to do', async (t) => {
  const other = await cloneDatabase(t);
  t.teardown(() => other.drop());
  const check = () => diagnoseOne('migrations', { DATABASE_URL: other.application });
  const last = '(SELECT max(migration_name) FROM _prisma_migrations)';
  await runQuery(
    other.owner,
    `UPDATE _prisma_migrations SET checksum = 'another' WHERE migration_name = ${last}`,
  );
  t.match(await check(), { state: 'warning', found: /, 1 changed afterwards$/ });
  await runQuery(other.owner, `DELETE FROM _prisma_migrations WHERE migration_name = ${last}`);
  const missing = await check();
  t.match(missing, { state: 'warning', advice: /next start of the service, or `npm run migrate`, applies/ });
  t.notMatch(missing, { found: /^(\d+) of \1 applied$/ });
  await runQuery(
    other.owner,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('a', 'a', '29990101000000_later', now())`,
  );
  t.match(await check(), { state: 'problem', found: /and 1 of a newer version$/ });
  await runQuery(other.owner, `INSERT INTO compatible_migrations VALUES ('29990101000000_later')`);
  t.match(await check(), { state: 'warning', advice: /applies the others/ }, 'one is still missing');
  await runQuery(other.owner, `UPDATE _prisma_migrations SET finished_at = NULL WHERE id = 'a'`);
  t.match(await check(), { state: 'problem', found: /29990101000000_later is not finished$/ });
});

t.test('rights of the role that are missing or too many are named', async (t) => {
  const other = await cloneDatabase(t);
  t.teardown(() => other.drop());
  const check = (DATABASE_URL = other.application) => diagnoseOne('database role', { DATABASE_URL });
  const role = new URL(other.application).username;
  await runQuery(other.owner, `GRANT UPDATE ON audit_entries TO ${role}`);
  t.match(await check(), { state: 'warning', found: `${role} may alter audit_entries` });
  await runQuery(other.owner, `REVOKE INSERT ON users, scans FROM ${role}`);
  t.match(await check(), { state: 'problem', found: `${role} may not read or write scans, users` });
  t.match(await check(other.owner), { state: 'warning', advice: /DATABASE_OWNER_URL/ });
  await runQuery(other.owner, `GRANT INSERT ON users, scans TO ${role}`);
  await runQuery(other.owner, `REVOKE UPDATE ON audit_entries FROM ${role}`);
  await runQuery(other.owner, 'ALTER TABLE saved_views DISABLE ROW LEVEL SECURITY');
  t.match(await check(), {
    state: 'warning',
    found: 'PostgreSQL does not keep accounts apart in saved_views',
    advice: /role for every account/,
  });
  t.match(
    await diagnoseOne('database owner', {
      DATABASE_URL: other.application,
      DATABASE_OWNER_URL: other.application,
    }),
    { state: 'problem', found: `${role} may not create tables` },
  );
});

t.test('too few connections for the pools are a problem', async (t) => {
  t.match(await diagnosePrepared('database connections', { DATABASE_POOL_SIZE: '200' }), {
    state: 'problem',
    found: /1 × 201 for running processes$/,
    advice: /max_connections/,
  });
  await runQuery(
    url.owner,
    `INSERT INTO instances (id, key_ids, primary_key_id, enterprise_mode_enforced)
     SELECT 'aaaaaaaaaaaaaaaaaaaaaaa' || number, '{k1}', 'k1', false FROM generate_series(1, 9) AS number`,
  );
  t.match(await diagnosePrepared('database connections'), { state: 'problem', found: /9 × 13/ });
  t.match(await diagnosePrepared('database connections', { DATABASE_POOL_SIZE: '2' }), {
    state: 'ok',
    found: /9 × 3/,
  });
});

t.test('a host of the URL that does not answer is a warning', async (t) => {
  const { host } = new URL(url.application);
  const port = await findFreePort();
  const DATABASE_URL = url.application.replace(host, `${host},127.0.0.1:${port}`);
  t.match(await diagnosePrepared('replication', { DATABASE_URL }), {
    state: 'warning',
    found: 'host 2 of DATABASE_URL does not answer (ECONNREFUSED)',
  });
});

t.test('secrets are compared with those that the database was used with', async (t) => {
  const database = openDatabase({ url: url.application, poolSize: 1, onError() {} });
  t.teardown(() => database.close());
  await verifyKeysMatchDatabase(database, TEST_SECRETS, parseKeySet(TEST_SECRETS.ENCRYPTION_KEYS));
  const check = (changes: Record<string, string> = {}) =>
    diagnosePrepared('secrets', { ...TEST_SECRETS, ...changes });
  t.match(await check(), { state: 'ok' });
  const other = Buffer.from(TEST_SECRETS.JWT_SECRET, 'base64').reverse().toString('base64');
  const result = await check({ JWT_SECRET: other });
  t.match(result, { state: 'problem', advice: /^JWT_SECRET: differs from the one/ });
  t.notMatch(result?.advice, other);
  t.match(await check({ ENCRYPTION_KEYS: TEST_SECRETS.ENCRYPTION_KEYS.replace('k1', 'k2') }), {
    state: 'problem',
    advice: /^ENCRYPTION_KEYS: key k1 is used by the database and is missing$/,
  });
  const DATA_DIR = await createScratchFolder(t);
  t.equal(await diagnosePrepared('secrets', { DATA_DIR }), undefined, 'the first start creates them');
});
