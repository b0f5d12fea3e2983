import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { getRequestContext, type RequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import {
  changeOwnQrCodeStatus,
  deleteOwnQrCode,
  pauseActiveQrCode,
  restoreOwnQrCode,
  resumePausedQrCode,
} from '../../codes/index.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { getSettingsPath } from '../settings/settings-page.ts';
import { CODE_ACCESS } from './code-actions.ts';
import { getCodesPath, getDeletedCodesPath } from './code-parts.ts';
import { listSelectedIds } from './code-selection.ts';
import { formatSelectionResult, type LeftOutReason, parseLeftOutReason } from './selection-result.ts';

interface OwnedCode {
  accountId: string;
  id: string;
}

const AUDITS = {
  pause: 'QRCODE_PAUSED',
  resume: 'QRCODE_RESUMED',
  delete: 'QRCODE_DELETED',
  restore: 'QRCODE_RESTORED',
} as const;

/** Change a code; returns why it was left out. */
type Change = (context: RequestContext, code: OwnedCode) => Promise<LeftOutReason | null>;

/** What the tables of codes do with those that are selected. One that cannot be changed does not affect others. */
export const selectedCodePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const schema = {
    hide: true,
    params: createIdParamsSchema('accountId'),
    body: Type.Record(Type.String(), Type.String()),
  };
  const changes: Record<keyof typeof AUDITS, Change> = {
    pause: async (context, code) =>
      (await changeOwnQrCodeStatus(services, context, code, pauseActiveQrCode)) ? null : 'notActive',
    resume: async (context, code) =>
      (await changeOwnQrCodeStatus(services, context, code, resumePausedQrCode)) ? null : 'notPaused',
    delete: async (context, code) => {
      await deleteOwnQrCode(services, context, code, undefined);
      return null;
    },
    restore: async (context, code) => {
      await restoreOwnQrCode(services, context, code, undefined);
      return null;
    },
  };

  for (const action of ['pause', 'resume', 'delete', 'restore'] as const)
    app.post(
      `/:accountId/codes/selected/${action}`,
      { config: { access: CODE_ACCESS, audit: auditAs(AUDITS[action]) }, schema },
      async (request, reply) => {
        const { accountId } = request.params;
        const ids = listSelectedIds(request.body);
        const leftOut: LeftOutReason[] = [];
        for (const id of ids) {
          const context = getRequestContext(request);
          const reason = await changes[action](context, { accountId, id }).catch(parseLeftOutReason);
          if (reason !== null) leftOut.push(reason);
          if (reason === 'gone')
            await commitAuditEntry(services.database, context, {
              action: 'ACCESS_DENIED',
              outcome: 'DENIED',
              resourceId: id,
            });
        }
        const getPath = action === 'restore' ? getDeletedCodesPath : getCodesPath;
        const result = { count: ids.length - leftOut.length, leftOut };
        return reply.redirect(formatSelectionResult(getPath(services, request.params), action, result), 303);
      },
    );

  app.post(
    '/:accountId/codes/selected/print',
    { config: { access: CODE_ACCESS, audit: skipAudit('QRCODE') }, schema },
    async (request, reply) => {
      const ids = listSelectedIds(request.body).join(',');
      const path = ids ? `${getAccountPath(services, request.params.accountId)}/print?ids=${ids}` : null;
      return reply.redirect(path ?? `${getCodesPath(services, request.params)}?selected=print`, 303);
    },
  );

  app.post(
    '/:accountId/codes/selected/edit',
    { config: { access: CODE_ACCESS, audit: skipAudit('QRCODE') }, schema },
    async (request, reply) => {
      const ids = listSelectedIds(request.body).join(',');
      const path = getCodesPath(services, request.params);
      return reply.redirect(ids ? `${path}/selected?ids=${ids}` : `${path}?selected=change`, 303);
    },
  );

  app.post(
    '/:accountId/codes/selected/move',
    { config: { access: CODE_ACCESS, audit: skipAudit('QRCODE') }, schema },
    async (request, reply) => {
      const ids = listSelectedIds(request.body).join(',');
      const path = `${getSettingsPath(services, request)}/move-codes`;
      const target = ids
        ? `${path}?from=${request.params.accountId}&ids=${ids}`
        : `${getCodesPath(services, request.params)}?selected=change`;
      return reply.redirect(target, 303);
    },
  );
};
