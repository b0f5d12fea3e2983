import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import { prepareCreatedReply } from '../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../shared/common.schemas.ts';
import { createValidationError, type FieldError, ServiceError } from '../../shared/errors.ts';
import { MAX_PICTURE_UPLOAD_BYTES, PICTURE_RESPONSES, PictureQuery, sendPicture } from '../files/index.ts';
import {
  addMemoryTagPicture,
  assertMemoryTagWithinQuota,
  type MemoryTagGalleryServices,
  MISSING_PICTURE_ERROR,
} from './add-picture.ts';
import {
  countMemoryTagPictures,
  deleteMemoryTagPicture,
  findMemoryTagPicture,
  listMemoryTagPictures,
  updateMemoryTagPicture,
} from './gallery.repository.ts';
import {
  MemoryTagPicture,
  MemoryTagPictureChange,
  MemoryTagPictureList,
  NewMemoryTagPicture,
} from './gallery.schemas.ts';
import { toMemoryTagPictureView } from './gallery.view.ts';
import { lockEditableMemoryTagRow, requireEditableMemoryTag } from './gallery-access.ts';

const OWN_ACCESS = allowUsers('memory-tags:own');
const PICTURE_PARAMS = createIdParamsSchema('id', 'pictureId');

export const memoryTagGalleryRoutes: FastifyPluginAsyncTypebox<MemoryTagGalleryServices> = async (
  app,
  services,
) => {
  const { database, files } = services;

  app.get(
    '/:id/pictures',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('MEMORY_TAG'), cache: 'revalidate' },
      schema: {
        operationId: 'memoryTags.pictures',
        tags: ['Memory tags'],
        summary: 'List all pictures of a memory tag in order.',
        params: createIdParamsSchema('id'),
        response: { 200: MemoryTagPictureList },
      },
    },
    async (request) => {
      const tag = await requireEditableMemoryTag(
        database.client,
        requireAuthenticatedUser(request).id,
        request.params.id,
      );
      return { data: (await listMemoryTagPictures(database.client, tag.id)).map(toMemoryTagPictureView) };
    },
  );

  app.post(
    '/:id/pictures',
    {
      config: {
        access: allowUsersWithProfile('memory-tags:own'),
        audit: auditAs('PICTURE_ADDED'),
        rateLimitClass: 'upload',
        form: { files: { picture: { maxBytes: MAX_PICTURE_UPLOAD_BYTES } } },
        findBodyErrors: (_body, { formFiles }) => (formFiles.picture ? [] : [MISSING_PICTURE_ERROR]),
      },
      schema: {
        operationId: 'memoryTags.addPicture',
        tags: ['Memory tags'],
        summary: 'Add a picture at the end of the gallery.',
        description:
          'A form with the file `picture`: JPEG, PNG, WebP, GIF, AVIF or HEIC of up to 20 MB and 50 million pixels (AVIF: 20 million, HEIC: 25 million). The image is re-encoded: upright, sRGB, up to 4,096 pixels on the longer edge, without metadata. Only the first frame of an animation is kept. A memory tag can have up to 100 pictures (409 TOO_MANY_PICTURES). Their size counts towards the storage quota (403 PLAN_LIMIT_REACHED).',
        headers: IdempotencyKeyHeader,
        params: createIdParamsSchema('id'),
        body: NewMemoryTagPicture,
        response: { 201: schemaRef(MemoryTagPicture), ...createProblemResponseSchemas(404, 409, 413, 503) },
      },
    },
    async (request, reply) => {
      const input = {
        userId: requireAuthenticatedUser(request).id,
        tagId: request.params.id,
        fields: request.body,
      };
      const result = await addMemoryTagPicture(services, getRequestContext(request), {
        ...input,
        upload: request.formFiles.picture,
        disconnect: request.disconnect,
      });
      return prepareCreatedReply(reply, result);
    },
  );

  app.get(
    '/:id/pictures/:pictureId',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('MEMORY_TAG'), rateLimitClass: 'static' },
      schema: {
        operationId: 'memoryTags.picture',
        tags: ['Memory tags'],
        summary: 'Get a picture in a requested width.',
        params: PICTURE_PARAMS,
        querystring: PictureQuery,
        response: PICTURE_RESPONSES,
      },
    },
    async (request, reply) => {
      const { id, pictureId } = request.params;
      const tag = await requireEditableMemoryTag(database.client, requireAuthenticatedUser(request).id, id);
      const picture = await findMemoryTagPicture(database.client, tag.id, pictureId);
      if (!picture) throw new ServiceError('NOT_FOUND');
      return sendPicture(services, { picture, w: request.query.w }, request, reply);
    },
  );

  const updateSchema = {
    tags: ['Memory tags'],
    summary:
      'Update the caption or the position of a picture. Omitted fields keep their values; null clears a field.',
    params: PICTURE_PARAMS,
    body: MemoryTagPictureChange,
    response: { 200: schemaRef(MemoryTagPicture), ...createProblemResponseSchemas(404, 412) },
  };
  app.put(
    '/:id/pictures/:pictureId',
    {
      config: { access: OWN_ACCESS, audit: auditAs('PICTURE_UPDATED'), findBodyErrors: findChangeErrors },
      schema: { operationId: 'memoryTags.updatePicture', ...updateSchema },
    },
    async (request) => changePicture(request, request.params, request.body),
  );

  app.patch(
    '/:id/pictures/:pictureId',
    {
      config: { access: OWN_ACCESS, audit: auditAs('PICTURE_UPDATED'), findBodyErrors: findChangeErrors },
      schema: { operationId: 'memoryTags.patchPicture', ...updateSchema },
    },
    async (request) => changePicture(request, request.params, request.body),
  );

  app.delete(
    '/:id/pictures/:pictureId',
    {
      config: { access: OWN_ACCESS, audit: auditAs('PICTURE_DELETED') },
      schema: {
        operationId: 'memoryTags.deletePicture',
        tags: ['Memory tags'],
        summary: 'Delete a picture permanently. Later pictures move up.',
        params: PICTURE_PARAMS,
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(404, 412) },
      },
    },
    async (request) => {
      const { id, pictureId } = request.params;
      await database.transaction(async (tx) => {
        await lockEditableMemoryTagRow(tx, requireAuthenticatedUser(request).id, id);
        const row = await findMemoryTagPicture(tx, id, pictureId);
        if (!row) throw new ServiceError('NOT_FOUND');
        assertIfMatch(request.headers['if-match'], row.version);
        await files.remove(tx, await deleteMemoryTagPicture(tx, row));
        await recordAuditEntry(tx, getRequestContext(request), { resourceId: id });
      });
      return { id: pictureId, deleted: true as const };
    },
  );

  async function findChangeErrors(
    { position = 1 }: Static<typeof MemoryTagPictureChange>,
    request: FastifyRequest,
  ): Promise<FieldError[]> {
    const { id } = request.params as { id: string };
    const tag = await requireEditableMemoryTag(database.client, requireAuthenticatedUser(request).id, id);
    const count = await countMemoryTagPictures(database.client, tag.id);
    return position > count ? [createPositionError(count)] : [];
  }

  async function changePicture(
    request: FastifyRequest,
    { id, pictureId }: { id: string; pictureId: string },
    body: Static<typeof MemoryTagPictureChange>,
  ) {
    return database.transaction(async (tx) => {
      const tag = await lockEditableMemoryTagRow(tx, requireAuthenticatedUser(request).id, id);
      const row = await findMemoryTagPicture(tx, id, pictureId);
      if (!row) throw new ServiceError('NOT_FOUND');
      assertIfMatch(request.headers['if-match'], row.version);
      await assertMemoryTagWithinQuota(services, tx, tag);
      const { caption = row.caption, position = row.position } = body;
      const count = await countMemoryTagPictures(tx, id);
      if (position > count) throw createValidationError(createPositionError(count));
      const change = { caption: caption?.normalize('NFC') ?? null, position };
      const after = await updateMemoryTagPicture(tx, row, change);
      await recordAuditEntry(tx, getRequestContext(request), {
        resourceId: id,
        changes: Object.keys(body),
      });
      return toMemoryTagPictureView(after);
    });
  }
};

function createPositionError(count: number): FieldError {
  return { field: 'position', code: 'TOO_LARGE', message: `Must be at most ${count}.` };
}
