import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Tx } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { EncryptedFileStore } from '../files/index.ts';
import { deleteDocument, lockOwnOrDeletedDocument, updateDocument } from './document.repository.ts';
import {
  type DocumentVersionRow,
  deleteDocumentVersion,
  findDocumentVersion,
  findNewestDocumentVersion,
} from './document-version.repository.ts';

/** Also delete the document if it has no other version. */
export async function deleteInfectedDocumentVersion(
  {
    files,
    events,
    job,
  }: { files: EncryptedFileStore; events: DomainEventBus; job: { operation: string; requestId: string } },
  tx: Tx,
  { id, documentId, accountId, number, fileId }: DocumentVersionRow,
  signature: string,
): Promise<void> {
  const document = await lockOwnOrDeletedDocument(tx, accountId, documentId);
  const version = document && (await findDocumentVersion(tx, document, number));
  if (!document || version?.id !== id) return;
  await insertAuditEntry(tx, {
    action: 'INFECTED_DOCUMENT_REMOVED',
    outcome: 'SUCCESS',
    resourceId: documentId,
    ...job,
    changes: [signature],
  });
  await events.publish(tx, 'document.infected', {
    accountId,
    documentId,
    title: document.title,
    versionId: id,
  });
  await deleteDocumentVersion(tx, version);
  // An earlier version first: the owner may have withdrawn a newer one.
  const next =
    (await findNewestDocumentVersion(tx, document, { below: number })) ??
    (await findNewestDocumentVersion(tx, document));
  const isCurrent = document.currentVersion === number;
  if (next) await updateDocument(tx, document, isCurrent ? { currentVersion: next.number } : {});
  else await deleteDocument(tx, document);
  await files.remove(tx, [fileId]);
}
