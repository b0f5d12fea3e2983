import { readMigrations } from '../../src/platform/migration-history.ts';
import { applyMigrations } from '../../src/platform/migrations.ts';
import { runQuery, SILENT_LOG } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { createMigrationScratch } from './migration-scratch.ts';

const MIGRATION = '20261130231000_api_key_creators';

t.test('keys of an earlier version are those of their user, as an owner', async (t) => {
  const serverUrl = process.env.TEST_OWNER_URL ?? '';
  const { url, folder, add } = await createMigrationScratch(t, serverUrl);
  t.teardown(() => runQuery(serverUrl, `DROP DATABASE ${new URL(url).pathname.slice(1)}`));
  const migrations = await readMigrations('prisma/migrations');
  for (const { name, sql } of migrations) if (name < MIGRATION) await add(name, sql);
  await applyMigrations({ url, folder, log: SILENT_LOG });
  const [ada, key] = ['1', '2'].map((digit) => digit.padStart(24, '0'));
  await runQuery(
    url,
    `INSERT INTO users (id, email) VALUES ('${ada}', 'ada@example.org');
     INSERT INTO api_keys (id, account_id, name, token_prefix, token_hash, scopes)
       VALUES ('${key}', '${ada}', 'ERP', 'qrps_live_7mQx', decode(repeat('00', 32), 'hex'), '{qr-codes:read}')`,
  );
  for (const { name, sql } of migrations) if (name >= MIGRATION) await add(name, sql);
  await applyMigrations({ url, folder, log: SILENT_LOG });
  t.same(await runQuery(url, 'SELECT id, account_id, created_by, role FROM api_keys'), [
    { id: key, account_id: ada, created_by: ada, role: 'OWNER' },
  ]);
  await t.rejects(runQuery(url, `UPDATE api_keys SET role = 'ADMIN'`), /api_keys_role_known/);
  await runQuery(url, `DELETE FROM users WHERE id = '${ada}'`);
  t.same(await runQuery(url, 'SELECT FROM api_keys'), [], 'a key goes with its user');
});
