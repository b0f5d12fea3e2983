import { once } from 'node:events';
import { ReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Type } from 'typebox';
import { ServiceError } from '../../shared/errors.ts';
import { createProblemResponseSchemas } from '../openapi.ts';
import { computeFileEtag, evaluateConditionalRequest } from './conditional-request.rules.ts';

interface StaticFileSource {
  /** Local folder that contains the files under their names; null if they are stored elsewhere. */
  folder: string | null;
  stat(name: string): Promise<{ size: number; modifiedAt: Date } | null>;
  open(name: string, range?: { first: number; last: number }): Promise<Readable | null>;
}

export interface StaticFilesOptions {
  files: StaticFileSource;
  /** Rejects when a stored file must not be sent. */
  assertAvailable?: (folder: string, name: string) => Promise<void>;
  /** Store a file that is not there yet; false when there is none. */
  createMissing?: (folder: string, name: string) => Promise<boolean>;
  config?: Record<string, unknown>;
}

const STATIC_FOLDERS = [
  {
    folder: 'profile-pictures',
    shape: /^profile-\d{13}-\d{1,12}\.(?:jpg|jpeg|png)$/,
    types: ['image/jpeg', 'image/png'],
    operationId: 'uploads.getProfilePicture',
    summary: "Get a user's profile picture",
    description:
      'Public, at the `profilePictureUrl` of a user. 404 after the picture was replaced. Caches may keep it for a minute.',
  },
  {
    folder: 'qrcodes',
    shape: /^[a-z]+-[a-z0-9-]{0,60}-[0-9a-f]{24}-\d{13}\.png$/,
    types: ['image/png'],
    operationId: 'uploads.getQrcodeImage',
    summary: 'Get the image of a QR code',
    description:
      'Public, at the `imageUrl` of a code, and drawn on its first request: 503 with Retry-After while many wait. 404 after the code was deleted or redesigned; 410 while administrators withhold it.',
  },
];

/** Names are never reused, but a deleted picture must disappear soon: caches revalidate after a minute. */
const FILE_HEADERS = {
  'cache-control': 'public, max-age=60, must-revalidate',
  'cross-origin-resource-policy': 'cross-origin',
};

const CONDITION_HEADERS = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
] as const;

/** For each small image a buffer of this size would be most of the memory used. */
const MAX_BUFFER_BYTES = 64 * 1024;

/** Files of a bucket up to this size are complete before the first header is sent, since their store can fail until then. */
const MAX_COMPLETE_BYTES = 128 * 1024;

/** Serve profile pictures and QR images; links, folders, dotfiles and traversal are 404. */
const plugin: FastifyPluginAsync<StaticFilesOptions> = async (app, options) => {
  await app.register(fastifyStatic, {
    serve: false,
    index: false,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders: (reply) => void reply.headers(FILE_HEADERS),
  });
  for (const { folder, shape, types, operationId, summary, description } of STATIC_FOLDERS) {
    app.get<{ Params: { name: string } }>(
      `/uploads/${folder}/:name`,
      {
        config: { ...options.config, rateLimitClass: 'static' },
        onSend: waitForOpenedFile,
        schema: {
          operationId,
          tags: ['Files'],
          summary,
          description,
          params: Type.Object({ name: Type.String({ description: 'File name.' }) }),
          response: {
            200: { description: 'The file.', content: createBinaryContent(types) },
            206: { description: 'The requested range of the file.', content: createBinaryContent(types) },
            304: { description: 'It has not changed.', type: 'null' },
            ...createProblemResponseSchemas(404, 410, 412, 416, 503),
          },
        },
      },
      async (request, reply) => {
        const { name } = request.params;
        // The router ignores a slash at the end; a file is no folder.
        if (!shape.test(name) || /\/(?:\?|$)/.test(request.url)) throw new ServiceError('NOT_FOUND');
        await options.assertAvailable?.(folder, name);
        const stats = await findOrCreate(options, folder, name);
        return sendStaticFile(request, reply, options.files, stats);
      },
    );
  }
};

export const staticFilesPlugin = fp(plugin, { name: 'static-files' });

