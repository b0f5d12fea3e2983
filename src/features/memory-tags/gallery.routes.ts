import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import { requireUser } from '../../platform/authentication.ts';
import { assertIfMatch, formatVersionEtag } from '../../platform/http/if-match.ts';
import { replyCreated } from '../../platform/http/reply-created.ts';
import { createProblemResponses } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../platform/route-access.ts';
import {
  createIdParams,
  DeletedResponse,
  IdempotencyHeader,
  schemaRef,
} from '../../shared/common.schemas.ts';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import { MAX_UPLOAD_BYTES, PICTURE_RESPONSES, PictureQuery, sendPicture } from '../files/index.ts';
import { addPicture, assertWithinQuota, type GalleryServices } from './add-picture.ts';
import {
  countPictures,
  deletePicture,
  findPicture,
  listPictures,
  updatePicture,
} from './gallery.repository.ts';
import { MemoryTagPicture, MemoryTagPictureList, NewPicture, PictureChange } from './gallery.schemas.ts';
import { toPictureView } from './gallery.view.ts';
import { getGalleryTag, lockGalleryTag } from './gallery-access.ts';

const OWN_ACCESS = allowUsers('memory-tags:own');
const PICTURE_PARAMS = createIdParams('id', 'pictureId');

/** The pictures of a memory tag, in their order. */
export const galleryRoutes: FastifyPluginAsyncTypebox<GalleryServices> = async (app, services) => {
  const { database, files } = services;

  app.get(
    '/:id/pictures',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('MEMORY_TAG'), cache: 'revalidate' },
      schema: {
        operationId: 'memoryTags.pictures',
        tags: ['Memory tags'],
        summary: 'The pictures of a memory tag, all of them, in their order.',
        params: createIdParams('id'),
        response: { 200: MemoryTagPictureList },
      },
    },
    async (request) => {
      const tag = await getGalleryTag(database.client, requireUser(request).id, request.params.id);
      return { data: (await listPictures(database.client, tag.id)).map(toPictureView) };
    },
  );

  app.post(
    '/:id/pictures',
    {
      config: {
        access: allowUsersWithProfile('memory-tags:own'),
        audit: auditAs('PICTURE_ADDED'),
        rateLimitClass: 'upload',
        form: { files: { picture: { maxBytes: MAX_UPLOAD_BYTES } } },
      },
      schema: {
        operationId: 'memoryTags.addPicture',
        tags: ['Memory tags'],
        summary: 'Add a picture behind the others.',
        description:
          'A form with the file `picture`: JPEG, PNG, WebP, GIF or AVIF of 20 MB and 50 million pixels (AVIF: 20 million) at most. It is drawn anew: upright, in sRGB, 4,096 pixels on the longer edge at most, without a place, a camera or a text in it; of what moves the first frame is kept. A memory tag has 100 pictures at most (409 TOO_MANY_PICTURES); their bytes count for the storage of the package (403 PLAN_LIMIT_REACHED).',
        headers: IdempotencyHeader,
        params: createIdParams('id'),
        body: NewPicture,
        response: { 201: schemaRef(MemoryTagPicture), ...createProblemResponses(404, 409, 413, 503) },
      },
    },
    async (request, reply) => {
      const sent = { userId: requireUser(request).id, tagId: request.params.id, fields: request.body };
      const made = await addPicture(services, getRequestContext(request), {
        ...sent,
        upload: request.formFiles.picture,
      });
      return replyCreated(reply, made);
    },
  );

  app.get(
    '/:id/pictures/:pictureId',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('MEMORY_TAG'), rateLimitClass: 'static' },
      schema: {
        operationId: 'memoryTags.picture',
        tags: ['Memory tags'],
        summary: 'A picture, as wide as asked for.',
        params: PICTURE_PARAMS,
        querystring: PictureQuery,
        response: PICTURE_RESPONSES,
      },
    },
    async (request, reply) => {
      const { id, pictureId } = request.params;
      const tag = await getGalleryTag(database.client, requireUser(request).id, id);
      const picture = await findPicture(database.client, tag.id, pictureId);
      if (!picture) throw new ServiceError('NOT_FOUND');
      return sendPicture(services, { picture, w: request.query.w }, request, reply);
    },
  );

  for (const method of ['PUT', 'PATCH'] as const) {
    app.route({
      method,
      url: '/:id/pictures/:pictureId',
      config: { access: OWN_ACCESS, audit: auditAs('PICTURE_UPDATED') },
      schema: {
        operationId: method === 'PUT' ? 'memoryTags.updatePicture' : 'memoryTags.patchPicture',
        tags: ['Memory tags'],
        summary: 'Change the caption of a picture, or its place: what is not given stays, null clears.',
        params: PICTURE_PARAMS,
        body: PictureChange,
        response: { 200: schemaRef(MemoryTagPicture), ...createProblemResponses(404, 412) },
      },
      handler: async (request, reply) => {
        const { id, pictureId } = request.params;
        const changed = await database.transaction(async (tx) => {
          const tag = await lockGalleryTag(tx, requireUser(request).id, id);
          const row = await findPicture(tx, id, pictureId);
          if (!row) throw new ServiceError('NOT_FOUND');
          assertIfMatch(request.headers['if-match'], row.version);
          await assertWithinQuota(services, tx, tag);
          const { caption = row.caption, position = row.position } = request.body;
          const count = await countPictures(tx, id);
          if (position > count) throw createPositionError(count);
          const change = { caption: caption?.normalize('NFC') ?? null, position };
          const after = await updatePicture(tx, row, change);
          await recordAuditEntry(tx, getRequestContext(request), {
            resourceId: id,
            changes: Object.keys(request.body),
          });
          return toPictureView(after);
        });
        return reply.header('ETag', formatVersionEtag(changed.version)).send(changed);
      },
    });
  }

  app.delete(
    '/:id/pictures/:pictureId',
    {
      config: { access: OWN_ACCESS, audit: auditAs('PICTURE_DELETED') },
      schema: {
        operationId: 'memoryTags.deletePicture',
        tags: ['Memory tags'],
        summary: 'Delete a picture for good; those behind it move up.',
        params: PICTURE_PARAMS,
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponses(404, 412) },
      },
    },
    async (request) => {
      const { id, pictureId } = request.params;
      await database.transaction(async (tx) => {
        await lockGalleryTag(tx, requireUser(request).id, id);
        const row = await findPicture(tx, id, pictureId);
        if (!row) throw new ServiceError('NOT_FOUND');
        assertIfMatch(request.headers['if-match'], row.version);
        await files.remove(tx, await deletePicture(tx, row));
        await recordAuditEntry(tx, getRequestContext(request), { resourceId: id });
      });
      return { id: pictureId, deleted: true as const };
    },
  );
};

function createPositionError(count: number): ServiceError {
  return createValidationError({
    field: 'position',
    code: 'TOO_LARGE',
    message: `Must be at most ${count}.`,
  });
}
