import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { sendHttpRequest } from '../../src/shared/http-client.ts';
import { createSelfSignedCertificate } from '../providers/push/certificate.ts';
import { t } from '../tap.ts';

const LIMITS = { timeoutMs: 5_000, maxResponseBytes: 1_000 };
const TIMEOUT = { name: 'HttpRequestError', message: 'timeout' };
const TOO_LARGE = { name: 'HttpRequestError', message: 'response too large' };

const getPort = (server: Server) => (server.address() as AddressInfo).port;

async function startServer(t: Test, respond: (response: ServerResponse, request: IncomingMessage) => void) {
  const requests: string[] = [];
  const sockets = new Set<unknown>();
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    sockets.add(request.socket);
    respond(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${getPort(server)}`, requests, sockets };
}

/** Check that requests time out in the order of their limits. */
async function assertTimesOut(t: Test, url: string, message: string) {
  const failed: number[] = [];
  const request = async (timeoutMs: number) => {
    await t.rejects(sendHttpRequest(url, { ...LIMITS, timeoutMs }), TIMEOUT, message);
    failed.push(timeoutMs);
  };
  await Promise.all([request(1_500), request(300)]);
  t.same(failed, [300, 1_500], message);
}

t.test('reads a response of any status completely, and reuses connections', async (t) => {
  let status = 200;
  const server = await startServer(t, (response, request) => {
    response.writeHead(status, { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] });
    request.pipe(response);
  });
  for (status of [200, 201, 404, 500]) {
    const headers = { 'content-type': 'application/json' };
    const body = '{"name":"é"}';
    const response = await sendHttpRequest(server.url, { ...LIMITS, method: 'POST', headers, body });
    t.equal(response.status, status);
    t.equal(response.body.toString(), body);
    t.equal(response.headers.get('retry-after'), '7');
    t.same(response.headers.getSetCookie(), ['a=1', 'b=2']);
  }
  t.ok(server.sockets.size < 4);
});

t.test('asks for a plain body and names the service, unless the caller sets the header', async (t) => {
  const server = await startServer(t, (response, { headers }) =>
    response.end(JSON.stringify({ encoding: headers['accept-encoding'], agent: headers['user-agent'] })),
  );
  const fetchHeaders = async (headers: Record<string, string>) =>
    JSON.parse((await sendHttpRequest(server.url, { ...LIMITS, headers })).body.toString());
  t.same(await fetchHeaders({}), { encoding: 'identity', agent: 'qr-profile-service' });
  t.same(await fetchHeaders({ 'User-Agent': 'other' }), { encoding: 'identity', agent: 'other' });
});

t.test('leaves fetch of Node as it was, also when it is loaded first', async (t) => {
  const server = await startServer(t, (response, request) => request.pipe(response));
  const script = `
    const { sendHttpRequest } = await import('./src/shared/http-client.ts');
    await sendHttpRequest('${server.url}', { timeoutMs: 5000, maxResponseBytes: 1000 });
    const headers = { 'content-length': '3' };
    const response = await fetch('${server.url}', { method: 'POST', headers, body: 'abc' });
    process.stdout.write(await response.text());`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import=tsx', '--input-type=module', '--eval', script],
    { timeout: 30_000 },
  );
  t.equal(stdout, 'abc');
});

t.test('returns a redirect like any other response', async (t) => {
  const server = await startServer(t, (response) =>
    response.writeHead(302, { location: '/elsewhere' }).end('moved'),
  );
  for (const method of ['GET', 'POST'] as const) {
    const response = await sendHttpRequest(server.url, { ...LIMITS, method });
    t.match([response.status, response.body.toString()], [302, 'moved']);
  }
  t.same(server.requests, ['GET /', 'POST /'], 'it is not followed');
});

t.test('times out on a server that accepts and never responds', async (t) => {
  const silent = await startServer(t, () => undefined);
  await assertTimesOut(t, silent.url, 'http');

  // Accepts a connection, and says nothing in TLS.
  const tcp = createTcpServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  t.teardown(() => tcp.close());
  await assertTimesOut(t, `https://127.0.0.1:${getPort(tcp)}`, 'https');
});

t.test('times out on a server that sends one byte at a time', async (t) => {
  for (const part of ['headers', 'body']) {
    const server = await startServer(t, (response) => {
      if (part === 'headers') response.socket?.write('HTTP/1.1 200 OK\r\nx-slow: ');
      const drip = setInterval(
        () => (part === 'headers' ? response.socket?.write('x') : response.write('x')),
        50,
      );
      response.once('close', () => clearInterval(drip));
    });
    await assertTimesOut(t, server.url, part);
  }
});

