import { readdir } from 'node:fs/promises';
import { startEmbeddedPostgres } from '@qr-profile-service/embedded-postgres';
import { applyMigrations } from '../../src/platform/migrations.ts';
import { createScratchFolder, runQuery, SILENT_LOG } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { createMigrationScratch, FIRST_MIGRATION, SECOND_MIGRATION } from './migration-scratch.ts';

const dataDir = await createScratchFolder(t);
const server = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
t.teardown(server.stop);

for (const engine of ['wasm', 'native'] as const) {
  const missing = engine === 'native' && !(await hasNativeEngine());
  const skip = missing && 'NOT RUN: npm did not download the native schema engine (@prisma/engines)';
  t.test(
    `prisma migrate deploy and our migrations are interchangeable (${engine} engine)`,
    { skip },
    async (t) => {
      const { url, folder, add, prisma } = await createMigrationScratch(t, server.ownerUrl);

      await add('1_first', FIRST_MIGRATION);
      await applyMigrations({ url, folder, log: SILENT_LOG });
      t.match(await prisma(engine, 'deploy'), 'No pending migrations to apply');
      t.match(await prisma(engine, 'status'), 'Database schema is up to date');

      await add('2_second', SECOND_MIGRATION);
      t.match(await prisma(engine, 'deploy'), '2_second');
      t.same(await applyMigrations({ url, folder, log: SILENT_LOG }), { applied: [] });
      t.same(await runQuery(url, 'SELECT y FROM a'), [{ y: 'UTC' }]);

      await add('3_third', 'CREATE TABLE c (x int);\n');
      t.same(await applyMigrations({ url, folder, log: SILENT_LOG }), { applied: ['3_third'] });
      t.match(await prisma(engine, 'deploy'), 'No pending migrations to apply');

      const rows = await runQuery(
        url,
        `SELECT DISTINCT length(id) AS id, length(checksum) AS checksum, finished_at >= started_at AS finished,
        rolled_back_at, applied_steps_count AS steps, logs FROM _prisma_migrations`,
      );
      t.same(rows, [{ id: 36, checksum: 64, finished: true, rolled_back_at: null, steps: 1, logs: null }]);
    },
  );

  t.test(
    `names an unfinished migration of prisma until it is resolved (${engine} engine)`,
    { skip },
    async (t) => {
      const { url, folder, add, prisma } = await createMigrationScratch(t, server.ownerUrl);
      await add('1_wrong', 'INSERT INTO nowhere VALUES (1);\n');
      await t.rejects(prisma(engine, 'deploy'), /1_wrong/);
      await t.rejects(
        applyMigrations({ url, folder, log: SILENT_LOG }),
        /1_wrong was started by another tool/,
      );
      await prisma(engine, 'resolve', '--rolled-back', '1_wrong');
      await add('1_wrong', FIRST_MIGRATION);
      t.same(await applyMigrations({ url, folder, log: SILENT_LOG }), { applied: ['1_wrong'] });
      t.match(await prisma(engine, 'deploy'), 'No pending migrations to apply');
    },
  );
}

// Not part of the npm package: downloaded at install, where that is possible.
async function hasNativeEngine(): Promise<boolean> {
  const engines = 'node_modules/@prisma/engines';
  return (await readdir(engines)).some((name) => name.startsWith('schema-engine-'));
}
