import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { sendLocalizedHtmlPage } from '../../../platform/pages/page-frame.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import {
  createQrCodeGallery,
  decryptQrCodeData,
  getOwnQrCode,
  getQrCodeKindByName,
  PAGE_DESIGN_FEATURE,
  parseFieldVisibilities,
  readOwnQrCode,
  resolveFieldVisibilities,
  toPageDesign,
  updateOwnQrCode,
} from '../../codes/index.ts';
import {
  addPicture,
  listPictures,
  MAX_PICTURE_UPLOAD_BYTES,
  MISSING_PICTURE_ERROR,
} from '../../files/index.ts';
import { createUnsavedPage } from '../../finder/index.ts';
import { CodeParams, ONE_CODE_ACCESS, ONE_CODE_FORM_ACCESS } from '../codes/code-actions.ts';
import { getCodePath } from '../codes/code-parts.ts';
import { getFormContext } from '../form-context.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { mergePageDesignForm, PageDesignForm, parsePageDesign } from './page-design-form.rules.ts';
import { type DesignDone, sendDesignPage, toRefusedDesign } from './page-design-page.ts';

/** The look of the page of a code: color, cover, logo and the order of its sections. */
export const pageDesignRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const gallery = createQrCodeGallery(services);
  const brandColor = services.brand.color;
  const getPath = (params: { accountId: string; id: string }, done: DesignDone) =>
    `${getCodePath(services, params)}/page?done=${done}`;

  app.get(
    '/:accountId/codes/:id/page',
    {
      config: { access: ONE_CODE_FORM_ACCESS, audit: auditAs('MEDICAL_DATA_READ'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: CodeParams,
        querystring: Type.Object({ done: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => sendDesignPage(services, request, reply, { done: request.query.done }),
  );

  app.post(
    '/:accountId/codes/:id/page',
    {
      config: { access: ONE_CODE_ACCESS, audit: auditAs('QRCODE_UPDATED') },
      schema: { hide: true, params: CodeParams, body: PageDesignForm },
    },
    async (request, reply) => {
      const { params, body: fields } = request;
      try {
        const row = await getOwnQrCode(services.database.client, params);
        const pageDesign = parsePageDesign(fields, { kind: row.kind, brandColor });
        const ifMatch = fields.version === undefined ? undefined : formatVersionEtag(Number(fields.version));
        await updateOwnQrCode(services, getRequestContext(request), row, { pageDesign }, ifMatch);
        const path = getPath(params, fields.reset ? 'reset' : 'saved');
        return reply.redirect(fields.move ? `${path}#order` : path, 303);
      } catch (error) {
        return sendDesignPage(services, request, reply, {
          ...toRefusedDesign(error, request, reply),
          fields,
        });
      }
    },
  );

  app.post(
    '/:accountId/codes/:id/page/preview',
    {
      config: { access: ONE_CODE_ACCESS, audit: auditAs('MEDICAL_DATA_READ'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams, body: PageDesignForm },
    },
    async (request, reply) => {
      const code = await readOwnQrCode(
        services.database,
        getRequestContext(request),
        request.params,
        async (row, tx) => ({
          ...row,
          pictures: await listPictures(tx, row.accountId, { qrCodeId: row.id }),
        }),
      );
      const change = parsePageDesign(request.body, { kind: code.kind, brandColor });
      const pageDesign = mergePageDesignForm(toPageDesign(code.pageDesign), change);
      const unsaved = {
        code: { ...code, pageDesign },
        data: decryptQrCodeData(services.fieldCipher, code),
        visibility: resolveFieldVisibilities(
          getQrCodeKindByName(code.kind),
          parseFieldVisibilities(code.visibility),
          code.pinHash !== null,
        ),
      };
      const page = await createUnsavedPage(services, unsaved, chooseOwnerPageLocale(request));
      return sendLocalizedHtmlPage(reply, page);
    },
  );

  app.post(
    '/:accountId/codes/:id/page/pictures',
    {
      config: {
        access: ONE_CODE_ACCESS,
        audit: auditAs(gallery.auditActions.added),
        rateLimitClass: 'upload',
        form: { files: { picture: { maxBytes: MAX_PICTURE_UPLOAD_BYTES } } },
      },
      schema: {
        hide: true,
        params: CodeParams,
        body: Type.Object({ use: Type.Optional(Type.String()), key: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { params, disconnect } = request;
      const { id, accountId } = params;
      const upload = request.formFiles.picture;
      const { client } = services.database;
      try {
        await getOwnQrCode(client, params);
        if (!upload)
          return await sendDesignPage(services, request, reply, {
            status: 400,
            errors: [MISSING_PICTURE_ERROR],
          });
        // Not a photo that cannot be used for anything.
        await services.assertFeature(client, PAGE_DESIGN_FEATURE, accountId);
        const context = getFormContext(request, request.body.key);
        const added = await addPicture(services, context, gallery, {
          userId: accountId,
          id,
          upload,
          disconnect,
          fields: {},
        });
        const member = request.body.use === 'coverPictureId' ? 'coverPictureId' : 'logoPictureId';
        const row = await getOwnQrCode(client, params);
        const change = { pageDesign: { [member]: added.body.id } };
        await updateOwnQrCode(services, getRequestContext(request), row, change, undefined);
        return reply.redirect(getPath(params, 'picture-added'), 303);
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED' && error.errors)
          return sendDesignPage(services, request, reply, {
            status: 400,
            errors: error.errors.map((one) => ({ ...one, code: 'NOT_A_PICTURE' })),
          });
        return sendDesignPage(services, request, reply, toRefusedDesign(error, request, reply));
      }
    },
  );
};
