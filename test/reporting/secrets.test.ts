import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { ENCRYPTED_COLUMNS } from '../../src/platform/encrypted-columns.ts';
import { prepareReportingDatabaseRole } from '../../src/platform/reporting-role.ts';
import { BERLIN_COORDINATE_PATTERN, BERLIN_POSITION, startScans } from '../features/scans/helper.ts';
import { STATEMENT_TIMEOUTS_MISSING, t } from '../tap.ts';
import { createReportingClients, queryTextValues } from './helper.ts';

const REFUSED =
  /permission denied|must be (?:owner|superuser)|no schema has been selected to create in|cannot delete from view/;

t.test('the reporting role reads no table and writes nowhere', async (t) => {
  const app = await startScans(t);
  const { owner, reader } = await createReportingClients(t, app);
  // The privileges must protect the data, not a default that a session can change.
  await reader.query('SET default_transaction_read_only = off');
  const { rows } = await owner.query<{ name: string; columns: string[] }>(`
    SELECT c.oid::regclass::text AS name, array_agg(quote_ident(a.attname)) AS columns
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE n.nspname IN ('public', 'pgboss', 'partitions') AND c.relkind IN ('r', 'p', 'v', 'm', 'f') GROUP BY c.oid`);
  t.ok(rows.length > 40);
  for (const { name, columns } of rows) {
    const table = name.includes('.') ? name : `public.${name}`;
    await t.rejects(reader.query(`SELECT count(*) FROM ${table}`), { code: '42501' }, table);
    for (const column of columns) {
      await t.rejects(
        reader.query(`SELECT ${column} FROM ${table}`),
        { code: '42501' },
        `${table}.${column}`,
      );
    }
    for (const sql of [
      `COPY ${table} TO STDOUT`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table}`,
      `LOCK TABLE ${table}; SELECT 1`,
      `ALTER TABLE ${table} OWNER TO qr_reporting`,
      `CREATE RULE mine AS ON SELECT TO ${table} DO INSTEAD NOTHING`,
    ]) {
      await t.rejects(reader.query(sql), { code: '42501' }, sql);
    }
  }
  for (const { table, column } of ENCRYPTED_COLUMNS) {
    await t.rejects(
      reader.query(`SELECT ${column} FROM public.${table}`),
      { code: '42501' },
      `${table}.${column}`,
    );
  }
});

t.test(
  'the reporting role reads no password, session, file or server setting, and creates nothing',
  async (t) => {
    const app = await startScans(t);
    const { owner, reader } = await createReportingClients(t, app);
    await reader.query('SET default_transaction_read_only = off');
    const { rows } = await owner.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    for (const sql of [
      'SELECT * FROM pg_authid',
      'SELECT * FROM pg_shadow',
      'SELECT * FROM pg_statistic',
      'SELECT * FROM pg_largeobject',
      'SELECT * FROM pg_hba_file_rules',
      'SELECT * FROM pg_file_settings',
      'SELECT * FROM pg_user_mapping',
      'SELECT subconninfo FROM pg_subscription',
      "SELECT pg_read_file('/etc/passwd')",
      "SELECT pg_read_binary_file('postgresql.conf')",
      "SELECT pg_ls_dir('.')",
      "SELECT pg_stat_file('PG_VERSION')",
      'SELECT * FROM pg_ls_logdir()',
      'SELECT * FROM pg_ls_waldir()',
      "SELECT lo_import('/etc/passwd')",
      'SELECT pg_current_logfile()',
      'SELECT pg_reload_conf()',
      "SELECT set_config('log_statement', 'none', false)",
      'SHOW data_directory',
      'SHOW hba_file',
      "SELECT current_setting('config_file')",
      `SELECT pg_terminate_backend(${rows[0]?.pid})`,
      `SELECT pg_cancel_backend(${rows[0]?.pid})`,
      "SELECT pg_advisory_lock(hashtext('scan bucket QUARTER_HOUR'), 1)",
      'SELECT pg_try_advisory_lock(1)',
      'SELECT pg_advisory_xact_lock(1)',
      'SELECT lo_create(0)',
      "SELECT lo_from_bytea(0, 'mine')",
      "SELECT pg_logical_emit_message(false, 'mine', 'mine')",
      "COPY (SELECT 1) TO '/tmp/mine'",
      "COPY (SELECT 1) TO PROGRAM 'id'",
      "COPY reporting.contract FROM '/etc/passwd'",
      'CREATE TABLE mine (a int)',
      'CREATE TEMPORARY TABLE mine (a int)',
      'CREATE TABLE reporting.mine (a int)',
      'CREATE TABLE public.mine (a int)',
      'CREATE SCHEMA mine',
      'CREATE EXTENSION dblink SCHEMA public',
      'CREATE EXTENSION file_fdw SCHEMA public',
      "CREATE FUNCTION reporting.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      'CREATE VIEW reporting.mine AS SELECT 1',
      'CREATE OR REPLACE VIEW reporting.contract AS SELECT 1 AS version',
      'ALTER VIEW reporting.codes SET (security_invoker = true)',
      'DROP VIEW reporting.codes',
      'UPDATE reporting.users SET role = role',
      'DELETE FROM reporting.codes',
      "INSERT INTO reporting.users (role) VALUES ('ADMIN')",
      'SELECT public.show_limit()',
      "SELECT public.drop_scan_partitions('2020-01-01')",
      'SET ROLE qr_owner',
      'SET ROLE qr_app',
      'SET SESSION AUTHORIZATION qr_owner',
      'GRANT qr_owner TO qr_reporting',
      'GRANT SELECT ON public.users TO qr_reporting',
      'CREATE ROLE mine SUPERUSER',
      'ALTER ROLE qr_reporting SUPERUSER',
      "ALTER ROLE qr_app PASSWORD 'mine'",
      "ALTER SYSTEM SET log_statement = 'none'",
      "SET temp_file_limit = '-1'",
      'SET session_replication_role = replica',
      'CREATE PUBLICATION mine FOR ALL TABLES',
      "SELECT pg_create_logical_replication_slot('mine', 'pgoutput')",
      'VACUUM public.users',
      'DO $$ BEGIN PERFORM count(*) FROM public.users; END $$',
    ]) {
      await t.rejects(reader.query(sql), REFUSED, sql);
      await reader.query('ROLLBACK');
    }
    await t.rejects(reader.query("SELECT dblink('', 'SELECT 1')"), { code: '42883' });
    await owner.query('ANALYZE');
    await owner.query("SELECT 'a secret that is being said'");
    const messages =
      "SELECT query FROM pg_stat_activity WHERE query LIKE '%is being said%' AND pid <> pg_backend_pid()";
    t.same(await queryTextValues(reader, messages), []);
    t.same(
      await queryTextValues(
        reader,
        "SELECT * FROM pg_stats WHERE schemaname IN ('public', 'partitions', 'pgboss')",
      ),
      [],
    );
    t.same(
      await queryTextValues(reader, "SELECT rolpassword FROM pg_roles WHERE rolpassword <> '********'"),
      [],
    );
    t.same(
      await queryTextValues(
        reader,
        "SELECT name FROM pg_settings WHERE name ~ '_file$' AND setting LIKE '/%'",
      ),
      [],
    );
    t.same(
      await queryTextValues(
        reader,
        `SELECT has_schema_privilege('public', 'USAGE'), has_schema_privilege('public', 'CREATE'),
              has_schema_privilege('reporting', 'CREATE'), has_database_privilege(current_database(), 'CREATE'),
              has_database_privilege(current_database(), 'TEMPORARY')`,
      ),
      [['f', 'f', 'f', 'f', 'f']],
    );
  },
);

t.test('the reporting role is read-only and limited in time and connections', async (t) => {
  const app = await startScans(t);
  const { reader } = await createReportingClients(t, app);
  const settings = [
    'statement_timeout',
    'idle_in_transaction_session_timeout',
    'default_transaction_read_only',
    'TimeZone',
  ];
  const [values] = await queryTextValues(
    reader,
    `SELECT ${settings.map((name) => `current_setting('${name}')`).join(', ')}`,
  );
  t.same(values, ['1min', '1min', 'on', 'UTC']);
  t.same(
    await queryTextValues(
      reader,
      `SELECT rolconnlimit, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = current_user`,
    ),
    [['10', 'f', 'f', 'f', 'f', 'f']],
  );
  t.same(
    await queryTextValues(reader, 'SELECT roleid FROM pg_auth_members WHERE member = current_user::regrole'),
    [],
  );
  await t.test('and can lower its time limit', { skip: STATEMENT_TIMEOUTS_MISSING }, async (t) => {
    await reader.query("SET statement_timeout = '50ms'");
    await t.rejects(reader.query('SELECT pg_sleep(5)'), { code: '57014' });
  });
});

t.test('no view shows a name, address, title, content, position or user agent', async (t) => {
  const app = await startScans(t);
  const { owner, reader } = await createReportingClients(t, app);
  const user = await app.createUser({ email: 'xqxaddress@example.org' });
  const id = await app.code(
    { title: 'Xqxtitle', data: { name: 'Xqxcontent', species: 'Dog' }, pin: '83619' },
    user,
  );
  await app.call('POST', '/api/scans/geocoded?type=guest', {
    body: { qrCodeId: id, ...BERLIN_POSITION },
    headers: { 'user-agent': 'Mozilla/5.0 (Xqxagent) Firefox/140.0' },
    remoteAddress: '198.51.100.77',
  });
  await owner.query(
    "UPDATE users SET first_name = 'Xqxgiven', last_name = 'Xqxfamily', organization_name = 'Xqxfirm'",
  );
  const { rows: hidden } = await owner.query<{ value: string }>(`
    SELECT encode(visitor_hash, 'hex') AS value FROM scans UNION ALL SELECT encode(position, 'hex') FROM scans
    UNION ALL SELECT pin_hash FROM qr_codes WHERE pin_hash IS NOT NULL UNION ALL SELECT password_hash FROM users
    UNION ALL SELECT image_file FROM qr_codes UNION ALL SELECT id FROM sessions
    UNION ALL SELECT user_id || reference FROM audit_actors UNION ALL SELECT request_id FROM audit_entries`);
  const { rows: views } = await owner.query<{ name: string }>(
    "SELECT viewname AS name FROM pg_views WHERE schemaname = 'reporting'",
  );
  let all = '';
  for (const { name } of views)
    all += JSON.stringify(await queryTextValues(reader, `SELECT * FROM reporting.${name}`));
  t.ok(all.includes(id) && all.includes('Berlin') && all.includes(user.id));
  for (const secret of ['xqx', '198.51.100', ...hidden.map(({ value }) => value)]) {
    t.notOk(all.toLowerCase().includes(secret), secret);
  }
  t.notMatch(all, BERLIN_COORDINATE_PATTERN);
  const { rows: actors } = await owner.query<{ reference: string; user_id: string }>(
    'SELECT * FROM audit_actors',
  );
  for (const { name } of views) {
    for (const row of await queryTextValues(reader, `SELECT * FROM reporting.${name}`)) {
      for (const { reference, user_id } of actors) {
        t.notOk(row.includes(reference) && row.includes(user_id), `${name} joins a reference to a user`);
      }
    }
  }
});

t.test('a predicate never sees the rows that a view filters out', async (t) => {
  const app = await startScans(t);
  const { owner, reader } = await createReportingClients(t, app);
  await owner.query("UPDATE users SET status = 'DELETED'");
  t.same(
    await queryTextValues(reader, 'SELECT * FROM reporting.subscriptions WHERE account_id::int = 1'),
    [],
  );
});

t.test('logs a role that can be neither found nor created, and does not fail', async (t) => {
  const app = await startScans(t);
  const { owner } = await createReportingClients(t, app);
  const logEntries: object[] = [];
  const log = { info: (details: object) => logEntries.push(details), warn() {}, error() {} };
  // Simulate a missing role: the owner of these databases may not create roles.
  const original = owner.query.bind(owner);
  const blind = new Proxy(owner, {
    get: (target, name) =>
      name === 'query'
        ? (text: string, values?: unknown[]) =>
            text.includes('FROM pg_roles')
              ? Promise.resolve({ rowCount: 0, rows: [] })
              : original(text, values)
        : Reflect.get(target, name),
  });
  await prepareReportingDatabaseRole(blind as pg.Client, log);
  t.same(logEntries, [{ role: 'qr_reporting' }]);
  await prepareReportingDatabaseRole(owner, log);
  t.equal(logEntries.length, 1);
});

t.test('the query of the operations guide works as pasted', async (t) => {
  const app = await startScans(t);
  const { reader } = await createReportingClients(t, app);
  await app.scan({ qrCodeId: await app.code() });
  const guide = await readFile('docs/operations/running.md', 'utf8');
  const [, sql = ''] = /^psql "\$\(cat \.data\/reporting-url\)" -c "([^"]+)"$/m.exec(guide) ?? [];
  const rows = await queryTextValues(reader, sql);
  t.equal(rows.length, 1);
  t.match(rows[0], ['PET', /^\d{4}-\d\d-\d\d$/, '1', '1']);
});
