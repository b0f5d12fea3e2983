import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { createOwner } from '../../scripts/screenshots/owner.ts';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { cloneDatabase } from '../helper.ts';
import { startService } from '../process/service-process.ts';
import { createScratchFolder, runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const LOAD_CLIENTS = 4;
const CHECK_INTERVAL_MS = 100;

/** The version to upgrade from: a commit, which is built; without it this version, and to one with another migration. */
const { UPGRADE_FROM } = process.env;

t.test('two instances are upgraded one after the other under load', { timeout: 300_000 }, async (t) => {
  const dataDir = await createScratchFolder(t);
  const template = UPGRADE_FROM ? 'template1' : undefined;
  const { application, owner: ownerUrl, drop } = await cloneDatabase(t, template);
  t.teardown(drop);
  const [oldProgram, newProgram] = UPGRADE_FROM
    ? [await buildCommit(t, UPGRADE_FROM), 'src/server.ts']
    : ['src/server.ts', await createNextVersion(t)];
  const ports = [await findFreePort(), await findFreePort()];
  const [port = 0] = ports;
  const secret = () => randomBytes(32).toString('base64');
  const environment = {
    NODE_ENV: 'production',
    JWT_SECRET: secret(),
    HASH_SECRET: secret(),
    AUDIT_SIGNING_KEY: secret(),
    PASSWORD_PEPPERS: `p1:${secret()}`,
    ENCRYPTION_KEYS: `k1:${secret()}`,
    BCRYPT_COST: '10',
    DATABASE_URL: application,
    DATABASE_OWNER_URL: ownerUrl,
    PUBLIC_BASE_URL: 'https://localhost',
    SMTP_URL: 'none',
    BILLING: 'off',
    // A proxy removes an instance after it has seen that it is not ready.
    SHUTDOWN_DELAY_SECONDS: '1',
  };
  const start = async (program: string, index: number) => {
    const service = startService(t, { dataDir, port: ports[index] ?? 0, environment, program });
    await service.ready();
    return service;
  };
  const instances = [await start(oldProgram, 0), await start(oldProgram, 1)];

  const owner = await createOwner({ port, folder: dataDir, applicationUrl: application });
  const codes = await Promise.all([owner.code(), owner.code()]);
  const isReady = [true, true];
  let isOver = false;
  const checks = ports.map(async (checkedPort, index) => {
    while (!isOver) {
      const answer = await fetch(`http://localhost:${checkedPort}/api/health/ready`).catch(() => null);
      isReady[index] = answer?.ok === true;
      await sleep(CHECK_INTERVAL_MS);
    }
  });
  const statuses = new Map<number, number>();
  const bodies = new Set<string>();
  let next = 0;
  const load = Array.from({ length: LOAD_CLIENTS }, async (_, client) => {
    while (!isOver) {
      const ready = ports.filter((_port, index) => isReady[index]);
      if (ready.length === 0) {
        await sleep(CHECK_INTERVAL_MS);
        continue;
      }
      next += 1;
      const answer = await postScan(ready[next % ready.length], codes[next % codes.length], client).catch(
        (error: Error) => ({ status: 0, body: String(error) }),
      );
      if (answer.status !== 201) bodies.add(answer.body.slice(0, 300));
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  });
  const waitForAnswers = async (count: number) => {
    for (const until = (statuses.get(201) ?? 0) + count; (statuses.get(201) ?? 0) < until; ) {
      if (bodies.size > 0) throw new Error([...bodies].join('\n'));
      await sleep(20);
    }
  };
  try {
    await waitForAnswers(20);
    for (const [index, instance] of instances.entries()) {
      t.equal(await instance.end('SIGTERM'), 0);
      instances[index] = await start(newProgram, index);
      await waitForAnswers(20);
    }
  } finally {
    isOver = true;
    await Promise.all([...load, ...checks]);
  }

  t.same([...statuses.keys()], [201], [...bodies].join('\n'));
  const [row] = await runQuery(ownerUrl, 'SELECT count(*)::int AS count FROM scans');
  t.same(row, { count: statuses.get(201) }, 'every scan that was acknowledged, and no other');
  if (!UPGRADE_FROM)
    t.same(await runQuery(ownerUrl, 'SELECT * FROM next_version'), [], 'the schema is the next one');
  for (const instance of instances) t.equal(await instance.end('SIGTERM'), 0);
});

/** As a proxy does that opens a connection for each request. */
async function postScan(port: number | undefined, qrCodeId: string | undefined, client: number) {
  const sent = request({
    host: 'localhost',
    port,
    path: '/api/scans/public',
    method: 'POST',
    agent: false,
    timeout: 30_000,
    headers: { 'content-type': 'application/json', 'user-agent': `Mozilla/5.0 client ${client}` },
  });
  sent.on('timeout', () => sent.destroy(new Error('timeout')));
  sent.end(JSON.stringify({ qrCodeId }));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}

/** Copy this version and add a migration that earlier versions are compatible with. */
async function createNextVersion(t: Test): Promise<string> {
  const folder = await createScratchFolder(t);
  for (const name of ['src', 'packages', 'prisma', 'locales', 'package.json'])
    await cp(join('dist-tests', name), join(folder, name), { recursive: true, dereference: true });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const migration = join(folder, 'prisma/migrations/29991231000000_next_version');
  await mkdir(migration);
  const sql = `-- Compatible with earlier versions: yes
CREATE TABLE next_version (id text PRIMARY KEY);
ALTER TABLE scans ADD COLUMN next_version text;
`;
  await writeFile(join(migration, 'migration.sql'), sql);
  return join(folder, 'src/server.js');
}

async function buildCommit(t: Test, commit: string): Promise<string> {
  const folder = await createScratchFolder(t);
  const run = (command: string) => {
    const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8', cwd: folder });
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  };
  run(`git -C ${resolve('.')} archive ${commit} | tar -x && npm ci --no-audit --no-fund`);
  return join(folder, 'dist/server.js');
}
