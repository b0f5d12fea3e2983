import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAccount } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsersWithProfile, auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import { createQrCodeGallery } from '../../codes/index.ts';
import {
  addPicture,
  changePicture,
  createPictureChangeSchema,
  MAX_PICTURE_UPLOAD_BYTES,
  MISSING_PICTURE_ERROR,
  NewPicture,
  removePicture,
  restoreDeletedPicture,
} from '../../files/index.ts';
import { getFormContext } from '../form-context.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { redirectToContent, sendContentPage, toRefusedPage } from './content-page.ts';
import { MAX_QR_CODE_PICTURES } from './pictures-section.ts';

const CodeParams = createIdParamsSchema('accountId', 'id');
const PictureParams = createIdParamsSchema('accountId', 'id', 'pictureId');

const OptionalText = Type.Optional(Type.String());

const findNewPictureErrors = createBodyValidator(NewPicture);
const findChangeErrors = createBodyValidator(createPictureChangeSchema(MAX_QR_CODE_PICTURES));

/** The photos of a code, on the page of its content. */
export const picturePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const gallery = createQrCodeGallery(services);
  const { auditActions } = gallery;
  const access = allowByCookie(allowUsersWithProfile(gallery.permission));

  app.post(
    '/:accountId/codes/:id/pictures',
    {
      config: {
        access,
        audit: auditAs(auditActions.added),
        rateLimitClass: 'upload',
        form: { files: { picture: { maxBytes: MAX_PICTURE_UPLOAD_BYTES } } },
      },
      schema: {
        hide: true,
        params: CodeParams,
        body: Type.Object({ caption: OptionalText, key: OptionalText }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { key, caption = '' } = request.body;
      const fields = caption.trim() === '' ? {} : { caption: caption.trim() };
      const upload = request.formFiles.picture;
      const formErrors = [...(upload ? [] : [MISSING_PICTURE_ERROR]), ...findNewPictureErrors({ ...fields })];
      if (formErrors.length > 0)
        return sendContentPage(services, request, reply, { status: 400, formErrors });
      try {
        // Sent twice it is added once.
        const context = getFormContext(request, key);
        const { id: accountId } = requireAccount(request);
        const { disconnect } = request;
        await addPicture(services, context, gallery, { userId: accountId, id, upload, disconnect, fields });
        return redirectToContent(services, request, reply, 'picture-added');
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED' && error.errors)
          return sendContentPage(services, request, reply, {
            status: 400,
            formErrors: error.errors.map((one) => ({ ...one, code: 'NOT_A_PICTURE' })),
          });
        return sendContentPage(services, request, reply, toRefusedPage(error, request, reply));
      }
    },
  );

  app.post(
    '/:accountId/codes/:id/pictures/:pictureId',
    {
      config: { access, audit: auditAs(auditActions.updated) },
      schema: { hide: true, params: PictureParams, body: Type.Record(Type.String(), Type.String()) },
    },
    async (request, reply) => {
      const { id, pictureId } = request.params;
      const { body } = request;
      const captionName = `caption-${pictureId}`;
      const positionName = `position-${pictureId}`;
      const caption = body[captionName]?.trim();
      const position = body[positionName];
      const input = {
        ...(caption !== undefined && { caption: caption === '' ? null : caption }),
        ...(position !== undefined && { position: Number(position) }),
      };
      const toFormError = (error: FieldError) => ({
        ...error,
        field: error.field === 'caption' ? captionName : positionName,
      });
      const formErrors = findChangeErrors({ ...input }).map(toFormError);
      if (formErrors.length > 0)
        return sendContentPage(services, request, reply, { status: 400, formErrors });
      try {
        const target = { gallery, userId: requireAccount(request).id, id, pictureId };
        await changePicture(services, getRequestContext(request), target, input, toIfMatch(body.version));
        return redirectToContent(services, request, reply, 'saved');
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED' && error.errors)
          return sendContentPage(services, request, reply, {
            status: 400,
            formErrors: error.errors.map(toFormError),
          });
        return sendContentPage(services, request, reply, toRefusedPage(error, request, reply));
      }
    },
  );

  app.post(
    '/:accountId/codes/:id/pictures/:pictureId/delete',
    {
      config: { access, audit: auditAs(auditActions.deleted) },
      schema: { hide: true, params: PictureParams, body: Type.Object({ version: OptionalText }) },
    },
    async (request, reply) => {
      const { id, pictureId } = request.params;
      try {
        const target = { gallery, userId: requireAccount(request).id, id, pictureId };
        const ifMatch = toIfMatch(request.body.version);
        await removePicture(services, getRequestContext(request), target, ifMatch);
        return redirectToContent(services, request, reply, 'picture-deleted', pictureId);
      } catch (error) {
        return sendContentPage(services, request, reply, toRefusedPage(error, request, reply));
      }
    },
  );

  app.post(
    '/:accountId/codes/:id/pictures/:pictureId/restore',
    {
      config: { access, audit: auditAs(auditActions.restored) },
      schema: { hide: true, params: PictureParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const { id, pictureId } = request.params;
      try {
        const target = { gallery, userId: requireAccount(request).id, id, pictureId };
        await restoreDeletedPicture(services, getRequestContext(request), target, undefined);
        return redirectToContent(services, request, reply, 'picture-restored');
      } catch (error) {
        return sendContentPage(services, request, reply, toRefusedPage(error, request, reply));
      }
    },
  );
};

function toIfMatch(version: string | undefined): string | undefined {
  return version === undefined ? undefined : formatVersionEtag(Number(version));
}
