import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import type { Test } from 'tap';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { startService } from '../process/service-process.ts';
import { createCertificateWithValidity } from '../providers/push/certificate.ts';
import {
  createPreparedDataFolder,
  createScratchFolder,
  retryUntilSuccess,
  runQuery,
} from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { runCommand } from './run-command.ts';

/** Start a proxy with TLS on localhost that names its clients and passes upgrades on, as nginx does. */
async function startTlsProxy(t: Test, port: number, certificate: { cert: string; key: string }) {
  const server = createServer(certificate, (incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': '203.0.113.7' };
    const options = { host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers };
    const sent = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  server.on('upgrade', (incoming, socket, head) => {
    const upstream = connect({ host: '127.0.0.1', port });
    const lines = Object.entries(incoming.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('')}x-forwarded-for: 203.0.113.7\r\n\r\n`);
    upstream.write(head);
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    socket.pipe(upstream).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

t.test('a running service behind a proxy has no problem', async (t) => {
  const dataDir = await createPreparedDataFolder(t);
  const certificate = createCertificateWithValidity(['localhost'], -60, 5.5);
  const port = await findFreePort();
  const NODE_EXTRA_CA_CERTS = join(dataDir, 'certificate.pem');
  await writeFile(NODE_EXTRA_CA_CERTS, certificate.cert);
  const settings = {
    PUBLIC_BASE_URL: await startTlsProxy(t, port, certificate),
    TRUST_PROXY: '127.0.0.1',
  };
  const service = startService(t, { dataDir, port, environment: settings });
  await service.ready();
  const database = (await readFile(join(dataDir, 'database-url'), 'utf8')).trim();
  await retryUntilSuccess(async () => {
    const [row] = await runQuery(database, 'SELECT maintained_on FROM pgboss.version');
    if (!row?.maintained_on) throw new Error('no worker was seen');
  });
  const environment = {
    ...settings,
    NODE_EXTRA_CA_CERTS,
    DATA_DIR: dataDir,
    UPLOADS_DIR: join(dataDir, 'uploads'),
  };
  const secretsBefore = await readFile(join(dataDir, 'secrets.json'), 'utf8');
  const report = await runCommand('doctor', environment);
  t.match(report, { code: 0, errors: '' }, report.out);
  for (const name of [
    ...['database', 'database settings', 'database clock', 'migrations', 'database connections', 'secrets'],
    ...['worker', 'jobs', 'background work', 'partitions', 'public files', 'private files'],
    ...['address', 'installation', 'proxy', 'WebSocket', 'clock'],
  ])
    t.match(report.out, new RegExp(`^ok +${name}  +\\S`, 'm'), name);
  t.match(report.out, /^warning +certificate +valid for 5 more days, until .*\n +→ Renew it/m);
  t.match(report.out, /^not configured {2}Redis$/m);
  t.match(report.out, /\n\n0 problems, \d+ warnings?\.\n$/);

  const json = await runCommand('doctor', environment, '--json');
  t.match(json, { code: 0, errors: '' }, json.out);
  const { state, checks } = JSON.parse(json.out);
  t.equal(state, 'warning');
  t.match(
    checks.find(({ name }: { name: string }) => name === 'certificate'),
    { state: 'warning', found: /^valid for 5 more days/, advice: /Renew/ },
  );
  t.match(
    checks.find(({ name }: { name: string }) => name === 'Redis'),
    { state: 'not configured', found: '', advice: null },
  );

  const files = await readdir(dataDir, { recursive: true });
  t.same(
    files.filter((name) => name.includes('doctor')),
    [],
    'the probe files are gone',
  );
  t.equal(await readFile(join(dataDir, 'secrets.json'), 'utf8'), secretsBefore);
  t.equal(await service.end('SIGTERM'), 0);
});

t.test('without a service it says what to start, and creates nothing', async (t) => {
  const folder = await createScratchFolder(t);
  const environment = {
    DATA_DIR: join(folder, 'data'),
    UPLOADS_DIR: join(folder, 'uploads'),
    PORT: String(await findFreePort()),
    TMPDIR: folder,
  };
  const report = await runCommand('doctor', environment);
  t.match(report, { code: 1, errors: '' });
  t.match(report.out, /^problem +database +the embedded database is not running\n +→ Start the service/m);
  t.match(report.out, /^problem +address +fails \(ECONNREFUSED\)\n +→ Check PUBLIC_BASE_URL/m);
  t.match(report.out, /\n2 problems, 2 warnings\.\n$/);
  t.same(
    (await readdir(folder)).filter((name) => !name.startsWith('tsx-')),
    [],
  );
});

t.test('an invalid configuration is a problem with all its lines', async (t) => {
  const report = await runCommand('doctor', { PORT: 'many', BCRYPT_COST: '99', REDISURL: 'a' });
  t.match(report, { code: 1, errors: '' });
  t.match(report.out, /^problem {9}configuration {2}invalid; nothing else can be checked\n/);
  for (const name of ['PORT: is invalid', 'BCRYPT_COST: is invalid', 'REDISURL is not a setting'])
    t.match(report.out, new RegExp(`^ +→ ${name}`, 'm'));
  t.match(report.out, /\n1 problem, 0 warnings\.\n$/);
});
