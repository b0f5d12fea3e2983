import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { getRequestContext, type RequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { isId } from '../../../shared/ids.ts';
import {
  changeOwnQrCodeStatus,
  deleteOwnQrCode,
  pauseActiveQrCode,
  restoreOwnQrCode,
  resumePausedQrCode,
} from '../../codes/index.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { CODE_ACCESS } from './code-actions.ts';
import { getCodesPath } from './code-parts.ts';
import { listSelectedIds, type SelectionAction } from './code-selection.ts';

interface OwnedCode {
  accountId: string;
  id: string;
}

const AUDITS = {
  pause: 'QRCODE_PAUSED',
  resume: 'QRCODE_RESUMED',
  delete: 'QRCODE_DELETED',
  restore: 'QRCODE_RESTORED',
} as const satisfies Record<SelectionAction, string>;

/** What the table of codes does with those that are selected. One that cannot be changed does not affect others. */
export const selectedCodePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const schema = {
    hide: true,
    params: createIdParamsSchema('accountId'),
    body: Type.Record(Type.String(), Type.String()),
  };
  const changes: Record<SelectionAction, (context: RequestContext, code: OwnedCode) => Promise<unknown>> = {
    pause: (context, code) => changeOwnQrCodeStatus(services, context, code, pauseActiveQrCode),
    resume: (context, code) => changeOwnQrCodeStatus(services, context, code, resumePausedQrCode),
    delete: (context, code) => deleteOwnQrCode(services, context, code, undefined),
    restore: (context, code) => restoreOwnQrCode(services, context, code, undefined),
  };

  for (const action of ['pause', 'resume', 'delete', 'restore'] as const)
    app.post(
      `/:accountId/codes/selected/${action}`,
      { config: { access: CODE_ACCESS, audit: auditAs(AUDITS[action]) }, schema },
      async (request, reply) => {
        const { accountId } = request.params;
        const ids = listSelectedIds(request.body);
        let count = 0;
        for (const id of ids) {
          try {
            await changes[action](getRequestContext(request), { accountId, id });
            count += 1;
          } catch (error) {
            const isOfCode =
              error instanceof ServiceError && error.statusCode < 500 && error.statusCode !== 429;
            if (!isOfCode) throw error;
          }
        }
        const result = new URLSearchParams({
          selected: action,
          count: String(count),
          ...(count < ids.length && { failed: String(ids.length - count) }),
          ...(action === 'restore' && { status: 'DELETED' }),
        });
        return reply.redirect(`${getCodesPath(services, request.params)}?${result}`, 303);
      },
    );

  app.post(
    '/:accountId/codes/selected/print',
    { config: { access: CODE_ACCESS, audit: skipAudit('QRCODE') }, schema },
    async (request, reply) => {
      const ids = listSelectedIds(request.body).filter(isId).join(',');
      const path = ids ? `${getAccountPath(services, request.params.accountId)}/print?ids=${ids}` : null;
      return reply.redirect(path ?? `${getCodesPath(services, request.params)}?selected=print`, 303);
    },
  );
};
