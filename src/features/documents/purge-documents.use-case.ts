import { insertAuditEntry } from '../../platform/audit.repository.ts';
import { removeDocument } from './delete-document.use-case.ts';
import { listPurgeableDocuments, lockOwnOrDeletedDocument } from './document.repository.ts';
import type { DocumentServices } from './document-services.ts';
import { getDocumentRestoreCutoff } from './restore-document.use-case.ts';

const BATCH_SIZE = 100;

/** Remove deleted documents with their files once they can no longer be restored. */
export async function purgeDeletedDocuments({
  database,
  files,
}: Pick<DocumentServices, 'database' | 'files'>): Promise<void> {
  const cutoff = getDocumentRestoreCutoff();
  for (;;) {
    const documents = await listPurgeableDocuments(database.client, cutoff, BATCH_SIZE);
    for (const { id, accountId } of documents)
      await database.transaction(async (tx) => {
        const row = await lockOwnOrDeletedDocument(tx, accountId, id);
        if (!row?.deletedAt || row.deletedAt > cutoff) return;
        const entry = { action: 'DOCUMENT_PURGED', outcome: 'SUCCESS', resourceId: id } as const;
        await insertAuditEntry(tx, { ...entry, operation: 'clean-up', requestId: 'job' });
        await removeDocument({ files }, tx, row);
      });
    if (documents.length < BATCH_SIZE) return;
  }
}
