import { createSocket } from 'node:dgram';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Test } from 'tap';
import { sendWebhook, type WebhookSenderOptions } from '../../../src/features/webhooks/send-webhook.ts';
import { generateWebhookSecret } from '../../../src/features/webhooks/webhook-signature.rules.ts';
import { findWebhookUrlProblem } from '../../../src/features/webhooks/webhook-url.rules.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { resolvePublicHost } from '../../../src/shared/resolve-public-host.ts';
import { createSelfSignedCertificate } from '../../providers/push/certificate.ts';
import { t } from '../../tap.ts';
import { startReceiver } from './helper.ts';

const EVENT = {
  id: generateId(),
  type: 'scan.created',
  data: { id: generateId(), qrCodeId: generateId() },
  at: new Date(),
} as const;

const SENDER: WebhookSenderOptions = {
  allowsLoopback: true,
  timeoutMs: 60_000,
  resolveAddresses: (hostname) => resolvePublicHost(hostname),
};

function send(url: string, options: Partial<WebhookSenderOptions> = {}) {
  const secrets = [{ secret: generateWebhookSecret(), endsAt: null }];
  return sendWebhook({ ...SENDER, ...options }, { url, secrets }, EVENT);
}

/** A name server that gives one IPv4 address for every name, or never answers. */
async function startNameServer(t: Test, address: string | null): Promise<string> {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address: client }) => {
    if (address === null) return;
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const isA = question.readUInt16BE(question.length - 4) === 1;
    const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
    query.copy(header, 0, 0, 2);
    const bytes = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)];
    server.send(Buffer.concat([header, question, Buffer.from(isA ? bytes : [])]), port, client);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `127.0.0.1:${server.address().port}`;
}

t.test('a redirect is a failure, and is not followed', async (t) => {
  const { url, received } = await startReceiver(t, () => 302);
  t.match(await send(url), { statusCode: 302, error: 'STATUS' });
  t.same(
    received.map(({ path }) => path),
    ['/hook'],
  );
});

t.test('a server that accepts and never answers is left after the time limit', async (t) => {
  const { url, received } = await startReceiver(t, () => null);
  // Until the machine was fast enough for the request to arrive within the limit.
  for (let timeoutMs = 100; received.length === 0; timeoutMs *= 2)
    t.match(await send(url, { timeoutMs }), { statusCode: null, error: 'TIMEOUT' });
  t.equal(received.length, 1);

  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.teardown(() => silent.close());
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  t.match(await send(`https://localhost:${port}/`, { timeoutMs: 300 }), { error: 'TIMEOUT' }, 'no handshake');
});

t.test('an endless answer costs nothing', async (t) => {
  const chunk = 'x'.repeat(65_536);
  let sent = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && sent < 1_000_000_000) {
          sent += chunk.length;
          if (!socket.write(chunk)) return socket.once('drain', more);
        }
        return undefined;
      };
      more();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  t.match(await send(`http://localhost:${port}/`), { statusCode: 200, error: null });
  t.ok(sent < 100_000_000, `${sent} bytes`);
});

/** A server that answers each request with raw bytes, again and again if `isEndless`. */
async function startRawServer(t: Test, bytes: string | Buffer, isEndless = false): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const write = () => {
      while (!socket.destroyed && socket.write(bytes) && isEndless);
      if (isEndless) socket.once('drain', write);
    };
    socket.once('data', write);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `http://localhost:${Reflect.get(Object(server.address()), 'port')}/`;
}

t.test('answers that break rules are one failed attempt', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\n';
  const bomb = gzipSync(Buffer.alloc(10_000_000));
  const cases: [string, string | Buffer, object][] = [
    ['large headers', `${head}x: ${'a'.repeat(20_000)}\r\n\r\n`, { error: 'CONNECTION_FAILED' }],
    ['control characters', `${head}x: \x00\r\n\r\n`, { error: 'CONNECTION_FAILED' }],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', { error: 'CONNECTION_FAILED' }],
    ['status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', { error: 'CONNECTION_FAILED' }],
    [
      'an upgrade',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      { error: 'CONNECTION_FAILED' },
    ],
    ['wrong length', `${head}content-length: 99999999999999999999\r\n\r\n`, { error: 'CONNECTION_FAILED' }],
    [
      'no time to wait',
      'HTTP/1.1 429 No\r\nretry-after: 99999999999999\r\ncontent-length: 0\r\n\r\n',
      { statusCode: 429, error: 'STATUS' },
    ],
    [
      'a compressed body',
      Buffer.concat([
        Buffer.from(`${head}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`),
        bomb,
      ]),
      { statusCode: 200, error: null },
    ],
  ];
  for (const [name, bytes, expected] of cases)
    t.match(await send(await startRawServer(t, bytes)), expected, name);
  const url = await startRawServer(t, 'HTTP/1.1 102 Processing\r\n\r\n', true);
  t.match(
    await send(url),
    { statusCode: null, error: 'CONNECTION_FAILED' },
    'endless informational responses',
  );
});

