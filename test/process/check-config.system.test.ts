import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Test } from 'tap';
import { runScript } from '../commands/run-command.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';

/** A server that counts connections, in place of everything that the settings name. */
async function startCounter(t: Test) {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { host: `127.0.0.1:${port}`, count: () => connections };
}

for (const file of ['src/server.ts', 'src/commands/worker.ts'])
  t.test(`${file} --check-config connects to nothing and writes nothing`, async (t) => {
    const counter = await startCounter(t);
    const folder = await createScratchFolder(t);
    const environment = {
      DATA_DIR: join(folder, 'data'),
      UPLOADS_DIR: join(folder, 'uploads'),
      TMPDIR: folder,
      DATABASE_URL: `postgresql://app:a-password@${counter.host}/qr`,
      REDIS_URL: `redis://${counter.host}`,
      SMTP_URL: `smtp://${counter.host}`,
      CLAMD_URL: `tcp://${counter.host}`,
      S3_ENDPOINT: `http://${counter.host}`,
      S3_BUCKET: 'qr-files',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    };
    const outcome = await runScript(file, environment, '--check-config');
    t.match(outcome, { code: 0, errors: '', out: /^The configuration is valid\.\n/ });
    t.match(outcome.out, `postgresql://app@${counter.host}/qr`);
    t.equal(counter.count(), 0);
    t.same(
      (await readdir(folder)).filter((name) => !name.startsWith('tsx-')),
      [],
    );
  });

for (const file of ['src/server.ts', 'src/commands/worker.ts'])
  t.test(`${file} --check-config reports the problems of a start`, async (t) => {
    const environment = {
      DATA_DIR: await createScratchFolder(t),
      NODE_ENV: 'production',
      PORT: 'many',
      REDISURL: 'a',
    };
    const [check, start] = [
      await runScript(file, environment, '--check-config'),
      await runScript(file, environment),
    ];
    t.match(check, { code: 78, out: '', errors: /PORT: is invalid.*\n.*DATABASE_URL: is required/s });
    t.match(check.errors, 'REDISURL is not a setting and is ignored; did you mean REDIS_URL?');
    t.same(check, start);
  });
