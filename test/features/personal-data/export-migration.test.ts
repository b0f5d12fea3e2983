import { readMigrations } from '../../../src/platform/migration-history.ts';
import { applyMigrations } from '../../../src/platform/migrations.ts';
import { createMigrationScratch } from '../../platform/migration-scratch.ts';
import { runQuery, SILENT_LOG } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';

const MIGRATION = '20261123180201_export_files';

t.test('archives in a folder of one host become FAILED, and waiting ones are still built', async (t) => {
  const { url, folder, add } = await createMigrationScratch(t, process.env.TEST_OWNER_URL ?? '');
  t.teardown(() =>
    runQuery(process.env.TEST_OWNER_URL ?? '', `DROP DATABASE ${new URL(url).pathname.slice(1)}`),
  );
  const migrations = await readMigrations('prisma/migrations');
  for (const { name, sql } of migrations) if (name < MIGRATION) await add(name, sql);
  await applyMigrations({ url, folder, log: SILENT_LOG });
  const id = (number: number) => String(number).padStart(24, '0');
  const archive = (number: number) => `'${id(number)}-0123456789abcdef.age'`;
  await runQuery(
    url,
    `INSERT INTO users (id, email) VALUES ('${id(1)}', 'ada@example.org'), ('${id(2)}', 'bob@example.org');
     INSERT INTO data_exports (id, user_id) VALUES ('${id(3)}', '${id(1)}');
     INSERT INTO data_exports (id, user_id, status, file, file_key, size, ready_at, expires_at)
       VALUES ('${id(4)}', '${id(1)}', 'READY', ${archive(4)}, '\\x00', 10, now(), now() + interval '1 day');
     INSERT INTO data_exports (id, user_id, status, recipient, file, size, ready_at, expires_at)
       VALUES ('${id(5)}', '${id(2)}', 'READY', 'age1', ${archive(5)}, 10, now(), now() + interval '1 day');
     INSERT INTO data_exports (id, user_id, status, expires_at) VALUES ('${id(6)}', '${id(2)}', 'FAILED', now());
     INSERT INTO erasures (id, user_id) VALUES ('${id(7)}', '${id(2)}');
     INSERT INTO erased_files (erasure_id, folder, name)
       VALUES ('${id(7)}', 'exports', 'a.age'), ('${id(7)}', 'qrcodes', 'a.png')`,
  );
  for (const { name, sql } of migrations) if (name >= MIGRATION) await add(name, sql);
  const { applied } = await applyMigrations({ url, folder, log: SILENT_LOG });
  t.ok(applied.includes(MIGRATION));
  t.same(
    await runQuery(url, 'SELECT right(id, 1) AS id, status, file_id, size FROM data_exports ORDER BY id'),
    [
      { id: '3', status: 'WAITING', file_id: null, size: null },
      { id: '4', status: 'FAILED', file_id: null, size: null },
      { id: '5', status: 'FAILED', file_id: null, size: null },
      { id: '6', status: 'FAILED', file_id: null, size: null },
    ],
  );
  t.same(await runQuery(url, 'SELECT folder, name FROM erased_files'), [
    { folder: 'qrcodes', name: 'a.png' },
  ]);
});
