import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { createTableExportResponseSchema } from '../../platform/table-export.ts';
import { TABLE_EXPORT_PARAMETERS } from '../../shared/common.schemas.ts';
import { FolderFilter } from './folders/folders.schemas.ts';
import { findQrCodeKindFilterErrors, parseQrCodeKindFilter } from './qrcode-input.rules.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { QrCodeKindFilter } from './qrcodes.schemas.ts';
import { sendQrCodeExport } from './send-qrcode-export.ts';

const QrCodeExportQuery = Type.Object({
  ...TABLE_EXPORT_PARAMETERS,
  kind: QrCodeKindFilter,
  folder: Type.Optional(FolderFilter),
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
      const { format, bom, folder, kind: kindNames } = request.query;
      const kinds = kindNames && parseQrCodeKindFilter(kindNames);
      return sendQrCodeExport(services, request, reply, { kinds, folder, format, bom });
    },
  );
};
