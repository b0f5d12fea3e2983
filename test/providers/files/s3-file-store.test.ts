import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createS3FileStore } from '../../../src/providers/files/s3/s3-file-store.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { startS3Server } from '../../s3-server.ts';
import { t } from '../../tap.ts';

const MIB = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Memory in use after garbage collection. */
function getMemoryUsageBytes(): number {
  collectGarbage();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

async function* content(size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536), 1);
}

t.test('an unreachable, silent or failing server is reported as unavailable', async (t) => {
  const server = await startS3Server(t);
  const limits = { requestTimeout: 200, tries: 2 };
  const store = createS3FileStore({ ...server.settings, prefix: 'private/' }, limits);
  t.teardown(() => store.close());
  const UNAVAILABLE = { code: 'PROVIDER_UNAVAILABLE', retryAfterSeconds: 5 };
  const rejectEveryRequest = async (title: string) => {
    await t.rejects(store.prepare(), UNAVAILABLE, title);
    await t.rejects(store.put(generateId(), content(10)), UNAVAILABLE, title);
    await t.rejects(store.stat(generateId()), UNAVAILABLE, title);
    await t.rejects(store.open(generateId()), UNAVAILABLE, title);
    await t.rejects(store.remove(generateId()), UNAVAILABLE, title);
    await t.rejects(store.list()[Symbol.asyncIterator]().next(), UNAVAILABLE, title);
  };
  server.override = (_request, response) => !response.writeHead(503).end().writableAborted;
  await rejectEveryRequest('in trouble');
  server.override = ({ url }, response) => {
    if (!url?.includes('partNumber=2')) return false;
    return !response.writeHead(503).end().writableAborted;
  };
  await t.rejects(
    store.put(generateId(), content(12 * MIB)),
    UNAVAILABLE,
    'in trouble in the middle of a file',
  );
  server.override = () => true;
  await rejectEveryRequest('stands still');
  server.override = null;
  await store.prepare();
  await server.stop();
  await rejectEveryRequest('away');
});

t.test('retries transient errors', async (t) => {
  const server = await startS3Server(t);
  const store = createS3FileStore({ ...server.settings, prefix: 'private/' });
  t.teardown(() => store.close());
  let tries = 0;
  server.override = (request, response) => {
    tries += 1;
    if (tries % 2 === 0) return false;
    request.resume();
    response.writeHead(503).end();
    return true;
  };
  const name = generateId();
  t.equal(await store.put(name, content(6 * MIB)), 6 * MIB);
  const stream = await store.open(name);
  t.equal(stream && (await buffer(stream)).length, 6 * MIB);
});

t.test('something that answers 200 without being an S3 server is reported as unavailable', async (t) => {
  const server = await startS3Server(t);
  const store = createS3FileStore({ ...server.settings, prefix: 'private/' });
  t.teardown(() => store.close());
  const name = generateId();
  await store.put(name, content(100));
  server.override = (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in to this network</html>');
    return true;
  };
  const UNAVAILABLE = { code: 'PROVIDER_UNAVAILABLE', retryAfterSeconds: 5 };
  for (const size of [0, 100, 6 * MIB])
    await t.rejects(store.put(generateId(), content(size)), UNAVAILABLE, `${size} bytes`);
  await t.rejects(store.stat(name), UNAVAILABLE);
  await t.rejects(store.open(name), UNAVAILABLE);
});

t.test('continues a file whose connection breaks, while bytes arrive', async (t) => {
  const server = await startS3Server(t);
  const store = createS3FileStore({ ...server.settings, prefix: 'private/' });
  t.teardown(() => store.close());
  const name = generateId();
  const bytes = randomBytes(700_000);
  await store.put(name, Readable.from([bytes]));
  let maxBytes = 100_000;
  let requests = 0;
  server.override = (request, response) => {
    if (request.method !== 'GET') return false;
    requests += 1;
    let left = maxBytes;
    const { write } = response;
    response.write = (chunk: Buffer) => {
      const part = chunk.subarray(0, left);
      left -= part.length;
      Reflect.apply(write, response, [part]);
      if (left === 0) setImmediate(() => response.destroy());
      return true;
    };
    return false;
  };
  const read = async (range?: { first: number; last: number }) => {
    const stream = await store.open(name, range);
    return stream && buffer(stream);
  };
  t.ok((await read())?.equals(bytes));
  t.ok(requests > 5, `${requests} requests`);
  t.ok((await read({ first: 1_000, last: 500_000 }))?.equals(bytes.subarray(1_000, 500_001)));
  maxBytes = 0;
  requests = 0;
  await t.rejects(read(), { code: 'PROVIDER_UNAVAILABLE' }, 'no byte arrives');
  t.equal(requests, 3);
});