function createBinaryContent(types: string[]) {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
}

type FoundFile = { name: string; size: number; modifiedAt: Date };

/** @throws NOT_FOUND */
async function findOrCreate(
  { files, createMissing }: StaticFilesOptions,
  folder: string,
  name: string,
): Promise<FoundFile> {
  const path = `${folder}/${name}`;
  const stored = await files.stat(path);
  const stats = stored ?? ((await createMissing?.(folder, name)) ? await files.stat(path) : null);
  if (!stats) throw new ServiceError('NOT_FOUND');
  return { ...stats, name: path };
}

async function sendStaticFile(
  request: FastifyRequest,
  reply: FastifyReply,
  files: StaticFileSource,
  { name, ...stats }: FoundFile,
): Promise<FastifyReply> {
  const etag = computeFileEtag(stats);
  const evaluation = evaluateConditionalRequest(request.headers, request.method, { ...stats, etag });
  if (evaluation.status === 412) throw new ServiceError('PRECONDITION_FAILED');
  if (evaluation.status === 416) {
    reply.header('content-range', `bytes */${stats.size}`);
    throw new ServiceError('RANGE_NOT_SATISFIABLE');
  }
  const range = evaluation.status === 206 ? evaluation.range : undefined;
  if (evaluation.status !== 304 && files.folder !== null) {
    const sentBytes = range ? range.last - range.first + 1 : stats.size;
    replaceConditions(request, range);
    return reply.sendFile(name, files.folder, getSendOptions(sentBytes));
  }
  const sendsContent = request.method === 'GET' && evaluation.status !== 304;
  const opened = sendsContent ? await files.open(name, range) : Readable.from([]);
  // Removed in the meantime.
  if (!opened) throw new ServiceError('NOT_FOUND');
  const sentBytes = range ? range.last - range.first + 1 : stats.size;
  const content = sendsContent && sentBytes <= MAX_COMPLETE_BYTES ? await readAll(opened, sentBytes) : opened;
  reply.code(evaluation.status).headers({
    ...FILE_HEADERS,
    'accept-ranges': 'bytes',
    'last-modified': stats.modifiedAt.toUTCString(),
    etag,
  });
  if (evaluation.status === 304) return reply.send();
  if (range) reply.header('content-range', `bytes ${range.first}-${range.last}/${stats.size}`);
  return reply
    .header('content-length', sentBytes)
    .type(name.endsWith('.png') ? 'image/png' : 'image/jpeg')
    .send(content);
}

/** @throws PROVIDER_UNAVAILABLE for fewer or more bytes */
async function readAll(content: Readable, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > length) break;
  }
  if (size !== length) throw new ServiceError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: 5 });
  return Buffer.concat(chunks);
}

/** Decide conditions here: @fastify/static compares weak ETags with If-Range, and sends a range for HEAD. */
function replaceConditions(
  { raw }: FastifyRequest,
  range: { first: number; last: number } | undefined,
): void {
  for (const name of CONDITION_HEADERS) delete raw.headers[name];
  if (range) raw.headers.range = `bytes=${range.first}-${range.last}`;
  else delete raw.headers.range;
}

/** Options that @fastify/send has beyond the types of @fastify/static. */
function getSendOptions(sentBytes: number) {
  return { acceptRanges: true, highWaterMark: Math.min(MAX_BUFFER_BYTES, Math.max(1, sentBytes)) };
}

/** Wait for the file to open before any header is sent. @throws NOT_FOUND, PROVIDER_UNAVAILABLE if the disk fails */
async function waitForOpenedFile(_request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  if (!(payload instanceof ReadStream)) return payload;
  try {
    if (payload.errored) throw payload.errored;
    if (payload.pending) await once(payload, 'open');
    return payload;
  } catch (error) {
    for (const name of ['accept-ranges', 'last-modified', 'content-range']) reply.removeHeader(name);
    if (isMissingFileError(error)) throw new ServiceError('NOT_FOUND');
    throw new ServiceError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: 5, cause: error });
  }
}

function isMissingFileError(error: unknown): boolean {
  return (
    error instanceof Error && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(Reflect.get(error, 'code')))
  );
}
