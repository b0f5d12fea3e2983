import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { processesOf, readPostmasterFile } from '@qr-profile-service/embedded-postgres';
import { attachOrStartEmbeddedPostgres } from '../../src/start/command-database.ts';
import { lockDataFolder } from '../../src/start/data-folder-lock.ts';
import { scriptBeside } from '../compiled.ts';
import { eventually, firstLine, query, scratchFolder, silent, startScript } from '../scratch.ts';
import { t } from '../tap.ts';

const SCRIPT = scriptBeside(import.meta.url, 'database-process');

t.test('with no service a command starts the database and stops it again', async (t) => {
  const dataDir = await scratchFolder(t);
  const database = await attachOrStartEmbeddedPostgres({ dataDir, log: silent });
  await query(database.ownerUrl, 'SELECT 1');
  await t.rejects(lockDataFolder(dataDir), /in use/, 'a service has to wait');
  await database.stop();
  t.same(await processesOf(join(dataDir, 'postgres')), []);
  const lock = await lockDataFolder(dataDir);
  await lock.release();
});

t.test('beside a service, even one that is just starting, a command uses its database', async (t) => {
  const dataDir = await scratchFolder(t);
  const service = startScript(t, SCRIPT, dataDir);
  const whenUp = firstLine(service);
  await eventually(async () => {
    if (!(await readdir(dataDir)).some((name) => name.startsWith('postgres'))) throw new Error('not yet');
  });
  const database = await attachOrStartEmbeddedPostgres({ dataDir, log: silent });
  t.equal(database.ownerUrl, await whenUp);
  const before = await readPostmasterFile(join(dataDir, 'postgres'));
  await database.stop();
  await query(database.ownerUrl, 'SELECT 1');
  t.equal((await readPostmasterFile(join(dataDir, 'postgres')))?.pid, before?.pid, 'it runs on');
});
