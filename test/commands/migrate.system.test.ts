import pg from 'pg';
import { readMigrations } from '../../src/platform/migration-history.ts';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { cloneDatabase } from '../helper.ts';
import { createScratchFolder, runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { runCommand, runCommandInProcess, runScript } from './run-command.ts';

const migrations = (await readMigrations('prisma/migrations')).map(({ name }) => name);
const NEWER = '29990101000000_later';

async function prepare(test: typeof t, template?: string) {
  const database = await cloneDatabase(test, template);
  test.teardown(database.drop);
  const settings = {
    DATABASE_URL: database.application,
    DATABASE_OWNER_URL: database.owner,
    DATA_DIR: await createScratchFolder(test),
  };
  return { url: database.owner, settings };
}

t.test('an empty database is migrated once, and its status says so', async (t) => {
  const { url, settings } = await prepare(t, 'template1');
  const before = await runCommandInProcess('migrate', settings, '--status');
  t.match(before, { code: 1, errors: '' });
  t.equal(before.out, migrations.map((name) => `pending  ${name}\n`).join(''));
  const plan = await runCommandInProcess('migrate', settings, '--dry-run');
  t.match(plan, { code: 0, errors: '' });
  for (const name of migrations) t.match(plan.out, `== ${name}\n`);
  t.same(await runQuery(url, "SELECT to_regclass('_prisma_migrations') AS history"), [{ history: null }]);

  t.match(await runCommand('migrate', settings), {
    code: 0,
    errors: '',
    out: `Applied:\n${migrations.join('\n')}\n`,
  });
  t.match(await runCommandInProcess('migrate', settings), { code: 0, out: 'No migration is pending.\n' });
  t.match(await runCommandInProcess('migrate', settings, '--dry-run'), { out: 'No migration is pending.\n' });
  t.match(await runCommandInProcess('migrate', settings, '--status'), {
    code: 0,
    out: migrations.map((name) => `applied  ${name}\n`).join(''),
  });
  t.match(await runQuery(settings.DATABASE_URL, 'SELECT count(*)::int AS users FROM users'), [{ users: 0 }]);
});

t.test('the dry run prints locks without waiting for any', async (t) => {
  const { url, settings } = await prepare(t);
  await runQuery(
    url,
    "DELETE FROM _prisma_migrations WHERE migration_name = '20261124060000_report_schedules'",
  );
  await runQuery(
    url,
    `INSERT INTO users (id, email) SELECT lpad(to_hex(n), 24, '0'), n || '@example.org' FROM generate_series(1, 1234) AS n`,
  );
  await runQuery(url, 'ANALYZE users');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE users, qr_codes, report_schedules IN ACCESS EXCLUSIVE MODE');
  const { code, out } = await runCommandInProcess('migrate', settings, '--dry-run');
  await client.end();
  t.equal(code, 0);
  t.match(out, /^== 20261124060000_report_schedules\nCompatible with earlier versions: no\n\nCREATE TABLE /);
  t.match(out, /\n {2}users {5}SHARE ROW EXCLUSIVE: writes wait \(line 1\), about 1,234 rows, \d\.\d MB\n/);
});

t.test('a database of a newer version is refused, unless its migrations are compatible', async (t) => {
  const { url, settings } = await prepare(t);
  await runQuery(
    url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('a', 'a', '${NEWER}', now())`,
  );
  const refusal = { code: 78, out: '', errors: /newer version .*29990101000000_later.* restore the backup/ };
  t.match(await runCommandInProcess('migrate', settings), refusal);
  t.match(await runCommandInProcess('migrate', settings, '--dry-run'), refusal);
  const PORT = String(await findFreePort());
  const start = await runScript('src/server.ts', { ...settings, PORT });
  t.match(start, { code: 78, errors: refusal.errors }, 'so does the service');
  t.match(await runCommandInProcess('migrate', settings, '--status'), {
    code: 1,
    out: new RegExp(`^newer {4}${NEWER}$`, 'm'),
  });

  await runQuery(url, `INSERT INTO compatible_migrations VALUES ('${NEWER}')`);
  t.match(await runCommandInProcess('migrate', settings), { code: 0, out: 'No migration is pending.\n' });
  t.match(await runCommandInProcess('migrate', settings, '--status'), {
    code: 1,
    out: new RegExp(`^newer, compatible  ${NEWER}$`, 'm'),
  });
});

t.test('changed and unfinished migrations are listed', async (t) => {
  const { url, settings } = await prepare(t);
  const [first = '', second = ''] = migrations;
  await runQuery(url, `UPDATE _prisma_migrations SET checksum = 'a' WHERE migration_name = '${first}'`);
  await runQuery(url, `UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '${second}'`);
  const { code, out } = await runCommandInProcess('migrate', settings, '--status');
  t.equal(code, 1);
  t.match(out, `changed     ${first}\n`);
  t.match(out, `unfinished  ${second}\n`);
  t.match(await runCommandInProcess('migrate', settings), {
    code: 70,
    errors: /was started by another tool/,
  });
});

t.test('a database that does not answer is a temporary problem', async (t) => {
  const DATABASE_URL = `postgresql://127.0.0.1:${await findFreePort()}/none`;
  for (const words of [[], ['--dry-run'], ['--status']])
    t.match(await runCommandInProcess('migrate', { DATABASE_URL }, ...words), {
      code: 75,
      out: '',
      errors: /^migrate: The database is unavailable/,
    });
});
