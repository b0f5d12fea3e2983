import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import {
  addPicture,
  changePicture,
  createPictureChangeSchema,
  findPicture,
  listPictures,
  listRestorablePictures,
  MAX_PICTURE_UPLOAD_BYTES,
  MISSING_PICTURE_ERROR,
  NewPicture,
  removePicture,
  restoreDeletedPicture,
  sendDeletedPicture,
  sendPicture,
} from '../../files/index.ts';
import { createMemoryTagGallery } from '../../memory-tags/index.ts';
import { renderDeletedPictures } from '../content/deleted-pictures-section.ts';
import { PicturePageQuery, renderPictures, renderPictureUndo } from '../content/pictures-section.ts';
import { getFormContext } from '../form-context.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { canUse } from '../reader-permissions.ts';
import {
  DoneQuery,
  describeRefusal,
  getMemorialPath,
  MEMORIAL_ACCESS,
  MEMORIAL_PAGE_CONFIG,
  MemorialParams,
  type MemorialRequest,
  type Refused,
  requireMemorial,
  sendMemorialPage,
} from './memorial-parts.ts';

const PictureParams = createIdParamsSchema('accountId', 'id', 'pictureId');

const OptionalText = Type.Optional(Type.String());

const findNewPictureErrors = createBodyValidator(NewPicture);

