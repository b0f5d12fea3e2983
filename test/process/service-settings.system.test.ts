import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { generateId } from '../../src/shared/ids.ts';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { formatErrorForTerminal } from '../../src/start/format-failure.ts';
import { cloneDatabase, TEST_PASSWORD, TEST_SECRETS } from '../helper.ts';
import { startS3Server } from '../s3-server.ts';
import { createScratchFolder, runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { findPostmasters, startService } from './service-process.ts';

t.test('uses a configured database instead of the embedded one', async (t) => {
  const dataDir = await createScratchFolder(t);
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  await runQuery(
    url.owner,
    `INSERT INTO users (id, email, role, status) VALUES ('${generateId()}', 'first@example.org', 'ADMIN', 'VERIFIED')`,
  );
  const service = startService(t, {
    dataDir,
    port: await findFreePort(),
    environment: {
      DATABASE_URL: url.application,
      DATABASE_OWNER_URL: url.owner,
      CLAMD_URL: 'tcp://127.0.0.1:1',
      ADMIN_EMAIL: 'root@example.org',
      ADMIN_PASSWORD: TEST_PASSWORD,
      ...TEST_SECRETS,
    },
  });
  await service.ready();
  t.same(await findPostmasters(dataDir), [], 'no server of our own runs');
  t.notMatch(service.output(), new URL(url.application).password);
  t.equal(await service.end('SIGTERM'), 0);
  t.match(service.output(), /CLAMD_URL is not reachable: until it is, uploads are refused/);
  t.match(service.output(), /ADMIN_EMAIL is ignored: there is an administrator already/);
});

t.test('warns at start when the application owns the tables', async (t) => {
  const dataDir = await createScratchFolder(t);
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  const service = startService(t, {
    dataDir,
    port: await findFreePort(),
    environment: { DATABASE_URL: url.owner },
  });
  await service.written(/DATABASE_OWNER_URL is not set/);
  t.equal(await service.end('SIGTERM'), 0);
});

t.test('names DATABASE_OWNER_URL when the role cannot create tables, without a stack trace', async (t) => {
  const dataDir = await createScratchFolder(t);
  const url = await cloneDatabase(t, 'template1');
  t.teardown(() => url.drop());
  const service = startService(t, {
    dataDir,
    port: await findFreePort(),
    environment: { DATABASE_URL: url.application },
  });
  t.equal(await service.ended, 70);
  t.match(service.output(), /permission denied.*DATABASE_OWNER_URL/);
  t.notMatch(service.output(), /^\s+\d+: /m);
});

t.test('exits with 75 for a used port and leaves nothing behind', async (t) => {
  const dataDir = await createScratchFolder(t);
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.teardown(() => other.close());
  const bound = other.address();
  const port = typeof bound === 'object' && bound ? bound.port : 0;
  const service = startService(t, { dataDir, port });
  t.equal(await service.ended, 75);
  t.match(service.output(), new RegExp(`The port ${port} is in use by another program.*METRICS_PORT`));
  t.same(await findPostmasters(dataDir), []);
  t.same(await readdir(dataDir), [], 'not even a database was made');
});

t.test('explains a port that needs privileges', (t) => {
  const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen', port: 443 });
  t.match(formatErrorForTerminal(error), /port 443.*PORT to 1024/);
  t.end();
});

t.test('names an unusable folder at the start', async (t) => {
  const dataDir = await createScratchFolder(t);
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  const file = join(dataDir, 'a-file');
  await writeFile(file, '');
  const database = { DATABASE_URL: url.application, DATABASE_OWNER_URL: url.owner };
  const environment = { ...database, UPLOADS_DIR: file };
  const service = startService(t, { dataDir, port: await findFreePort(), environment });
  t.equal(await service.ended, 78);
  t.match(service.output(), /a-file.* is not writable .*UPLOADS_DIR/);
});

t.test(
  'exits with 75 for a bucket that is unreachable or missing, which can change without this host',
  async (t) => {
    const dataDir = await createScratchFolder(t);
    const url = await cloneDatabase(t);
    t.teardown(() => url.drop());
    const server = await startS3Server(t);
    const database = { DATABASE_URL: url.application, DATABASE_OWNER_URL: url.owner };
    const start = async (bucket: Record<string, string>) => {
      const environment = { ...database, ...server.environment, ...bucket };
      const service = startService(t, { dataDir, port: await findFreePort(), environment });
      return { code: await service.ended, output: service.output() };
    };
    t.match(await start({ S3_BUCKET: 'another' }), {
      code: 75,
      output: /S3_BUCKET: the bucket does not exist/,
    });
    await server.stop();
    t.match(await start({}), { code: 75, output: /Files cannot be stored \(ECONNREFUSED\)\. .*S3_ENDPOINT/ });
    t.notOk((await readdir(dataDir)).includes('files'), 'nothing is kept on the disk');
  },
);
