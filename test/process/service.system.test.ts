import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { createPreparedDataFolder, createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { findProcessesNaming, startService } from './service-process.ts';

async function scratch(t: Test) {
  return { dataDir: await createScratchFolder(t), port: await findFreePort() };
}

async function prepare(t: Test) {
  return { dataDir: await createPreparedDataFolder(t), port: await findFreePort() };
}

t.test('starts without configuration, and SIGTERM shuts down', async (t) => {
  const { dataDir, port } = await scratch(t);
  await chmod(dataDir, 0o777);
  const first = startService(t, { dataDir, port });
  await first.ready();
  const closed = process.getuid?.() === 0 ? 0o711 : 0o700;
  t.equal((await stat(dataDir)).mode & 0o777, closed, 'the embedded server of root runs as another user');
  const root = await (await fetch(first.base)).json();
  t.match(root, { name: 'QR Profile Service', documentation: `${first.base}/api/docs` });
  for (const line of ['address: ', 'documentation: ', 'mailbox: ', 'database: postgresql://qr_app@']) {
    t.ok(first.output().includes(`"msg":"${line}`), line);
  }
  t.match(
    first.output(),
    'limits: those of the package FREE (50 codes for an account); BILLING=off lifts them',
  );
  const password = new URL(await readFile(join(dataDir, 'database-url-app'), 'utf8')).password;
  t.notOk(first.output().includes(password), 'the password is not in the log');
  t.equal((await stat(join(dataDir, 'secrets.json'))).mode & 0o777, 0o600);
  for (const folder of ['mailbox', 'files'])
    t.equal((await stat(join(dataDir, folder))).mode & 0o777, 0o700, `${folder} is the service's alone`);

  const registered = await fetch(`${first.base}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.org', password: 'a lighthouse for lost dogs' }),
  });
  t.equal(registered.status, 201);
  t.equal(await first.end('SIGTERM'), 0, first.output());
  t.match(
    first.output(),
    /requests: closed[\s\S]*jobs: closed[\s\S]*database: closed[\s\S]*database server: closed/,
  );
  t.same(await findProcessesNaming(dataDir), [], 'no process is left');
  const left = await readdir(dataDir);
  t.same(
    left.filter((name) => name.endsWith('.sock')),
    [],
    'no lock is left',
  );

  const second = startService(t, { dataDir, port });
  await second.ready();
  t.notMatch(second.output(), /database migrated/);
  t.equal(await second.end('SIGINT'), 0);
});

t.test('a second start on one data folder exits with 75', async (t) => {
  const { dataDir, port } = await prepare(t);
  const first = startService(t, { dataDir, port });
  await first.ready();
  const second = startService(t, { dataDir, port: await findFreePort() });
  t.equal(await second.ended, 75);
  t.match(second.output(), new RegExp(`in use by process ${first.child.pid}`));
  t.equal((await fetch(`${first.base}/api/health/ready`)).status, 200, 'the first one goes on');
  await first.end('SIGTERM');
});

t.test('of two parallel starts on an empty data folder one runs and one exits with 75', async (t) => {
  const { dataDir, port } = await scratch(t);
  const one = startService(t, { dataDir, port });
  const other = startService(t, { dataDir, port: await findFreePort() });
  const loser = await Promise.race([one.ended.then(() => one), other.ended.then(() => other)]);
  t.equal(loser.child.exitCode, 75, loser.output());
  const winner = loser === one ? other : one;
  await winner.ready();
  t.equal(await winner.end('SIGTERM'), 0);
});

t.test('names every invalid variable and exits with 78', async (t) => {
  const { dataDir, port } = await scratch(t);
  const wrong = startService(t, { dataDir, port, environment: { TRUST_PROXY: 'all', SMTP_URL: 'mail' } });
  t.equal(await wrong.ended, 78);
  t.match(wrong.output(), /TRUST_PROXY[\s\S]*SMTP_URL|SMTP_URL[\s\S]*TRUST_PROXY/);
  const production = startService(t, { dataDir, port, environment: { NODE_ENV: 'production' } });
  t.equal(await production.ended, 78);
  t.match(production.output(), /DATABASE_URL[\s\S]*JWT_SECRET/);
});

t.test('exits with 78 and changes nothing without the keys of its data', async (t) => {
  const { dataDir, port } = await prepare(t);
  const first = startService(t, { dataDir, port });
  await first.ready();
  await first.end('SIGTERM');
  await rm(join(dataDir, 'secrets.json'));
  const second = startService(t, { dataDir, port });
  t.equal(await second.ended, 78, second.output());
  t.match(second.output(), /secrets\.json is missing/);
  t.same(await findProcessesNaming(dataDir), []);
});
