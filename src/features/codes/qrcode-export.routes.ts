import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { sendHeadersOnly } from '../../platform/http/send-headers-only.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import {
  createTableExportResponseSchema,
  sendTableExport,
  TABLE_EXPORT_CONTENT_TYPES,
} from '../../platform/table-export.ts';
import { repeatable, stringEnum } from '../../shared/common.schemas.ts';
import { createQrCodeExportStream } from './export-qrcodes.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { QR_CODE_KIND_NAMES } from './qrcodes.schemas.ts';

const QrCodeExportQuery = Type.Object({
  format: stringEnum(['jsonl', 'csv'], { default: 'jsonl' }),
  kind: Type.Optional(repeatable(stringEnum(QR_CODE_KIND_NAMES), 'Any of these kinds.')),
});

export const qrCodeExportRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  app.get(
    '/export',
    {
      config: { access: allowUsers('qrcodes:own'), audit: auditAs('QRCODES_EXPORTED') },
      schema: {
        operationId: 'qrcodes.export',
        tags: ['QR codes'],
        summary: 'Export your codes with their content as JSON lines or CSV, newest first',
        description:
          'Streams all codes that are not deleted, without pages, in the format of POST /api/imports. PINs are not included. Each export is audited, and each medical code in it. Up to three at a time.',
        querystring: QrCodeExportQuery,
        response: { 200: createTableExportResponseSchema('The codes.') },
      },
    },
    async (request, reply) => {
      const { format, kind: kinds } = request.query;
      const { id: ownerId } = requireAuthenticatedUser(request);
      const setHeaders = () =>
        reply
          .type(`${TABLE_EXPORT_CONTENT_TYPES[format]}; charset=utf-8`)
          .header('Content-Disposition', `attachment; filename="qr-codes.${format}"`);
      if (request.method === 'HEAD') return sendHeadersOnly(setHeaders());
      const context = getRequestContext(request);
      const content = await createQrCodeExportStream(services, context, { ownerId, kinds, format });
      return sendTableExport(setHeaders(), content, () =>
        services.database.transaction((tx) => recordAuditEntry(tx, context, { resourceId: ownerId })),
      );
    },
  );
};