t.test('a file that stops in the middle is reported as unavailable, a slow reader is not', async (t) => {
  const server = await startS3Server(t);
  const store = createS3FileStore({ ...server.settings, prefix: 'private/' }, { stallTimeout: 100 });
  t.teardown(() => store.close());
  const name = generateId();
  const bytes = randomBytes(500_000);
  await store.put(name, Readable.from([bytes]));
  const stream = await store.open(name);
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) {
    if (chunks.push(chunk) === 1) await wait(300);
  }
  t.ok(Buffer.concat(chunks).equals(bytes), 'a slow reader');
  let requests = 0;
  server.override = (request, response) => {
    if (request.method !== 'GET') return false;
    requests += 1;
    const isFirst = requests === 1;
    response.writeHead(isFirst ? 200 : 206, { 'content-length': isFirst ? bytes.length : 10, etag: '"1"' });
    response.flushHeaders();
    return true;
  };
  const stalled = await store.open(name);
  await t.rejects(async () => stalled && buffer(stalled), { code: 'PROVIDER_UNAVAILABLE' });
  t.equal(requests, 3);
});

t.test('recognizes its own upload after a lost response', async (t) => {
  const server = await startS3Server(t);
  const store = createS3FileStore({ ...server.settings, prefix: 'private/' }, { requestTimeout: 1_000 });
  t.teardown(() => store.close());
  let lost = 0;
  server.override = (request, response) => {
    if (request.method !== 'PUT' || lost > 0) return false;
    lost += 1;
    // The effect happens, but the response is lost.
    response.end = () => response;
    response.write = () => true;
    return false;
  };
  const name = generateId();
  t.equal(await store.put(name, content(100)), 100);
  t.equal(lost, 1);
  t.match(await store.stat(name), { size: 100 });
});

t.test('slow readers do not block the bucket', async (t) => {
  const server = await startS3Server(t);
  const store = createS3FileStore({ ...server.settings, prefix: 'private/' }, { tries: 1 });
  t.teardown(() => store.close());
  const name = generateId();
  await store.put(name, content(300_000));
  const streams = await Promise.all(Array.from({ length: 300 }, () => store.open(name)));
  t.equal(await store.put(generateId(), content(10)), 10);
  t.match(await store.stat(name), { size: 300_000 });
  for (const stream of streams) stream?.destroy();
});

t.test('uploads a large file part by part', async (t) => {
  // The server stores nothing, so that only the store is measured.
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => {
      const { search } = new URL(request.url ?? '', 'http://localhost');
      response.setHeader('etag', '"1"');
      if (search.includes('uploads')) response.end('<R><UploadId>1</UploadId></R>');
      else if (request.method === 'POST') response.end('<R><ETag>1</ETag></R>');
      else response.end();
    });
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const settings = { endpoint: `http://127.0.0.1:${port}`, region: 'x', bucket: 'files', prefix: 'a/' };
  const keys = { accessKeyId: 'a', secretAccessKey: 'b', pathStyle: true };
  const store = createS3FileStore({ ...settings, ...keys });
  t.teardown(() => store.close());
  await store.put(generateId(), content(30 * MIB));
  const before = getMemoryUsageBytes();
  let maxMemoryBytes = 0;
  async function* watched() {
    let size = 0;
    for await (const chunk of content(200 * MIB)) {
      size += chunk.length;
      if (size % (7 * MIB) < chunk.length)
        maxMemoryBytes = Math.max(maxMemoryBytes, getMemoryUsageBytes() - before);
      yield chunk;
    }
  }
  bytes = 0;
  t.equal(await store.put(generateId(), watched()), 200 * MIB);
  t.ok(bytes >= 200 * MIB);
  t.ok(maxMemoryBytes < 60 * MIB, `${(maxMemoryBytes / MIB).toFixed(0)} MiB`);
});

t.test('a start fails with an absent bucket or invalid keys', async (t) => {
  const server = await startS3Server(t);
  const prepare = async (settings: object) => {
    const store = createS3FileStore({ ...server.settings, ...settings, prefix: 'a/' });
    try {
      await store.prepare();
    } finally {
      await store.close();
    }
  };
  await prepare({});
  await t.rejects(prepare({ bucket: 'another' }), { name: 'RemoteRefusalError', problems: [/^S3_BUCKET: /] });
  const wrong = { accessKeyId: 'wrong' };
  await t.rejects(prepare(wrong), { name: 'RemoteRefusalError', problems: [/^S3_ACCESS_KEY_ID, .*: /] });
});

t.test('separates public and private files, and lists across pages', async (t) => {
  const server = await startS3Server(t);
  const [one, other] = ['public/', 'private/'].map((prefix) =>
    createS3FileStore({ ...server.settings, prefix }),
  );
  if (!one || !other) throw new Error('Two stores are needed.');
  for (const store of [one, other]) t.teardown(() => store.close());
  const names = Array.from({ length: 10 }, () => generateId());
  for (const name of names) await one.put(`qrcodes/${name}`, content(1));
  let pages = 0;
  server.override = (request) => {
    if (!request.url?.includes('prefix=public') || request.url.includes('uploads')) return false;
    pages += 1;
    request.url += '&max-keys=4';
    return false;
  };
  const fileNames = [];
  for await (const { name } of one.list()) fileNames.push(name);
  t.same(fileNames.toSorted(), names.map((name) => `qrcodes/${name}`).toSorted());
  t.equal(pages, 3);
  for await (const { name } of other.list()) t.fail(name);
  t.equal(await other.stat(`qrcodes/${names[0]}`), null);
});