t.test('a certificate that no authority signed is named', async (t) => {
  const server = createTlsServer(createSelfSignedCertificate('localhost'), (_request, response) => {
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const port = Reflect.get(Object(server.address()), 'port');
  t.match(await send(`https://localhost:${port}/`), { statusCode: null, error: 'CERTIFICATE_INVALID' });
});

t.test('a name that resolves to a private network is never connected to', async (t) => {
  const { url, received } = await startReceiver(t);
  const port = new URL(url).port;
  for (const address of ['127.0.0.1', '10.1.2.3', '169.254.169.254']) {
    const nameServers = [await startNameServer(t, address)];
    const resolveAddresses = (hostname: string) => resolvePublicHost(hostname, nameServers);
    const attempt = await send(`https://hooks.example.org:${port}/`, { resolveAddresses });
    t.match(attempt, { statusCode: null, error: 'ADDRESS_NOT_ALLOWED' }, address);
  }
  t.same(received, []);
  t.same(await resolvePublicHost('hooks.example.org', [await startNameServer(t, '93.184.216.34')]), [
    { address: '93.184.216.34', family: 4 },
  ]);
});

t.test('a name server that never answers is left after the time limit', async (t) => {
  const nameServers = [await startNameServer(t, null)];
  const resolveAddresses = (hostname: string) => resolvePublicHost(hostname, nameServers);
  const attempt = await send('https://hooks.example.org/', { resolveAddresses, timeoutMs: 300 });
  t.equal(attempt.error, 'TIMEOUT');
});

t.test('an address stored outside production is not used in production', async (t) => {
  const { url, received } = await startReceiver(t);
  t.equal((await send(url, { allowsLoopback: false })).error, 'ADDRESS_NOT_ALLOWED');
  t.same(received, []);
});

t.test('only https with a name of the public DNS is accepted, and localhost outside production', (t) => {
  for (const url of ['https://hooks.example.org/qr?token=a', 'https://hooks.example.org:8443/'])
    t.equal(findWebhookUrlProblem(url, false), null, url);
  for (const url of [
    'http://localhost:3000/hook',
    'https://localhost/',
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
  ])
    t.equal(findWebhookUrlProblem(url, true), null, url);
  for (const url of [
    'http://hooks.example.org/',
    'http://localhost:3000/hook',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://10.0.0.1/',
    'https://intranet/',
    'https://ada:secret@hooks.example.org/',
    'https://hooks.example.org/#part',
    'ftp://hooks.example.org/',
    'hooks.example.org',
  ])
    t.not(findWebhookUrlProblem(url, false), null, url);
  t.not(findWebhookUrlProblem('http://10.0.0.1/', true), null);
  t.end();
});

t.test('the beginning of an answer is kept as text that is safe to show', async (t) => {
  const answer = async (body: string | Buffer, type = 'text/plain', status = 500) => {
    const server = createHttpServer((_request, response) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => server.close());
    const address = server.address();
    const attempt = await send(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`);
    t.equal(attempt.statusCode, status);
    return attempt.response;
  };
  t.same(await answer('no such order', 'text/plain; charset=utf-8', 200), {
    contentType: 'text/plain; charset=utf-8',
    body: 'no such order',
    isTruncated: false,
  });
  t.match(await answer('<script>alert(1)</script>', 'text/html'), { body: '<script>alert(1)</script>' });
  t.match(await answer('a\u0007b\r\nc\u202ed'), { body: 'a\ufffdb\nc\ufffdd' });
  t.match(await answer(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]), 'image/png'), {
    contentType: 'image/png',
    body: null,
  });
  t.match(await answer(Buffer.from([0xff, 0xfe, 0xfd])), { body: null });
  t.match(await answer(''), { body: '', isTruncated: false });
  const long = await answer('é'.repeat(10_000));
  t.match(long, { isTruncated: true });
  t.equal(long?.body, 'é'.repeat(256));
  t.match(await answer('x'.repeat(512)), { isTruncated: false });
});

t.test('an answer that drips or breaks off is no failure', async (t) => {
  for (const isBroken of [false, true]) {
    const server = createHttpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 1_000 });
      response.write('begun');
      if (isBroken) setTimeout(() => response.destroy(), 50);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const attempt = await send(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`);
    t.match(attempt, { statusCode: 200, error: null, response: { body: 'begun' } });
  }
});
