import { readMigrations } from '../../src/platform/migration-history.ts';
import { applyMigrations } from '../../src/platform/migrations.ts';
import { runQuery, SILENT_LOG } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { createMigrationScratch } from './migration-scratch.ts';

const MIGRATION = '20261130190000_account_state';

t.test('accounts of an earlier version get the state of their users, and these become owners', async (t) => {
  const serverUrl = process.env.TEST_OWNER_URL ?? '';
  const { url, folder, add } = await createMigrationScratch(t, serverUrl);
  t.teardown(() => runQuery(serverUrl, `DROP DATABASE ${new URL(url).pathname.slice(1)}`));
  const migrations = await readMigrations('prisma/migrations');
  for (const { name, sql } of migrations) if (name < MIGRATION) await add(name, sql);
  await applyMigrations({ url, folder, log: SILENT_LOG });
  const statuses = ['PENDING_VERIFICATION', 'VERIFIED', 'ACTIVE', 'SUSPENDED', 'DELETED'];
  const ids = statuses.map((_, index) => String(index + 1).padStart(24, '0'));
  const [pending, verified, active, suspended, deleted] = ids;
  await runQuery(
    url,
    `INSERT INTO users (id, email, status, first_name, last_name, account_type, created_at)
       SELECT id, id || '@example.org', status, 'Ada', 'Lovelace', 'INDIVIDUAL', '2026-01-02' FROM unnest('{${ids}}'::text[], '{${statuses}}'::text[]) AS user_of (id, status);
     UPDATE users SET language = 'de', time_zone = 'Europe/Berlin', enterprise_mode = true WHERE id = '${active}'`,
  );
  for (const { name, sql } of migrations) if (name >= MIGRATION) await add(name, sql);
  await applyMigrations({ url, folder, log: SILENT_LOG });

  const begun = { type: 'PERSONAL', name: null, language: 'en', zone: 'UTC', enterprise: false };
  const accounts = `SELECT id, type, name, status, language, time_zone AS zone, enterprise_mode AS enterprise
    FROM accounts ORDER BY id`;
  t.same(await runQuery(url, accounts), [
    { id: pending, ...begun, status: 'ACTIVE' },
    { id: verified, ...begun, status: 'ACTIVE' },
    { id: active, ...begun, status: 'ACTIVE', language: 'de', zone: 'Europe/Berlin', enterprise: true },
    { id: suspended, ...begun, status: 'SUSPENDED' },
    { id: deleted, ...begun, status: 'DELETED' },
  ]);
  const memberships = `SELECT account_id AS account, user_id AS member, role, created_at::date::text AS since
    FROM memberships ORDER BY account_id`;
  t.same(
    await runQuery(url, memberships),
    [pending, verified, active, suspended].map((id) => ({
      account: id,
      member: id,
      role: 'OWNER',
      since: '2026-01-02',
    })),
    'an erased user acts for nothing',
  );
  await runQuery(url, `DELETE FROM users WHERE id = '${pending}'`);
  const left = `SELECT FROM accounts WHERE id = '${pending}' UNION ALL SELECT FROM memberships WHERE user_id = '${pending}'`;
  t.same(await runQuery(url, left), [], 'the account and the membership go with the user');
});
