import { readMigrations } from '../../src/platform/migration-history.ts';
import { applyMigrations } from '../../src/platform/migrations.ts';
import { runQuery, SILENT_LOG } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { createMigrationScratch } from './migration-scratch.ts';

const MIGRATION = '20261129000000_accounts';

t.test('users of an earlier version get an account that owns their records', async (t) => {
  const serverUrl = process.env.TEST_OWNER_URL ?? '';
  const { url, folder, add } = await createMigrationScratch(t, serverUrl);
  t.teardown(() => runQuery(serverUrl, `DROP DATABASE ${new URL(url).pathname.slice(1)}`));
  const migrations = await readMigrations('prisma/migrations');
  for (const { name, sql } of migrations) if (name < MIGRATION) await add(name, sql);
  await applyMigrations({ url, folder, log: SILENT_LOG });
  const [ada, bob, code, job] = ['1', '2', '3', '4'].map((digit) => digit.padStart(24, '0'));
  await runQuery(
    url,
    `INSERT INTO users (id, email, created_at) VALUES ('${ada}', 'ada@example.org', '2026-01-02'), ('${bob}', 'bob@example.org', '2026-01-03');
     INSERT INTO qr_codes (id, owner_id, kind, mode, title, slug, visibility, design, data)
       VALUES ('${code}', '${ada}', 'PET', 'DYNAMIC', 'Rex', 'rex', '{}', '{}', '\\x00');
     INSERT INTO report_schedules (user_id, frequency, hour, next_send_at) VALUES ('${bob}', 'WEEKLY', 8, now());
     CREATE SCHEMA pgboss;
     CREATE TABLE pgboss.job (id text, data jsonb);
     INSERT INTO pgboss.job VALUES ('${job}', '{"ownerId": "${ada}", "importId": "5"}'), ('5', '{"scanId": "6"}'), ('6', NULL)`,
  );
  for (const { name, sql } of migrations) if (name >= MIGRATION) await add(name, sql);
  await applyMigrations({ url, folder, log: SILENT_LOG });

  const accounts = 'SELECT id, user_id, created_at::date::text AS since FROM accounts ORDER BY id';
  t.same(await runQuery(url, accounts), [
    { id: ada, user_id: ada, since: '2026-01-02' },
    { id: bob, user_id: bob, since: '2026-01-03' },
  ]);
  t.same(await runQuery(url, 'SELECT account_id FROM qr_codes'), [{ account_id: ada }]);
  t.same(await runQuery(url, 'SELECT account_id, active FROM qr_code_counts'), [
    { account_id: ada, active: 1 },
  ]);
  t.same(await runQuery(url, 'SELECT account_id FROM report_schedules'), [{ account_id: bob }]);
  t.same(await runQuery(url, 'SELECT data FROM pgboss.job ORDER BY id'), [
    { data: { accountId: ada, importId: '5' } },
    { data: { scanId: '6' } },
    { data: null },
  ]);

  await runQuery(url, `UPDATE users SET status = 'DELETED' WHERE id = '${bob}'`);
  await t.rejects(
    runQuery(
      url,
      `INSERT INTO qr_codes (id, account_id, kind, mode, title, slug, visibility, design, data)
       VALUES ('7', '${bob}', 'PET', 'DYNAMIC', 'Rex', 'rex', '{}', '{}', '\\x00')`,
    ),
    /erased/i,
    'an erased account gets no code',
  );
  await runQuery(
    url,
    `INSERT INTO deletions (account_id, type, id, deleted_at) VALUES ('${bob}', 'DOCUMENT', '${code}', now()), ('${ada}', 'DOCUMENT', '${code}', now())`,
  );
  t.same(await runQuery(url, 'SELECT account_id FROM deletions'), [{ account_id: ada }]);
  await t.rejects(
    runQuery(url, `INSERT INTO accounts (id, user_id) VALUES ('x', '${ada}')`),
    /accounts_personal_id|accounts_user_id_key/,
  );
  await runQuery(url, `DELETE FROM users WHERE id = '${bob}'`);
  t.same(
    await runQuery(
      url,
      `SELECT count(*)::int AS count FROM accounts UNION ALL SELECT count(*)::int FROM report_schedules`,
    ),
    [{ count: 1 }, { count: 0 }],
    'the account and what it owns go with the user',
  );
  const earlierNames = `
    SELECT relname AS name FROM pg_class WHERE relname ~ 'owner_id' UNION ALL
    SELECT conname FROM pg_constraint WHERE conname ~ 'owner_id' AND contype <> 'n' UNION ALL
    SELECT proname FROM pg_proc WHERE prosrc ~ 'owner_id'`;
  t.same(await runQuery(url, earlierNames), []);
});
