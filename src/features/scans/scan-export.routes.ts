import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { problems } from '../../platform/openapi.ts';
import { account, audited } from '../../platform/route-access.ts';
import { EXPORT_TYPES, exportAnswer } from '../../platform/table-export.ts';
import { ServiceError } from '../../shared/errors.ts';
import { exportScans } from './export-scans.ts';
import { keptOf } from './kept-scans.ts';
import { isOwnCode } from './scan.repository.ts';
import { ScanExportQuery } from './scan-answers.schemas.ts';
import type { ScanServices } from './scan-services.ts';
import { momentOf } from './time-range.rules.ts';

/** The scans of an account's codes as a file of any length. */
export const scanExportRoutes: FastifyPluginAsyncTypebox<ScanServices> = async (app, services) => {
  app.get(
    '/export',
    {
      exposeHeadRoute: false,
      config: { access: account('scans:own'), audit: audited('SCANS_EXPORTED') },
      schema: {
        operationId: 'scans.export',
        tags: ['Scans'],
        summary: "The scans of the account's codes as JSON lines or CSV, newest first, with exact positions.",
        querystring: ScanExportQuery,
        response: {
          200: exportAnswer('The scans that match; a position that was never given is empty.'),
          ...problems(404),
        },
      },
    },
    async (request, reply) => {
      const { format, qrCodeId, type, class: name, from, to } = request.query;
      const { id: ownerId, timeZone } = userOf(request);
      const { database } = services;
      const range = { from: momentOf('from', from, timeZone), to: momentOf('to', to, timeZone) };
      if (qrCodeId && !(await isOwnCode(database.client, ownerId, qrCodeId)))
        throw new ServiceError('NOT_FOUND');
      const filter = await keptOf(services, ownerId, { qrCodeId, ...range, type, class: name });
      const caller = callerOf(request);
      await database.transaction((tx) => recordAction(tx, caller, { resourceId: ownerId }));
      return reply
        .type(`${EXPORT_TYPES[format]}; charset=utf-8`)
        .header('Content-Disposition', `attachment; filename="scans.${format}"`)
        .send(exportScans(services, caller, ownerId, filter, format));
    },
  );
};
