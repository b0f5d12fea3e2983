import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Tx } from '../../platform/database.ts';
import { forEachBatch } from '../../shared/for-each-batch.ts';
import { removeDocument } from './delete-document.use-case.ts';
import {
  listPurgeableDocuments,
  lockOwnOrDeletedDocument,
  type PurgeableDocument,
} from './document.repository.ts';
import type { DocumentServices } from './document-services.ts';
import { getDocumentRestoreCutoff } from './restore-document.use-case.ts';

const BATCH_SIZE = 100;

/**
 * Remove deleted documents with their files once they can no longer be restored.
 * @throws after all others were removed, what kept a document from being removed
 */
export async function purgeDeletedDocuments({
  database,
  files,
}: Pick<DocumentServices, 'database' | 'files'>): Promise<void> {
  const cutoff = getDocumentRestoreCutoff();
  const errors: unknown[] = [];
  await forEachBatch<PurgeableDocument>(
    BATCH_SIZE,
    (after) => listPurgeableDocuments(database.client, { before: cutoff, after }, BATCH_SIZE),
    async (documents) => {
      for (const document of documents)
        await database
          .transaction((tx) => purgeDocument({ files }, tx, document, cutoff))
          .catch((error: unknown) => errors.push(error));
    },
  );
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
}

async function purgeDocument(
  services: Pick<DocumentServices, 'files'>,
  tx: Tx,
  { id, accountId }: PurgeableDocument,
  cutoff: Date,
): Promise<void> {
  const row = await lockOwnOrDeletedDocument(tx, accountId, id);
  if (!row?.deletedAt || row.deletedAt > cutoff) return;
  const entry = { action: 'DOCUMENT_PURGED', outcome: 'SUCCESS', resourceId: id } as const;
  await insertAuditEntry(tx, { ...entry, operation: 'clean-up', requestId: 'job' });
  await removeDocument(services, tx, row);
}
