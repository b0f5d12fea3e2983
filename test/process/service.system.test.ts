import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { findProcessesNaming, type ServiceProcess, startService } from './service-process.ts';

// One data folder for all tests, in their order: its database is created once.
const dataDir = await createScratchFolder(t);
await chmod(dataDir, 0o777);
const start = async (environment: Record<string, string> = {}) =>
  startService(t, { dataDir, port: await findFreePort(), environment });
let running: ServiceProcess | undefined;

t.test('names every invalid variable and exits with 78', async (t) => {
  const wrong = await start({ NODE_ENV: 'production', TRUST_PROXY: 'all', SMTP_URL: 'mail' });
  t.equal(await wrong.ended, 78);
  for (const name of ['TRUST_PROXY', 'SMTP_URL', 'DATABASE_URL', 'JWT_SECRET'])
    t.ok(wrong.output().includes(name), name);
  t.same(await readdir(dataDir), []);
});

t.test('of two parallel starts on an empty data folder one runs and one exits with 75', async (t) => {
  const [one, other] = [await start(), await start()];
  const loser = await Promise.race([one.ended.then(() => one), other.ended.then(() => other)]);
  t.equal(loser.child.exitCode, 75, loser.output());
  running = loser === one ? other : one;
  await running.ready();
});

t.test('a start without configuration says where everything is, without its secrets', async (t) => {
  const { base, output } = getRunning();
  const closed = process.getuid?.() === 0 ? 0o711 : 0o700;
  t.equal((await stat(dataDir)).mode & 0o777, closed, 'the embedded server of root runs as another user');
  const root = await (await fetch(base)).json();
  t.match(root, { name: 'QR Profile Service', documentation: `${base}/api/docs` });
  for (const line of ['address: ', 'documentation: ', 'mailbox: ', 'database: postgresql://qr_app@']) {
    t.ok(output().includes(`"msg":"${line}`), line);
  }
  t.match(output(), 'limits: those of the package FREE (50 codes for an account); BILLING=off lifts them');
  const password = new URL(await readFile(join(dataDir, 'database-url-app'), 'utf8')).password;
  t.notOk(output().includes(password), 'the password is not in the log');
  t.equal((await stat(join(dataDir, 'secrets.json'))).mode & 0o777, 0o600);
  for (const folder of ['mailbox', 'files'])
    t.equal((await stat(join(dataDir, folder))).mode & 0o777, 0o700, `${folder} is the service's alone`);
  const registered = await fetch(`${base}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.org', password: 'a lighthouse for lost dogs' }),
  });
  t.equal(registered.status, 201);
});

t.test('a second start on one data folder exits with 75', async (t) => {
  const { base, child } = getRunning();
  const second = await start();
  t.equal(await second.ended, 75);
  t.match(second.output(), new RegExp(`in use by process ${child.pid}`));
  t.equal((await fetch(`${base}/api/health/ready`)).status, 200, 'the first one goes on');
});

t.test('SIGTERM closes everything and leaves no process and no lock', async (t) => {
  const service = getRunning();
  t.equal(await service.end('SIGTERM'), 0, service.output());
  t.match(
    service.output(),
    /requests: closed[\s\S]*jobs: closed[\s\S]*database: closed[\s\S]*database server: closed/,
  );
  t.same(await findProcessesNaming(dataDir), [], 'no process is left');
  const left = await readdir(dataDir);
  t.same(
    left.filter((name) => name.endsWith('.sock')),
    [],
    'no lock is left',
  );
});

t.test('another start keeps the database, and SIGINT shuts down', async (t) => {
  const next = await start();
  await next.ready();
  t.notMatch(next.output(), /database migrated/);
  t.equal(await next.end('SIGINT'), 0);
});

t.test('exits with 78 and changes nothing without the keys of its data', async (t) => {
  await rm(join(dataDir, 'secrets.json'));
  const without = await start();
  t.equal(await without.ended, 78, without.output());
  t.match(without.output(), /secrets\.json is missing/);
  t.same(await findProcessesNaming(dataDir), []);
});

function getRunning(): ServiceProcess {
  if (!running) throw new Error('No service was started.');
  return running;
}
