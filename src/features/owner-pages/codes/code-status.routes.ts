import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  changeOwnQrCodeStatus,
  deleteOwnQrCode,
  endLostReport,
  pauseActiveQrCode,
  restoreOwnQrCode,
  resumeLostReport,
  resumePausedQrCode,
} from '../../codes/index.ts';
import { renderNote } from '../components.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { ActionBody, CodeParams, getPathAfter, ONE_CODE_ACCESS } from './code-actions.ts';

const CHANGES = {
  found: { audit: 'QRCODE_REPORTED_FOUND', change: endLostReport },
  'undo-found': { audit: 'QRCODE_REPORTED_LOST', change: resumeLostReport },
  pause: { audit: 'QRCODE_PAUSED', change: pauseActiveQrCode },
  resume: { audit: 'QRCODE_RESUMED', change: resumePausedQrCode },
} as const;

/** The buttons of a code. */
export const codeStatusPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { fieldCipher } = services;

  for (const name of ['found', 'undo-found', 'pause', 'resume'] as const)
    app.post(
      `/:accountId/codes/:id/${name}`,
      {
        config: { access: ONE_CODE_ACCESS, audit: auditAs(CHANGES[name].audit) },
        schema: { hide: true, params: CodeParams, body: ActionBody },
      },
      async (request, reply) => {
        await changeOwnQrCodeStatus(services, getRequestContext(request), request.params, (row) =>
          CHANGES[name].change(row, fieldCipher),
        );
        return reply.redirect(getPathAfter(services, request.params, request.body.to, name), 303);
      },
    );

  app.post(
    '/:accountId/codes/:id/delete',
    {
      config: { access: ONE_CODE_ACCESS, audit: auditAs('QRCODE_DELETED') },
      schema: { hide: true, params: CodeParams, body: ActionBody },
    },
    async (request, reply) => {
      await deleteOwnQrCode(services, getRequestContext(request), request.params, undefined);
      return reply.redirect(getPathAfter(services, request.params, 'codes', 'deleted'), 303);
    },
  );

  app.post(
    '/:accountId/codes/:id/restore',
    {
      config: { access: ONE_CODE_ACCESS, audit: auditAs('QRCODE_RESTORED') },
      schema: { hide: true, params: CodeParams, body: ActionBody },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      try {
        await restoreOwnQrCode(services, getRequestContext(request), request.params, undefined);
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, locale, {
          PLAN_LIMIT_REACHED: t(locale, 'app.code.restoreLimit'),
          EXTERNAL_ID_TAKEN: t(locale, 'app.code.restoreNumber'),
        });
        return sendOwnerPage(services, request, reply, {
          title: t(locale, 'app.refusedTitle'),
          entry: 'codes',
          isNarrow: true,
          status,
          body: renderNote(text, 'wrong'),
        });
      }
      return reply.redirect(getPathAfter(services, request.params, request.body.to, 'restored'), 303);
    },
  );
};
