import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { defineUpdateRoutes } from '../../../platform/http/update-routes.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import {
  allowUsers,
  allowUsersWithProfile,
  auditAs,
  hasAccountPermission,
} from '../../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../../shared/common.schemas.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { addPicture, type GalleryServices, MISSING_PICTURE_ERROR } from './add-picture.ts';
import { changePicture, createPicturePositionError } from './change-picture.use-case.ts';
import { purgePicture, removePicture, restoreDeletedPicture } from './delete-picture.use-case.ts';
import { listRestorablePictures, MAX_LISTED_DELETED_PICTURES } from './deleted-pictures.ts';
import { countPictures, findPicture, listPictures } from './gallery.repository.ts';
import { createPictureChangeSchema, NewPicture } from './gallery.schemas.ts';
import { type PictureGallery, toDeletedPictureView, toPictureView } from './gallery.ts';
import { MAX_PICTURE_UPLOAD_BYTES } from './process-upload.ts';
import { PICTURE_RESPONSES, PictureQuery, sendPicture } from './send-picture.ts';

const PICTURE_PARAMS = createIdParamsSchema('id', 'pictureId');

/** Routes to read and change the pictures of a gallery. Register them below its `path`. */
export const galleryRoutes: FastifyPluginAsyncTypebox<GalleryServices & { gallery: PictureGallery }> = async (
  app,
  { gallery, ...services },
) => {
  const { database, publicBaseUrl } = services;
  const { name, subject, maxPictures, readAudit, auditActions } = gallery;
  const access = allowUsers(gallery.permission);
  const tags = [gallery.tag];
  const PictureChange = createPictureChangeSchema(maxPictures);

  app.get(
    '/:id/pictures',
    {
      config: { access, audit: readAudit, cache: 'revalidate' },
      schema: {
        operationId: `${name}.listPictures`,
        tags,
        summary: `List all pictures of ${subject} in order`,
        description: 'All at once, without pages. Download each at its `url`, unless it is deleted.',
        params: createIdParamsSchema('id'),
        querystring: Type.Object({
          deleted: Type.Optional(
            Type.Boolean({
              description: `Lists the last ${MAX_LISTED_DELETED_PICTURES} deleted ones that can be restored, in place of the others, for those who may restore them (else 403). The last deleted comes first.`,
            }),
          ),
        }),
        response: {
          200: Type.Object({ data: Type.Array(schemaRef(gallery.schema)) }),
          ...createProblemResponseSchemas(403, 404),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      const user = requireAuthenticatedUser(request);
      if (request.query.deleted && !hasAccountPermission(user, gallery.permission, 'POST'))
        throw new ServiceError('FORBIDDEN');
      const { accountId } = await gallery.authorizeRead(
        getRequestContext(request),
        requireAccount(request).id,
        id,
      );
      const key = gallery.toKey(id);
      if (request.query.deleted) {
        const deleted = await listRestorablePictures(database.client, accountId, key);
        return { data: deleted.map((row) => toDeletedPictureView(publicBaseUrl, gallery, id, row)) };
      }
      const rows = await listPictures(database.client, accountId, key);
      return { data: rows.map((row) => toPictureView(publicBaseUrl, gallery, id, row)) };
    },
  );

  app.post(
    '/:id/pictures',
    {
      config: {
        access: allowUsersWithProfile(gallery.permission),
        audit: auditAs(auditActions.added),
        rateLimitClass: 'upload',
        form: { files: { picture: { maxBytes: MAX_PICTURE_UPLOAD_BYTES, isRequired: true } } },
        findUseCaseErrors: (_body, { formFiles }) => (formFiles.picture ? [] : [MISSING_PICTURE_ERROR]),
      },
      schema: {
        operationId: `${name}.addPicture`,
        tags,
        summary: 'Add a picture after the others',
        description: `A form with the file \`picture\`: JPEG, PNG, WebP, GIF, AVIF or HEIC of up to 20 MB and 50 million pixels (AVIF: 20 million, HEIC: 25 million). The image is re-encoded: upright, sRGB, up to 4,096 pixels on the longer edge, without metadata. Only the first frame of an animation is kept. There can be up to ${maxPictures} pictures of ${subject} (409 TOO_MANY_PICTURES). Their size counts towards the storage quota (403 PLAN_LIMIT_REACHED).`,
        headers: IdempotencyKeyHeader,
        params: createIdParamsSchema('id'),
        body: NewPicture,
        response: {
          201: schemaRef(gallery.schema),
          ...createProblemResponseSchemas(403, 404, 409, 413, 503),
        },
      },
    },
    async (request, reply) => {
      const upload = {
        userId: requireAccount(request).id,
        id: request.params.id,
        fields: request.body,
        upload: request.formFiles.picture,
        disconnect: request.disconnect,
      };
      return prepareCreatedReply(
        reply,
        await addPicture(services, getRequestContext(request), gallery, upload),
      );
    },
  );

  app.get(
    '/:id/pictures/:pictureId',
    {
      config: { access, audit: readAudit, rateLimitClass: 'static' },
      schema: {
        operationId: `${name}.getPicture`,
        tags,
        summary: 'Get a picture in a requested width',
        description:
          'AVIF or WebP if Accept names it, otherwise JPEG. Each width is drawn when it is first requested. Revalidate a stored copy by its ETag.',
        params: PICTURE_PARAMS,
        querystring: PictureQuery,
        response: PICTURE_RESPONSES,
      },
    },
    async (request, reply) => {
      const { id, pictureId } = request.params;
      const { accountId } = await gallery.authorizeRead(
        getRequestContext(request),
        requireAccount(request).id,
        id,
      );
      const picture = await findPicture(database.client, accountId, gallery.toKey(id), pictureId);
      if (!picture) throw new ServiceError('NOT_FOUND');
      return sendPicture(services, { picture, w: request.query.w }, request, reply);
    },
  );

  defineUpdateRoutes(app, {
    url: '/:id/pictures/:pictureId',
    operationIds: { put: `${name}.updatePicture`, patch: `${name}.patchPicture` },
    config: { access, audit: auditAs(auditActions.updated), findUseCaseErrors: findChangeErrors },
    schema: {
      tags,
      summary: 'Update the caption or the position of a picture',
      description:
        'A new `position` moves the pictures in between. It can be at most the number of pictures (400).',
      params: PICTURE_PARAMS,
      body: PictureChange,
      response: { 200: schemaRef(gallery.schema), ...createProblemResponseSchemas(404, 412) },
    },
    handler: async (request) => updatePicture(request, request.params, request.body),
  });

  app.delete(
    '/:id/pictures/:pictureId',
    {
      config: { access, audit: auditAs(auditActions.deleted) },
      schema: {
        operationId: `${name}.deletePicture`,
        tags,
        summary: `Delete a picture; it can be restored for ${formatLifetime('deletedPicture')}. Later pictures move up`,
        description: `Nobody sees it any more. Its file stays, and counts towards the storage quota, for ${formatLifetime('deletedPicture')}. \`permanent=true\` removes it at once, also one that is deleted.`,
        params: PICTURE_PARAMS,
        querystring: Type.Object({
          permanent: Type.Optional(
            Type.Boolean({
              default: false,
              description: 'Remove it at once, so that it cannot be restored.',
            }),
          ),
        }),
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(404, 412) },
      },
    },
    async (request) => {
      const { id, pictureId } = request.params;
      const target = { gallery, userId: requireAccount(request).id, id, pictureId };
      const remove = request.query.permanent ? purgePicture : removePicture;
      await remove(services, getRequestContext(request), target, request.headers['if-match']);
      return { id: pictureId, deleted: true as const };
    },
  );

  app.post(
    '/:id/pictures/:pictureId/restore',
    {
      config: {
        access: allowUsersWithProfile(gallery.permission),
        audit: auditAs(auditActions.restored),
        storesResponse: true,
      },
      schema: {
        operationId: `${name}.restorePicture`,
        tags,
        summary: `Restore a deleted picture within ${formatLifetime('deletedPicture')}`,
        description: `It gets its position back, and later pictures move down. 404 if it is too late; 409 TOO_MANY_PICTURES if there are ${maxPictures} again.`,
        params: PICTURE_PARAMS,
        response: { 200: schemaRef(gallery.schema), ...createProblemResponseSchemas(403, 404, 409, 412) },
      },
    },
    async (request) => {
      const { id, pictureId } = request.params;
      const target = { gallery, userId: requireAccount(request).id, id, pictureId };
      const context = getRequestContext(request);
      const row = await restoreDeletedPicture(services, context, target, request.headers['if-match']);
      return toPictureView(publicBaseUrl, gallery, id, row);
    },
  );

  async function findChangeErrors(
    { position = 1 }: Static<typeof PictureChange>,
    request: FastifyRequest,
  ): Promise<FieldError[]> {
    const { id } = request.params as { id: string };
    const { accountId } = await gallery.findOwner(database.client, requireAccount(request).id, id, 'UPDATE');
    const count = await countPictures(database.client, accountId, gallery.toKey(id));
    return position > count ? [createPicturePositionError(count)] : [];
  }

  async function updatePicture(
    request: FastifyRequest,
    { id, pictureId }: { id: string; pictureId: string },
    body: Static<typeof PictureChange>,
  ) {
    const target = { gallery, userId: requireAccount(request).id, id, pictureId };
    const context = getRequestContext(request);
    const row = await changePicture(services, context, target, body, request.headers['if-match']);
    return toPictureView(publicBaseUrl, gallery, id, row);
  }
};
