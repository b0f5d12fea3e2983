import { lstat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Type } from 'typebox';
import { ServiceError } from '../../shared/errors.ts';
import { problems } from '../openapi.ts';

export interface StaticFilesOptions {
  /** The folder that holds profile-pictures/ and qrcodes/. */
  directory: string;
  /** Further route configuration, such as who may call it. */
  config?: Record<string, unknown>;
}

/** The two folders and the shapes of names that are served; nothing else exists. */
const FOLDERS = [
  {
    folder: 'profile-pictures',
    shape: /^profile-\d{13}-\d{1,12}\.(?:jpg|jpeg|png)$/,
    types: ['image/jpeg', 'image/png'],
    operationId: 'uploads.profilePicture',
    summary: "A person's profile picture.",
  },
  {
    folder: 'qrcodes',
    shape: /^[a-z]+-[a-z0-9-]{0,60}-[0-9a-f]{24}-\d{13}\.png$/,
    types: ['image/png'],
    operationId: 'uploads.qrcode',
    summary: 'The image of a QR code.',
  },
];

/** A name is never used twice, yet a deleted picture has to be gone soon: asked for again after a minute. */
const CACHE = 'public, max-age=60, must-revalidate';

/**
 * GET and HEAD /uploads/profile-pictures/<name> and /uploads/qrcodes/<name>: plain files with a name of the right
 * shape, with a weak ETag, 304, one range of bytes. Everything else is 404: links, folders, dotfiles, traversal.
 */
const plugin: FastifyPluginAsync<StaticFilesOptions> = async (app, options) => {
  await app.register(fastifyStatic, { serve: false });

  for (const { folder, shape, types, operationId, summary } of FOLDERS) {
    const root = resolve(options.directory, folder);
    app.get<{ Params: { name: string } }>(
      `/uploads/${folder}/:name`,
      {
        config: { ...options.config, rateLimitClass: 'static' },
        schema: {
          operationId,
          tags: ['Files'],
          summary,
          params: Type.Object({ name: Type.String() }),
          response: {
            200: { description: 'The file.', content: contentOf(types) },
            206: { description: 'The range of it that was asked for.', content: contentOf(types) },
            304: { description: 'It has not changed.', type: 'null' },
            ...problems(404, 412, 416),
          },
        },
        errorHandler: (error, _request, reply) => {
          // Files are removed while others ask for them: one that goes between the look and the opening is not there.
          if (Reflect.get(error, 'code') !== 'ENOENT') throw error;
          for (const name of ['cache-control', 'last-modified', 'accept-ranges', 'content-length'])
            reply.removeHeader(name);
          throw new ServiceError('NOT_FOUND');
        },
      },
      (request, reply) => sendUpload(request, reply, root, shape),
    );
  }
};

export const staticFiles = fp(plugin, { name: 'static-files' });

function contentOf(types: string[]) {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
}

async function sendUpload(
  request: FastifyRequest<{ Params: { name: string } }>,
  reply: FastifyReply,
  root: string,
  shape: RegExp,
): Promise<FastifyReply> {
  const { name } = request.params;
  const stats = shape.test(name) ? await lstat(join(root, name)).catch(() => undefined) : undefined;
  if (stats === undefined || !stats.isFile()) throw new ServiceError('NOT_FOUND');
  if (request.headers.range?.includes(',')) {
    // Many small ranges of one file cost more than they are worth (CVE-2011-3192).
    reply.header('content-range', `bytes */${stats.size}`);
    throw new ServiceError('RANGE_NOT_SATISFIABLE');
  }
  // Node's fetch sends no-cache with every conditional request; a file that has not changed is still 304.
  delete request.raw.headers['cache-control'];
  return reply
    .header('cache-control', CACHE)
    .header('cross-origin-resource-policy', 'cross-origin')
    .sendFile(name, root, { cacheControl: false, dotfiles: 'deny', index: false });
}
