import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import S3rver from 's3rver';
import type { Test } from 'tap';

const TEST_BUCKET = 'files';

const TEST_CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** A bucket of an S3 server. */
export interface S3Server {
  settings: {
    endpoint: string;
    region: string;
    bucket: string;
    accessKeyId: string;
    secretAccessKey: string;
    pathStyle: boolean;
  };
  environment: Record<string, string>;
  /** Handles a request instead of the server; returns true if it sent a response. */
  override: ((request: IncomingMessage, response: ServerResponse) => boolean) | null;
  uploads(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Start a server on loopback that is stopped after the test. */
export async function startS3Server(t: Test): Promise<S3Server> {
  const server = await openS3Server({ directory: t.testdir(), host: '127.0.0.1', port: 0 });
  t.teardown(server.stop);
  return server;
}

/**
 * Open a server with what s3rver lacks: conditional writes (If-None-Match), and listing and aborting multipart
 * uploads.
 */
export async function openS3Server(options: {
  directory: string;
  host: string;
  port: number;
}): Promise<S3Server> {
  const { directory, host } = options;
  const buckets = [{ name: TEST_BUCKET, configs: [] as [] }];
  const s3rver = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets: buckets });
  await s3rver.configureBuckets();
  makeWritesAtomic(s3rver.store);
  const known = s3rver.callback();
  const bucket = join(directory, TEST_BUCKET);
  const server = createServer((request, response) => {
    if (self.override?.(request, response)) return;
    handleRequest(bucket, known, request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  });
  server.listen(options.port, host);
  await once(server, 'listening');
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    s3rver.logger.exceptions.unhandle();
    s3rver.logger.close();
  };
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://${host}:${port}`;
  const self: S3Server = {
    settings: { endpoint, region: 'eu-central-1', bucket: TEST_BUCKET, ...TEST_CREDENTIALS, pathStyle: true },
    environment: {
      S3_ENDPOINT: endpoint,
      S3_REGION: 'eu-central-1',
      S3_BUCKET: TEST_BUCKET,
      S3_ACCESS_KEY_ID: TEST_CREDENTIALS.accessKeyId,
      S3_SECRET_ACCESS_KEY: TEST_CREDENTIALS.secretAccessKey,
      S3_PATH_STYLE: 'true',
    },
    override: null,
    uploads: async () => (await listUploads(bucket)).map(({ key }) => key),
    stop,
  };
  return self;
}

/** Keys whose condition was checked but that are not written yet. */
const pendingWrites = new Set<string>();

async function handleRequest(bucket: string, known: RequestListener, ...call: Parameters<RequestListener>) {
  const [request, response] = call;
  const url = new URL(request.url ?? '', 'http://localhost');
  const key = decodeURIComponent(url.pathname).split('/').slice(2).join('/');
  const uploadId = url.searchParams.get('uploadId');
  if (request.method === 'DELETE' && uploadId !== null) {
    await rm(join(getUploadsFolder(bucket), uploadId), { recursive: true, force: true });
    response.writeHead(204).end();
  } else if (request.method === 'GET' && url.searchParams.has('uploads')) {
    const list = await renderUploadList(bucket, url);
    response.writeHead(200, { 'content-type': 'application/xml' }).end(list);
  } else if (request.headers['if-none-match'] === '*') {
    if (pendingWrites.has(key)) return sendS3Error(call, 409, 'ConditionalRequestConflict');
    pendingWrites.add(key);
    response.once('close', () => pendingWrites.delete(key));
    if (await isStored(bucket, key)) sendS3Error(call, 412, 'PreconditionFailed');
    else known(...call);
  } else known(...call);
}

function sendS3Error([request, response]: Parameters<RequestListener>, status: number, code: string): void {
  request.resume();
  response.writeHead(status).end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

/** Delay the response to a write until the whole object can be read. */
function makeWritesAtomic(store: S3rver['store']): void {
  store.putPart = async (bucket, uploadId, part, content) => {
    const path = join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId, part);
    const stored = await writeObjectFile(path, content);
    await writeFile(`${path}.md5`, stored.md5);
    return stored;
  };
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const path = store.getResourcePath(bucket, key, 'object');
    await mkdir(dirname(path), { recursive: true });
    const stored = await writeObjectFile(`${path}.writing`, content);
    await store.putMetadata(bucket, key, metadata, stored.md5);
    await rename(`${path}.writing`, path);
    return stored;
  };
}

async function writeObjectFile(
  path: string,
  content: Readable | Buffer,
): Promise<{ size: number; md5: string }> {
  const md5 = createHash('md5');
  let size = 0;
  async function* countBytes(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      md5.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  const source = Buffer.isBuffer(content) ? Readable.from([content]) : content;
  await pipeline(source, countBytes, createWriteStream(path));
  return { size, md5: md5.digest('hex') };
}

function getUploadsFolder(bucket: string): string {
  return join(bucket, '._S3rver_uploads');
}

async function listUploads(bucket: string) {
  const folder = getUploadsFolder(bucket);
  const ids = await readdir(folder).catch(() => []);
  const uploads = ids.map(async (id) => {
    const file = join(folder, id, 'key');
    try {
      return [{ id, key: await readFile(file, 'utf8'), at: (await stat(file)).mtime }];
    } catch (error) {
      // It has just begun, or ended in the meantime.
      if (Reflect.get(error as Error, 'code') === 'ENOENT') return [];
      throw error;
    }
  });
  return (await Promise.all(uploads)).flat();
}

/** One upload per page, so that clients must paginate. */
async function renderUploadList(bucket: string, { searchParams }: URL): Promise<string> {
  const prefix = searchParams.get('prefix') ?? '';
  const after = searchParams.get('upload-id-marker') ?? '';
  const all = (await listUploads(bucket)).filter(({ id, key }) => key.startsWith(prefix) && id > after);
  const [first, ...others] = all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const upload = first
    ? `<Upload><Key>${first.key}</Key><UploadId>${first.id}</UploadId><Initiated>${first.at.toISOString()}</Initiated></Upload>
       <NextKeyMarker>${first.key}</NextKeyMarker><NextUploadIdMarker>${first.id}</NextUploadIdMarker>`
    : '';
  return `<ListMultipartUploadsResult><IsTruncated>${others.length > 0}</IsTruncated>${upload}</ListMultipartUploadsResult>`;
}

async function isStored(bucket: string, key: string): Promise<boolean> {
  const path = join(bucket, `${key}._S3rver_object`);
  return (await stat(path).catch(() => null)) !== null;
}
