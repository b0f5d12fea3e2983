import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../../src/start/find-free-port.ts';
import { createServiceOwner } from '../../process/create-service-owner.ts';
import { startService, startWorker } from '../../process/service-process.ts';
import { createPreparedDataFolder, runQuery } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';
import { deliverWhileKilling } from './deliver-while-killing.ts';

const EVENTS = 500;

t.test('500 events reach an endpoint that fails, while it and the worker are killed', async (t) => {
  const dataDir = await createPreparedDataFolder(t);
  const environment = { WORKER: 'separate' };
  const service = startService(t, { dataDir, port: await findFreePort(), environment });
  await service.ready();
  const ownerUrl = (await readFile(join(dataDir, 'database-url'), 'utf8')).trim();
  let worker = startWorker(t, dataDir, environment);
  const { token } = await createServiceOwner(service.base, ownerUrl);
  const result = await deliverWhileKilling({
    base: service.base,
    token,
    events: EVENTS,
    receiverKills: 2,
    workerKills: 1,
    query: async (text) => void (await runQuery(ownerUrl, text)),
    async replaceWorker(beforeNext) {
      await worker.end('SIGKILL');
      await beforeNext();
      worker = startWorker(t, dataDir, environment);
    },
    log: (text) => t.comment(text),
  });
  t.comment(JSON.stringify(result));
  t.match(result, { acknowledged: EVENTS, lost: 0, unknown: 0 });
  t.equal(await worker.end('SIGTERM'), 0, worker.output());
  t.equal(await service.end('SIGTERM'), 0);
});
