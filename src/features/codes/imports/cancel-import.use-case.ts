import { recordAuditEntry } from '../../../platform/audit.ts';
import { runAfterCommit } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { endImport, findImport, type ImportKey, type ImportRecord } from './import.repository.ts';
import { getImportExpiryDate } from './import-codes.job.ts';
import { publishImportProgress } from './publish-import-progress.ts';

/** Cancel an import that waits or runs; its codes stay. @throws NOT_FOUND, IMPORT_FINISHED */
export function cancelImport(
  services: Pick<QrCodeServices, 'database' | 'files' | 'realtimeBus'>,
  context: RequestContext,
  key: ImportKey,
): Promise<ImportRecord> {
  const { database, files } = services;
  return database.transaction(async (tx) => {
    if (!(await findImport(tx, key))) throw new ServiceError('NOT_FOUND');
    const ended = await endImport(tx, key, { status: 'CANCELED' }, getImportExpiryDate());
    if (!ended) throw new ServiceError('IMPORT_FINISHED');
    if (ended.fileId) await files.remove(tx, [ended.fileId]);
    await recordAuditEntry(tx, context, { resourceId: key.accountId });
    runAfterCommit(tx, () => publishImportProgress(services, key));
    const row = await findImport(tx, key);
    if (!row) throw new ServiceError('NOT_FOUND');
    return row;
  });
}
