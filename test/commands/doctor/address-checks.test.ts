import { once } from 'node:events';
import { createServer, type RequestListener, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import type { Test } from 'tap';
import { createAddressChecks } from '../../../src/commands/doctor/address-checks.ts';
import { judgeCertificate } from '../../../src/commands/doctor/certificate-check.ts';
import { runChecks } from '../../../src/commands/doctor/check.ts';
import { loadConfig } from '../../../src/config.ts';
import { findFreePort } from '../../../src/start/find-free-port.ts';
import { startTestApp, TEST_SECRETS } from '../../helper.ts';
import { createCertificateWithValidity } from '../../providers/push/certificate.ts';
import { t } from '../../tap.ts';
import { diagnose } from './doctor-helper.ts';

const NAMES = ['address', 'installation', 'proxy', 'WebSocket', 'clock', 'certificate', 'redirect'];

async function listen(t: Test, server: Server & { closeAllConnections(): void }): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Start something else than the service. */
async function startOther(t: Test, answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(t, createServer(answer))}`;
}

/** Start a proxy that names its clients, and passes no upgrade on. */
function startProxy(t: Test, port: number): Promise<string> {
  return startOther(t, (incoming, outgoing) => {
    const { connection: _hop, upgrade: _protocol, ...rest } = incoming.headers;
    const headers = { ...rest, 'x-forwarded-for': '203.0.113.7' };
    const options = { host: '127.0.0.1', port, method: incoming.method, path: incoming.url, headers };
    const sent = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
}

/** Start the service; returns its port. */
async function startListeningApp(t: Test, environment: Record<string, string> = {}) {
  const port = await findFreePort();
  const { app, database } = await startTestApp(t, {
    ...environment,
    PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
  });
  await app.listen({ host: '127.0.0.1', port });
  return { port, database };
}

const diagnoseAt = (PUBLIC_BASE_URL: string, environment: Record<string, string> = {}) =>
  diagnose({ ...TEST_SECRETS, PUBLIC_BASE_URL, ...environment }, ...NAMES);

t.test('reaches the service of this installation, and changes nothing', async (t) => {
  const { port, database } = await startListeningApp(t);
  const countRows = async () => {
    const { rows } = await database.pool.query(
      'SELECT (SELECT count(*) FROM audit_entries) AS entries, (SELECT count(*) FROM attempt_budgets) AS budgets',
    );
    return rows;
  };
  const before = await countRows();
  const results = await diagnoseAt(`http://127.0.0.1:${port}`);
  t.match(results, {
    address: { state: /^(?:ok|warning)$/, found: /^the service is ready/ },
    installation: { state: 'ok', found: 'it has the secrets of this configuration' },
    proxy: { state: 'ok' },
    WebSocket: { state: 'ok', found: 'upgrades pass' },
    clock: { state: 'ok' },
    certificate: { state: 'not configured' },
    redirect: { state: 'not configured' },
  });
  t.same(await countRows(), before);
});

t.test('names an installation with other secrets', async (t) => {
  const { port } = await startListeningApp(t);
  const HASH_SECRET = Buffer.from(TEST_SECRETS.HASH_SECRET, 'base64').reverse().toString('base64');
  t.match(await diagnoseAt(`http://127.0.0.1:${port}`, { HASH_SECRET }), {
    installation: { state: 'problem', advice: /HASH_SECRET/ },
  });
});

t.test('a proxy that is not trusted, and one that passes no upgrade, are problems', async (t) => {
  const { port } = await startListeningApp(t);
  t.match(await diagnoseAt(await startProxy(t, port)), {
    installation: { state: 'ok' },
    proxy: { state: 'problem', advice: /Set TRUST_PROXY/ },
    WebSocket: { state: 'problem', advice: /Upgrade and Connection/ },
  });
  const trusting = await startListeningApp(t, { TRUST_PROXY: '127.0.0.1' });
  t.match(await diagnoseAt(await startProxy(t, trusting.port)), { proxy: { state: 'ok' } });
});

t.test('names the dependencies of a service that is not ready', async (t) => {
  const { port, database } = await startListeningApp(t);
  await database.close();
  t.match(await diagnoseAt(`http://127.0.0.1:${port}`), {
    address: { state: 'problem', found: /^the service is not ready: database/ },
    installation: { state: 'warning', found: 'cannot be recognized: status 503, 404' },
  });
});

