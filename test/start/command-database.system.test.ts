import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listClusterProcesses, readPostmasterFile } from '@qr-profile-service/embedded-postgres';
import {
  assertEmbeddedPostgresExists,
  attachOrStartEmbeddedPostgres,
} from '../../src/start/attach-embedded-postgres.ts';
import { lockDataFolder } from '../../src/start/data-folder-lock.ts';
import {
  createScratchFolder,
  retryUntilSuccess,
  runQuery,
  SILENT_LOG,
  startScript,
  waitForFirstLine,
} from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { getSiblingScriptPath } from '../transpiled-scripts.ts';

const SCRIPT = getSiblingScriptPath(import.meta.url, 'database-process');

t.test('a command without a running service starts and stops the database', async (t) => {
  const dataDir = await createScratchFolder(t);
  const database = await attachOrStartEmbeddedPostgres({ dataDir, log: SILENT_LOG });
  await runQuery(database.ownerUrl, 'SELECT 1');
  await t.rejects(lockDataFolder(dataDir), /in use/, 'a service has to wait');
  await assertEmbeddedPostgresExists(dataDir);
  await database.stop();
  t.same(await listClusterProcesses(join(dataDir, 'postgres')), []);
  const lock = await lockDataFolder(dataDir);
  await lock.release();
});

t.test('a command uses the database of a running or starting service', async (t) => {
  const dataDir = await createScratchFolder(t);
  const service = startScript(t, SCRIPT, dataDir);
  const whenUp = waitForFirstLine(service);
  await retryUntilSuccess(async () => {
    if (!(await readdir(dataDir)).some((name) => name.startsWith('postgres'))) throw new Error('not yet');
  });
  const database = await attachOrStartEmbeddedPostgres({ dataDir, log: SILENT_LOG });
  t.equal(database.ownerUrl, await whenUp);
  const before = await readPostmasterFile(join(dataDir, 'postgres'));
  await database.stop();
  await runQuery(database.ownerUrl, 'SELECT 1');
  t.equal((await readPostmasterFile(join(dataDir, 'postgres')))?.pid, before?.pid, 'it runs on');
});
