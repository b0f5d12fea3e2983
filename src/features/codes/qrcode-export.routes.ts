import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { commitAuditEntry } from '../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { sendHeadersOnly } from '../../platform/http/send-headers-only.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import {
  createTableExportResponseSchema,
  sendTableExport,
  setTableExportHeaders,
} from '../../platform/table-export.ts';
import { TABLE_EXPORT_PARAMETERS } from '../../shared/common.schemas.ts';
import { createQrCodeExportStream } from './export-qrcodes.ts';
import { findQrCodeKindFilterErrors, parseQrCodeKindFilter } from './qrcode-input.rules.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { QrCodeKindFilter } from './qrcodes.schemas.ts';

const QrCodeExportQuery = Type.Object({
  ...TABLE_EXPORT_PARAMETERS,
  kind: QrCodeKindFilter,
});

export const qrCodeExportRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  app.get(
    '/export',
    {
      config: {
        access: allowUsers('qrcodes:own'),
        audit: auditAs('QRCODES_EXPORTED'),
        findQueryErrors: findQrCodeKindFilterErrors,
      },
      schema: {
        operationId: 'qrcodes.export',
        tags: ['QR codes'],
        summary: 'Export your codes with their content as JSON Lines or CSV, newest first',
        description:
          'Streams all codes that are not deleted, without pages, in the format of POST /api/imports. PINs are not included. Each export is audited, and each medical code in it. Up to three at a time.',
        querystring: QrCodeExportQuery,
        response: { 200: createTableExportResponseSchema('The codes.') },
      },
    },
    async (request, reply) => {
      const { format, bom, kind: kindNames } = request.query;
      const kinds = kindNames && parseQrCodeKindFilter(kindNames);
      const { id: accountId } = requireAuthenticatedUser(request);
      if (request.method === 'HEAD') return sendHeadersOnly(setTableExportHeaders(reply, 'qr-codes', format));
      const context = getRequestContext(request);
      const content = await createQrCodeExportStream(services, context, {
        accountId,
        kinds,
        format,
        bom,
      });
      return sendTableExport(setTableExportHeaders(reply, 'qr-codes', format), content, () =>
        commitAuditEntry(services.database, context, { resourceId: accountId }),
      );
    },
  );
};