t.test('something else at the address is a problem, and nothing of its content is printed', async (t) => {
  const hostile = '<script>\u001b[31m';
  for (const body of [
    'Welcome',
    '[]',
    'null',
    JSON.stringify({ status: hostile, dependencies: hostile }),
    JSON.stringify({ dependencies: [null, 7, { name: hostile, status: 'down' }] }),
  ]) {
    const base = await startOther(t, (_request, response) => response.end(body));
    const results = await diagnoseAt(base);
    t.notMatch(JSON.stringify(results), /script|\[31m/, body);
    t.not(results.installation?.state, 'ok', body);
  }
  const base = await startOther(t, (_request, response) => response.writeHead(502).end());
  const results = await diagnoseAt(base);
  t.match(results.address, { state: 'problem', found: 'something else answers with status 502' });
  t.same(Object.keys(results), ['address', 'clock', 'certificate', 'redirect']);
});

t.test('an address that refuses connections is one problem', async (t) => {
  const results = await diagnoseAt(`http://127.0.0.1:${await findFreePort()}`);
  t.match(results.address, { state: 'problem', found: 'fails (ECONNREFUSED)', advice: /PUBLIC_BASE_URL/ });
  t.same(Object.keys(results), ['address', 'certificate', 'redirect']);
});

t.test('compares the clock with the header Date', async (t) => {
  const clockOf = async (seconds: number) => {
    const base = await startOther(t, (_request, response) => {
      response.setHeader('date', new Date(Date.now() + seconds * 1_000).toUTCString()).end('{}');
    });
    return (await diagnoseAt(base)).clock;
  };
  t.match(await clockOf(0), { state: 'ok' });
  t.match(await clockOf(-20), { state: 'warning', found: /^the server is \d\d s behind this process$/ });
  t.match(await clockOf(20), { state: 'warning', found: /^the server is \d\d s ahead of this process$/ });
  t.match(await clockOf(-3_600), { state: 'problem', advice: /NTP/ });
});

t.test('a certificate that clients refuse is a problem with its end', async (t) => {
  for (const [days, name] of [
    [-1, 'localhost'],
    [30, 'localhost'],
    [30, 'other.example.org'],
  ] as const) {
    const certificate = createCertificateWithValidity([name], -40, days);
    const port = await listen(
      t,
      createTlsServer(certificate, (_request, response) => response.end()),
    );
    const end = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const results = await diagnoseAt(`https://localhost:${port}`);
    t.match(results, {
      address: { state: 'problem', found: /^fails \([A-Z_]+\)$/ },
      certificate: {
        state: 'problem',
        found: new RegExp(`^clients refuse it \\([A-Z_]+\\), valid until ${end}$`),
      },
    });
  }
});

t.test('a certificate of a few days is late in the last quarter of its life', (t) => {
  const judge = (ageDays: number, daysLeft: number) =>
    judgeCertificate({
      refusal: null,
      issuedAt: new Date(Date.now() - ageDays * 86_400_000),
      expiresAt: new Date(Date.now() + daysLeft * 86_400_000),
    });
  t.match(judge(76, 15), { state: 'ok' });
  t.match(judge(77, 13), { state: 'warning', advice: /Renew/ });
  t.match(judge(4, 2), { state: 'ok', found: /^valid for [12] more days, until / });
  t.match(judge(5, 1), { state: 'warning' });
  t.end();
});

t.test('http has to lead to https', async (t) => {
  const redirectOf = async (plainUrl: string) => {
    const checks = createAddressChecks(loadConfig({ PUBLIC_BASE_URL: 'https://127.0.0.1' }), plainUrl);
    const [result] = await runChecks(checks.filter(({ name }) => name === 'redirect'));
    return result;
  };
  const answerWith = (status: number, location: string) =>
    startOther(t, (_request, response) => response.writeHead(status, { location }).end());
  t.match(await redirectOf(await answerWith(301, 'https://127.0.0.1/')), { state: 'ok' });
  t.match(await redirectOf(await answerWith(302, 'http://127.0.0.1/login')), { state: 'problem' });
  t.match(await redirectOf(await answerWith(200, 'https://127.0.0.1/')), {
    state: 'problem',
    found: /^http returns status 200/,
  });
  t.match(await redirectOf(`http://127.0.0.1:${await findFreePort()}/`), {
    state: 'warning',
    found: 'http does not answer (ECONNREFUSED)',
  });
});