t.test('does not read a response that is too large to its end', async (t) => {
  let isClosed = false;
  let bodyBytes = 0;
  const server = await startServer(t, (response) => {
    response.once('close', () => (isClosed = true));
    if (bodyBytes > 0) return response.end('x'.repeat(bodyBytes));
    const pour = () => {
      while (!isClosed && response.write('x'.repeat(16_000)));
      if (!isClosed) response.once('drain', pour);
    };
    return pour();
  });
  await t.rejects(sendHttpRequest(server.url, LIMITS), TOO_LARGE, 'a body without an end');
  while (!isClosed) await new Promise((resolve) => setTimeout(resolve, 10));
  t.pass('the connection is closed');
  bodyBytes = 1_001;
  await t.rejects(sendHttpRequest(server.url, LIMITS), TOO_LARGE, 'one byte');
  bodyBytes = 1_000;
  t.equal((await sendHttpRequest(server.url, LIMITS)).body.length, 1_000);

  const large = await startServer(t, (response) =>
    response.writeHead(200, { 'x-large': 'x'.repeat(40_000) }).end(),
  );
  await t.rejects(sendHttpRequest(large.url, LIMITS), TOO_LARGE, 'headers');
});

t.test('does not wait for a body that is not needed', async (t) => {
  const server = await startServer(t, (response) => void response.writeHead(201).write('x'));
  const response = await sendHttpRequest(server.url, { timeoutMs: 500, maxResponseBytes: null });
  t.match([response.status, response.body.length], [201, 0]);
  // The limit of time ends what is left of it.
  await new Promise((resolve) => setTimeout(resolve, 700));
});

t.test('a partial response, an absent server and an abort are errors without the URL', async (t) => {
  const server = await startServer(t, (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => response.destroy());
  });
  const secret = `${server.url}/secret?token=secret`;
  await t.rejects(sendHttpRequest(secret, LIMITS), { message: 'ECONNRESET' });
  await t.rejects(sendHttpRequest('http://127.0.0.1:9/secret', LIMITS), { message: 'ECONNREFUSED' });
  await t.rejects(sendHttpRequest('ftp://secret/', LIMITS), {
    message: /^(?!.*secret)/s,
  });

  const silent = await startServer(t, () => undefined);
  const stop = new AbortController();
  const request = sendHttpRequest(silent.url, { ...LIMITS, signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  await t.rejects(request, { name: 'HttpRequestError' });
  await t.rejects(sendHttpRequest(silent.url, { ...LIMITS, signal: AbortSignal.abort() }), {
    name: 'HttpRequestError',
  });
});

t.test('connects to the resolved addresses only, and within the timeout', async (t) => {
  const server = await startServer(t, (response) => response.end('here'));
  const url = server.url.replace('127.0.0.1', 'nowhere.invalid');
  const resolveAddresses = async (hostname: string) => {
    t.equal(hostname, 'nowhere.invalid');
    return [{ address: '127.0.0.1', family: 4 }];
  };
  for (let time = 0; time < 2; time += 1) {
    const response = await sendHttpRequest(url, { ...LIMITS, resolveAddresses });
    t.equal(response.body.toString(), 'here');
  }
  t.equal(server.sockets.size, 2, 'a connection is used once');
  const refuse = () => Promise.reject(new Error('an address that is not allowed'));
  await t.rejects(sendHttpRequest(url, { ...LIMITS, resolveAddresses: refuse }), {
    message: 'an address that is not allowed',
  });
  const wait = () => new Promise<never>(() => undefined);
  await t.rejects(sendHttpRequest(url, { ...LIMITS, timeoutMs: 100, resolveAddresses: wait }), TIMEOUT);
  t.equal(server.requests.length, 2);
});

t.test('refuses a server whose certificate no known authority signed', async (t) => {
  const server = createTlsServer(createSelfSignedCertificate('localhost'), (_request, response) => {
    t.fail('a request arrived');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `https://localhost:${getPort(server)}/?secret`;
  await t.rejects(sendHttpRequest(url, LIMITS), { name: 'HttpRequestError' });
  const error = await sendHttpRequest(url, LIMITS).catch((caught: Error) => caught);
  t.notMatch(String(error), 'secret');
});
