import { addAuditEntry } from '../../platform/audit.repository.ts';
import type { Tx } from '../../platform/database.ts';
import type { FileKeeper } from '../files/file-keeper.ts';
import { insertNotification } from '../notifications/insert-notification.repository.ts';
import { changeDocument, deleteDocument, lockOwnDocument } from './document.repository.ts';
import {
  type DocumentVersionRow,
  deleteVersion,
  findNewestVersion,
  findVersion,
} from './document-version.repository.ts';

/** Removes a version in which malware was found, with the document where there is no other one, and tells the owner. */
export async function removeInfected(
  { files, job }: { files: FileKeeper; job: { operation: string; requestId: string } },
  tx: Tx,
  { id, documentId, ownerId, number, fileId }: DocumentVersionRow,
  signature: string,
): Promise<void> {
  const document = await lockOwnDocument(tx, ownerId, documentId);
  const version = document && (await findVersion(tx, documentId, number));
  // It was deleted, or another process came first.
  if (!document || version?.id !== id) return;
  await addAuditEntry(tx, {
    action: 'DOCUMENT_REMOVED_INFECTED',
    outcome: 'SUCCESS',
    resourceId: documentId,
    ...job,
    changes: [signature],
  });
  await insertNotification(tx, {
    userId: ownerId,
    key: `infected:${id}`,
    type: 'SYSTEM',
    event: 'DOCUMENT_INFECTED',
    data: { documentId, document: document.title },
  });
  await deleteVersion(tx, id);
  const newest = await findNewestVersion(tx, documentId);
  if (newest) await changeDocument(tx, documentId, { currentVersion: newest.number });
  else await deleteDocument(tx, documentId);
  await files.discard(tx, [fileId]);
}