/** The pictures of a memorial. */
export const memorialPicturePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database } = services;
  const gallery = createMemoryTagGallery(services);
  const { auditActions, maxPictures } = gallery;
  const findChangeErrors = createBodyValidator(createPictureChangeSchema(maxPictures));

  app.get(
    '/:accountId/memorials/:id/pictures',
    {
      config: MEMORIAL_PAGE_CONFIG,
      schema: { hide: true, params: MemorialParams, querystring: DoneQuery },
    },
    async (request, reply) => sendPicturesPage(request, reply),
  );

  app.get(
    '/:accountId/memorials/:id/pictures/:pictureId',
    {
      config: { ...MEMORIAL_PAGE_CONFIG, rateLimitClass: 'static' },
      schema: { hide: true, params: PictureParams, querystring: PicturePageQuery },
    },
    async (request, reply) => {
      const { row } = await requireMemorial(services, request);
      const { accountId, id } = row;
      const key = gallery.toKey(id);
      const { pictureId } = request.params;
      if (request.query.deleted) {
        if (!canUse(request, MEMORIAL_ACCESS.permission, 'POST')) throw new ServiceError('NOT_FOUND');
        return sendDeletedPicture(services, accountId, key, pictureId, request, reply);
      }
      const picture = await findPicture(database.client, accountId, key, pictureId);
      if (!picture) throw new ServiceError('NOT_FOUND');
      return sendPicture(services, { picture, w: request.query.w }, request, reply);
    },
  );

  app.post(
    '/:accountId/memorials/:id/pictures',
    {
      config: {
        access: MEMORIAL_ACCESS,
        audit: auditAs(auditActions.added),
        rateLimitClass: 'upload',
        form: { files: { picture: { maxBytes: MAX_PICTURE_UPLOAD_BYTES } } },
      },
      schema: {
        hide: true,
        params: MemorialParams,
        body: Type.Object({ caption: OptionalText, key: OptionalText }),
      },
    },
    async (request, reply) => {
      const { accountId: userId, id } = request.params;
      const { key, caption = '' } = request.body;
      const fields = caption.trim() === '' ? {} : { caption: caption.trim() };
      const upload = request.formFiles.picture;
      const errors = [...(upload ? [] : [MISSING_PICTURE_ERROR]), ...findNewPictureErrors({ ...fields })];
      if (errors.length > 0) return sendPicturesPage(request, reply, { errors });
      try {
        const context = getFormContext(request, key);
        const { disconnect } = request;
        await addPicture(services, context, gallery, { userId, id, upload, disconnect, fields });
        return redirect(request, reply, 'picture-added');
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED' && error.errors)
          return sendPicturesPage(request, reply, {
            errors: error.errors.map((one) => ({ ...one, code: 'NOT_A_PICTURE' })),
          });
        return sendPicturesPage(request, reply, describeRefusal(error, request, reply));
      }
    },
  );

  app.post(
    '/:accountId/memorials/:id/pictures/:pictureId',
    {
      config: { access: MEMORIAL_ACCESS, audit: auditAs(auditActions.updated) },
      schema: { hide: true, params: PictureParams, body: Type.Record(Type.String(), Type.String()) },
    },
    async (request, reply) => {
      const { accountId: userId, id, pictureId } = request.params;
      const { body } = request;
      const caption = body[`caption-${pictureId}`]?.trim();
      const position = body[`position-${pictureId}`];
      const input = {
        ...(caption !== undefined && { caption: caption || null }),
        ...(position !== undefined && { position: Number(position) }),
      };
      const errors = findChangeErrors({ ...input }).map((error) => ({
        ...error,
        field: `${error.field}-${pictureId}`,
      }));
      if (errors.length > 0) return sendPicturesPage(request, reply, { errors });
      try {
        const target = { gallery, userId, id, pictureId };
        await changePicture(services, getRequestContext(request), target, input, toIfMatch(body.version));
        return redirect(request, reply, 'saved');
      } catch (error) {
        return sendPicturesPage(request, reply, describeRefusal(error, request, reply));
      }
    },
  );

  app.post(
    '/:accountId/memorials/:id/pictures/:pictureId/delete',
    {
      config: { access: MEMORIAL_ACCESS, audit: auditAs(auditActions.deleted) },
      schema: { hide: true, params: PictureParams, body: Type.Object({ version: OptionalText }) },
    },
    async (request, reply) => {
      const { accountId: userId, id, pictureId } = request.params;
      try {
        const target = { gallery, userId, id, pictureId };
        const ifMatch = toIfMatch(request.body.version);
        await removePicture(services, getRequestContext(request), target, ifMatch);
        return redirect(request, reply, `picture-deleted&id=${pictureId}`);
      } catch (error) {
        return sendPicturesPage(request, reply, describeRefusal(error, request, reply));
      }
    },
  );

  app.post(
    '/:accountId/memorials/:id/pictures/:pictureId/restore',
    {
      config: { access: MEMORIAL_ACCESS, audit: auditAs(auditActions.restored) },
      schema: { hide: true, params: PictureParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const { accountId: userId, id, pictureId } = request.params;
      try {
        const target = { gallery, userId, id, pictureId };
        await restoreDeletedPicture(services, getRequestContext(request), target, undefined);
        return redirect(request, reply, 'picture-restored');
      } catch (error) {
        return sendPicturesPage(request, reply, describeRefusal(error, request, reply));
      }
    },
  );

  function redirect({ params }: MemorialRequest, reply: FastifyReply, done: string): FastifyReply {
    return reply.redirect(`${getMemorialPath(services, params)}/pictures?done=${done}`, 303);
  }

  async function sendPicturesPage(
    request: MemorialRequest,
    reply: FastifyReply,
    refused: Refused = {},
  ): Promise<FastifyReply> {
    const memorial = await requireMemorial(services, request);
    const section = {
      path: getMemorialPath(services, request.params),
      token: getPermittedFormToken(services, request, reply),
      pictures: await listPictures(database.client, memorial.row.accountId, gallery.toKey(memorial.row.id)),
      errors: refused.errors ?? [],
      max: maxPictures,
    };
    const locale = chooseOwnerPageLocale(request);
    const undo = renderPictureUndo(section.path, Object(request.query), section.token, locale);
    const key = gallery.toKey(memorial.row.id);
    const deleted =
      section.token === null
        ? []
        : await listRestorablePictures(database.client, memorial.row.accountId, key);
    const body = html`${undo}${renderPictures(section, locale)}${renderDeletedPictures({ ...section, pictures: deleted }, locale)}`;
    return sendMemorialPage(services, request, reply, { tab: 'pictures', memorial, refused, body });
  }
};

function toIfMatch(version: string | undefined): string | undefined {
  return version === undefined ? undefined : formatVersionEtag(Number(version));
}
