import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../../src/start/find-free-port.ts';
import { createServiceOwner } from '../../process/create-service-owner.ts';
import { startService } from '../../process/service-process.ts';
import { createPreparedDataFolder } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';
import { compareFiles } from './killed-service/compare-files.ts';
import { createDocumentClients } from './killed-service/document-clients.ts';

const KILLS = 2;
const CLIENTS = 6;
const POLL_MS = 20;
const MIN_UPTIME_MS = 300;
const MAX_EXTRA_UPTIME_MS = 1_200;

t.test('kills during uploads, replacements and deletions lose and leave no file', async (t) => {
  const dataDir = await createPreparedDataFolder(t);
  const port = await findFreePort();
  const start = async () => {
    const started = startService(t, { dataDir, port, environment: { BILLING: 'off' } });
    await started.ready();
    return started;
  };
  let service = await start();
  const ownerUrl = (await readFile(join(dataDir, 'database-url'), 'utf8')).trim();
  const { token } = await createServiceOwner(service.base, ownerUrl);
  const clients = createDocumentClients(service.base, token);
  for (let kill = 0; kill < KILLS; kill += 1) {
    let isKilled = false;
    const working = clients.work(CLIENTS, () => isKilled);
    while (clients.documents.length === 0) await sleep(POLL_MS);
    await sleep(MIN_UPTIME_MS + Math.random() * MAX_EXTRA_UPTIME_MS);
    isKilled = true;
    await service.end('SIGKILL');
    await working;
    service = await start();
  }
  t.ok(clients.documents.length > 0, 'documents are acknowledged');
  t.same(await clients.compare(), [], 'each has its acknowledged content, or that of a request at a kill');
  t.same(await compareFiles(ownerUrl, dataDir), [], 'rows and files agree');
  t.equal(await service.end('SIGTERM'), 0);
});
