import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import {
  allowByCookie,
  allowLimitedMembers,
  allowUsersWithProfile,
  auditAs,
} from '../../../platform/route-access.ts';
import { toAsciiDigits } from '../../../shared/ascii-digits.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { getOwnQrCode, QrCodeChange, readOwnQrCode, updateOwnQrCode } from '../../codes/index.ts';
import { listPictures } from '../../files/index.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { redirectToContent, sendContentPage, toRefusedPage } from './content-page.ts';
import { sendPreview } from './preview.ts';
import { getEditedCode, saveContent } from './save-content.ts';

const CodeParams = createIdParamsSchema('accountId', 'id');

const findPinErrors = createBodyValidator(Type.Pick(QrCodeChange, ['pin']));

/** The content of a code: its fields, who sees each of them, and the PIN. */
export const contentPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const access = allowLimitedMembers(allowByCookie(allowUsersWithProfile('qrcodes:own')), 'CODE');

  app.get(
    '/:accountId/codes/:id/content',
    {
      config: { access, audit: auditAs('MEDICAL_DATA_READ'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: CodeParams,
        querystring: Type.Object({ done: Type.Optional(Type.String()), id: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => sendContentPage(services, request, reply, request.query),
  );

  app.post(
    '/:accountId/codes/:id/content',
    {
      config: { access, audit: auditAs('QRCODE_UPDATED') },
      schema: { hide: true, params: CodeParams, body: Type.Record(Type.String(), Type.String()) },
    },
    async (request, reply) => {
      const { timeZone } = requireAuthenticatedUser(request);
      const context = getRequestContext(request);
      try {
        const { rejected } = await saveContent(services, context, request.params, request.body, timeZone);
        if (!rejected) return redirectToContent(services, request, reply, 'saved');
        const status = rejected.errors.length > 0 ? 400 : 409;
        return sendContentPage(services, request, reply, { status, rejected });
      } catch (error) {
        return sendContentPage(services, request, reply, toRefusedPage(error, request, reply));
      }
    },
  );

  app.post(
    '/:accountId/codes/:id/preview',
    {
      config: { access, audit: auditAs('MEDICAL_DATA_READ'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams, body: Type.Record(Type.String(), Type.String()) },
    },
    async (request, reply) => {
      const { timeZone } = requireAuthenticatedUser(request);
      const code = await readOwnQrCode(
        services.database,
        getRequestContext(request),
        request.params,
        async (row, tx) => ({
          ...row,
          pictures: await listPictures(tx, row.accountId, { qrCodeId: row.id }),
        }),
      );
      const preview = { code, values: request.body, timeZone, countsFields: true };
      return sendPreview(services, reply, preview, chooseOwnerPageLocale(request));
    },
  );

  app.post(
    '/:accountId/codes/:id/pin',
    {
      config: { access, audit: auditAs('QRCODE_UPDATED'), rateLimitClass: 'auth' },
      schema: {
        hide: true,
        params: CodeParams,
        body: Type.Object({ pin: Type.Optional(Type.String()), remove: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { remove } = request.body;
      const pin = remove === undefined ? toAsciiDigits(request.body.pin ?? '').trim() : null;
      const formErrors = findPinErrors({ pin }).map((error) => ({ ...error, code: 'BAD_PIN' }));
      if (formErrors.length > 0)
        return sendContentPage(services, request, reply, { status: 400, formErrors });
      try {
        const row = await getOwnQrCode(services.database.client, request.params);
        // A first PIN would open what was only for the owner by default, and has been read as such.
        const { timeZone } = requireAuthenticatedUser(request);
        const isFirst = pin !== null && row.pinHash === null;
        const change = isFirst
          ? { pin, visibility: getEditedCode(services, row, timeZone).visibility }
          : { pin };
        await updateOwnQrCode(services, getRequestContext(request), row, change, undefined);
        return redirectToContent(services, request, reply, pin === null ? 'pin-removed' : 'pin-set');
      } catch (error) {
        return sendContentPage(services, request, reply, toRefusedPage(error, request, reply));
      }
    },
  );
};
