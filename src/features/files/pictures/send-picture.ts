import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../../../platform/database.ts';
import { addVary } from '../../../platform/http/add-vary.ts';
import { matchesIfNoneMatch } from '../../../platform/http/conditional-request.rules.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { CONTENT_DISPOSITION_HEADER } from '../../../platform/openapi-headers.ts';
import { truncateIpAddress } from '../../../shared/client-address.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { EncryptedFileStore } from '../encrypted-file-store.ts';
import {
  DEFAULT_RENDITION_WIDTH,
  negotiateRenditionFormat,
  RENDITION_FORMATS,
  RENDITION_WIDTHS,
  type RenditionWidth,
} from './rendition.rules.ts';
import type { RenditionService, StoredPicture } from './renditions.ts';

export interface PictureServices {
  database: Database;
  files: EncryptedFileStore;
  renditions: RenditionService;
}

export const PictureQuery = Type.Object({
  w: Type.Unsafe<RenditionWidth>({
    type: 'integer',
    enum: [...RENDITION_WIDTHS],
    default: DEFAULT_RENDITION_WIDTH,
    description: 'Width in pixels. Narrower pictures are not enlarged.',
  }),
});

export const PICTURE_RESPONSES = {
  200: {
    description: 'The picture in the format preferred by Accept: AVIF or WebP when named, otherwise JPEG.',
    headers: CONTENT_DISPOSITION_HEADER,
    content: Object.fromEntries(
      RENDITION_FORMATS.map((format) => [
        `image/${format}`,
        { schema: { type: 'string', format: 'binary' } },
      ]),
    ),
  },
  304: { description: 'Not modified.', type: 'null' },
  ...createProblemResponseSchemas(404, 503),
};

/** Send a picture in the format that the client prefers. Clients may cache it but must revalidate. */
export async function sendPicture(
  { database, files, renditions }: PictureServices,
  { picture, w: width }: { picture: StoredPicture; w: RenditionWidth },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const format = negotiateRenditionFormat(request.headers.accept);
  const requester = truncateIpAddress(request.clientAddress);
  const { fileId, size } = await renditions.getRendition(picture, { width, format, requester });
  // A file is never changed, so its id identifies the bytes.
  const etag = `"${fileId}"`;
  addVary(reply, 'Accept').header('ETag', etag).header('Cache-Control', 'private, no-cache');
  if (matchesIfNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const { accountId } = picture;
  return sendPictureFile({ database, files }, { accountId, fileId, format, size }, request, reply);
}

/** Send a stored picture; HEAD opens no file. @throws NOT_FOUND */
export async function sendPictureFile(
  { database, files }: Pick<PictureServices, 'database' | 'files'>,
  { accountId, fileId, format, size }: { accountId: string; fileId: string; format: string; size: number },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const content =
    request.method === 'HEAD' ? Readable.from([]) : await files.open(database.client, accountId, fileId);
  if (!content) throw new ServiceError('NOT_FOUND');
  return reply
    .type(`image/${format}`)
    .header('Content-Length', size)
    .header('Content-Disposition', 'inline')
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .send(content);
}
