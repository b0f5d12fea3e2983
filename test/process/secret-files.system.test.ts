import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { runCommand } from '../commands/run-command.ts';
import { cloneDatabase, TEST_SECRETS } from '../helper.ts';
import { createScratchFolder, retryUntilSuccess } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { startService, startWorker } from './service-process.ts';

async function writeSettings(t: Test, folder: string): Promise<Record<string, string>> {
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  const { ENCRYPTION_KEYS, ...secrets } = TEST_SECRETS;
  const values = { DATABASE_URL: url.application, DATABASE_OWNER_URL: url.owner, ...secrets };
  const files = Object.entries(values).map(async ([name, value]) => {
    const path = join(folder, `${name}.txt`);
    await writeFile(path, `${value}\n`);
    return [`${name}_FILE`, path] as const;
  });
  return { ...Object.fromEntries(await Promise.all(files)), ENCRYPTION_KEYS };
}

t.test('the service, a worker and a command read secrets from files', async (t) => {
  const dataDir = await createScratchFolder(t);
  const environment = await writeSettings(t, dataDir);
  const service = startService(t, {
    dataDir,
    port: await findFreePort(),
    environment: { ...environment, WORKER: 'separate' },
  });
  await service.ready();
  const worker = startWorker(t, dataDir, environment);
  await retryUntilSuccess(async () => {
    if (!worker.output().includes('worker: ready')) throw new Error(worker.output());
  });
  const list = await runCommand('admin', { ...environment, DATA_DIR: dataDir }, 'list');
  t.match(list, { code: 0, out: 'There are no administrators.\n', errors: '' });
  t.equal(await service.end('SIGTERM'), 0);
  t.equal(await worker.end('SIGTERM'), 0);
  t.notMatch(service.output() + worker.output(), TEST_SECRETS.JWT_SECRET);
});

t.test('every process ends with 78 for a missing file and names it', async (t) => {
  const dataDir = await createScratchFolder(t);
  const environment = { JWT_SECRET_FILE: join(dataDir, 'missing') };
  const expected = `JWT_SECRET_FILE: ${dataDir}/missing does not exist.`;
  const service = startService(t, { dataDir, port: await findFreePort(), environment });
  t.equal(await service.ended, 78);
  t.match(service.output(), expected);
  const worker = startWorker(t, dataDir, environment);
  t.equal(await worker.ended, 78);
  t.match(worker.output(), expected);
  const command = await runCommand('admin', { ...environment, DATA_DIR: dataDir }, 'list');
  t.match(command, { code: 78, errors: expected });
});
