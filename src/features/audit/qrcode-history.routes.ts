import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAccount } from '../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { allowUsers, skipAudit } from '../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef } from '../../shared/common.schemas.ts';
import { NEWEST_FIRST } from '../../shared/list-cursor.ts';
import { CursorQuery } from '../../shared/pagination.ts';
import { getOwnQrCode } from '../codes/index.ts';
import type { AuditServices } from './audit-services.ts';
import { listQrCodeHistory, type QrCodeHistoryRow, toQrCodeHistoryView } from './list-qrcode-history.ts';
import { QrCodeHistory } from './qrcode-history.schemas.ts';

/** Route of owners to read what happened to a code. */
export const qrCodeHistoryRoutes: FastifyPluginAsyncTypebox<AuditServices> = async (app, { database }) => {
  app.get(
    '/:id/history',
    {
      config: { access: allowUsers('qrcodes:own'), audit: skipAudit('QRCODE'), cache: 'revalidate' },
      schema: {
        operationId: 'qrcodes.listHistory',
        tags: ['QR codes'],
        summary: 'List what happened to a code, and by whom, newest first',
        description:
          'From the audit trail, as long as it is kept. Scans and reads are not listed. A print or an export is of many codes and belongs to none of them.',
        params: createIdParamsSchema('id'),
        querystring: CursorQuery,
        response: { 200: schemaRef(QrCodeHistory) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const { id: accountId } = requireAccount(request);
      const code = await getOwnQrCode(database.client, { accountId, id: request.params.id });
      const list = await listQrCodeHistory(database, code, page);
      return toListPage(page, list, (row: QrCodeHistoryRow) => toQrCodeHistoryView(row, accountId));
    },
  );
};
