import type { FastifyReply, FastifyRequest } from 'fastify';
import { commitAuditEntry } from '../../platform/audit.ts';
import { requireAccount } from '../../platform/authentication.ts';
import { sendHeadersOnly } from '../../platform/http/send-headers-only.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { sendTableExport, setTableExportHeaders } from '../../platform/table-export.ts';
import { createQrCodeExportStream, type QrCodeExport } from './export-qrcodes.ts';
import type { QrCodeServices } from './qrcode-services.ts';

/** Send the user's codes that are not deleted as a file, with their content. The export is an audit entry, and each medical code. */
export async function sendQrCodeExport(
  services: QrCodeServices,
  request: FastifyRequest,
  reply: FastifyReply,
  options: Omit<QrCodeExport, 'accountId'>,
): Promise<FastifyReply> {
  const { id: accountId } = requireAccount(request);
  setTableExportHeaders(reply, 'qr-codes', options.format);
  if (request.method === 'HEAD') return sendHeadersOnly(reply);
  const context = getRequestContext(request);
  const content = await createQrCodeExportStream(services, context, { ...options, accountId });
  return sendTableExport(reply, content, () =>
    commitAuditEntry(services.database, context, { resourceId: accountId }),
  );
}
