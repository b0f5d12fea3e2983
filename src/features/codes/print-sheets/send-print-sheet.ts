import type { FastifyReply, FastifyRequest } from 'fastify';
import { commitAuditEntry, recordFailedRequestAuditEntry } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database.ts';
import { assertHealthDataReadable } from '../../../platform/health-data.ts';
import { sendHeadersOnly } from '../../../platform/http/send-headers-only.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { findPrintSheet, type PrintSheetKey, type PrintSheetRecord } from './print-sheet.repository.ts';
import { getPrintSheetFileName } from './print-sheet.view.ts';

/** @throws NOT_FOUND */
export async function getOwnPrintSheet(
  database: Pick<Database, 'forAccount'>,
  key: PrintSheetKey,
): Promise<PrintSheetRecord> {
  const row = await findPrintSheet(database.forAccount(key.accountId).client, key);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

/** Send the file of a print sheet. @throws NOT_FOUND, PRINT_SHEET_NOT_READY, DATA_INTEGRITY */
export async function sendPrintSheet(
  { database, files }: Pick<QrCodeServices, 'database' | 'files'>,
  request: FastifyRequest,
  reply: FastifyReply,
  key: PrintSheetKey,
): Promise<FastifyReply> {
  // The symbol of a STATIC code has its content.
  assertHealthDataReadable(getRequestContext(request));
  const row = await getOwnPrintSheet(database, key);
  if (row.status !== 'READY' || !row.fileId) throw new ServiceError('PRINT_SHEET_NOT_READY');
  const setHeaders = () =>
    reply
      .type('application/pdf')
      .header('Content-Disposition', `attachment; filename="${getPrintSheetFileName(row)}"`)
      .header('Content-Length', Number(row.size))
      .header('Cache-Control', 'no-store');
  if (request.method === 'HEAD') return sendHeadersOnly(setHeaders());
  const content = await files.open(database.client, key.accountId, row.fileId);
  if (!content) throw new ServiceError('NOT_FOUND');
  // An integrity failure after the first byte aborts the response, and no hook is called.
  content.once('error', (error) => void recordFailedRequestAuditEntry(database, request, error));
  try {
    await commitAuditEntry(database, getRequestContext(request), { resourceId: key.accountId });
  } catch (error) {
    content.destroy();
    throw error;
  }
  return setHeaders().send(content);
}
