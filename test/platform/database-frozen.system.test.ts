import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  listClusterProcesses,
  sendSignal,
  startEmbeddedPostgres,
} from '@qr-profile-service/embedded-postgres';
import { openDatabase } from '../../src/platform/database.ts';
import { prepareDatabase } from '../../src/platform/prepare-database.ts';
import { createScratchFolder, SILENT_LOG } from '../scratch-folder.ts';
import { t } from '../tap.ts';

t.test('a frozen server makes the service not ready, and a thawed one ready again', async (t) => {
  const dataDir = await createScratchFolder(t);
  const server = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
  t.teardown(server.stop);
  const database = openDatabase({ url: server.ownerUrl, poolSize: 3, onError: () => {} });
  t.teardown(() => database.close());
  await prepareDatabase({ ...server, migrationsFolder: 'prisma/migrations', queues: [], log: SILENT_LOG });
  await database.readHealth();
  const signalAll = async (signal: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of await listClusterProcesses(join(dataDir, 'postgres'))) sendSignal(pid, signal);
  };
  t.teardown(() => signalAll('SIGCONT'));
  await signalAll('SIGSTOP');
  const ended: string[] = [];
  const statement = database.pool.query('SELECT 1').catch(() => ended.push('statement'));
  for (const title of ['on an open connection', 'on a new connection'])
    await t.rejects(
      database.readHealth().finally(() => ended.push('ping')),
      title,
    );
  t.same(ended, ['ping', 'ping'], 'readiness does not wait for a statement');
  await statement;
  await signalAll('SIGCONT');
  for (let isReady = false; !isReady; await wait(50))
    isReady = await database.readHealth().then(
      () => true,
      () => false,
    );
  t.match(await database.pool.query('SELECT 1 AS one'), { rows: [{ one: 1 }] });
});
