import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { createTableExportResponseSchema } from '../../platform/table-export.ts';
import { ServiceError } from '../../shared/errors.ts';
import { parseTimeRangeBound } from '../../shared/time-range.ts';
import { isOwnQrCode } from './scan.repository.ts';
import { ScanExportQuery } from './scan-answers.schemas.ts';
import type { ScanServices } from './scan-services.ts';
import { sendScanExport } from './send-scan-export.ts';

export const scanExportRoutes: FastifyPluginAsyncTypebox<ScanServices> = async (app, services) => {
  app.get(
    '/export',
    {
      config: { access: allowUsers('scans:own'), audit: auditAs('SCANS_EXPORTED') },
      schema: {
        operationId: 'scans.export',
        tags: ['Scans'],
        summary: 'Export your scans as JSON Lines or CSV, newest first, with exact positions',
        description:
          'Streams all scans that match, without pages. Each export is audited. Up to three exports at a time.',
        querystring: ScanExportQuery,
        response: {
          200: createTableExportResponseSchema(
            'The scans that match; a position that was never given is empty.',
          ),
          ...createProblemResponseSchemas(404),
        },
      },
    },
    async (request, reply) => {
      const { format, bom, qrCodeId, type: types, class: classes, from, to } = request.query;
      const { id: accountId } = requireAccount(request);
      const { timeZone } = requireAuthenticatedUser(request);
      const { database } = services;
      const range = {
        from: parseTimeRangeBound(from, timeZone),
        to: parseTimeRangeBound(to, timeZone),
      };
      if (qrCodeId && !(await isOwnQrCode(database.client, accountId, qrCodeId)))
        throw new ServiceError('NOT_FOUND');
      const filter = { qrCodeId, ...range, types, classes };
      return sendScanExport(services, request, reply, filter, { format, bom });
    },
  );
};
