import { recordAuditEntry } from '../../../platform/audit.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { deletePrintSheet, type PrintSheetKey } from './print-sheet.repository.ts';

/** Delete a print sheet with its file; the job of one that waits stops. @throws NOT_FOUND */
export function deleteOwnPrintSheet(
  { database, files }: Pick<QrCodeServices, 'database' | 'files'>,
  context: RequestContext,
  key: PrintSheetKey,
): Promise<void> {
  return database.forAccount(key.accountId).transaction(async (tx) => {
    const deleted = await deletePrintSheet(tx, key);
    if (!deleted) throw new ServiceError('NOT_FOUND');
    if (deleted.fileId) await files.remove(tx, [deleted.fileId]);
    await recordAuditEntry(tx, context, { action: 'PRINT_SHEET_DELETED', resourceId: key.accountId });
  });
}
