import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { lockQrCodesForUpdate } from '../codes/index.ts';
import {
  assertDocumentExternalIdFree,
  lockOwnOrDeletedDocument,
  restoreDocument,
} from './document.repository.ts';
import type { DocumentServices } from './document-services.ts';
import type { DocumentSchema } from './documents.schemas.ts';
import { loadDocumentView, type OwnedDocumentKey } from './read-document.ts';
import { countOfferedShares, listSharedQrCodeIds } from './shares/share.repository.ts';
import { MAX_OFFERED_DOCUMENTS_PER_CODE } from './shares/share.rules.ts';

/** Documents that were deleted before are gone. */
export function getDocumentRestoreCutoff(): Date {
  return new Date(Date.now() - LIFETIMES_SECONDS.deletedDocument * 1000);
}

/**
 * Restore a deleted document with its links.
 * @throws NOT_FOUND, PRECONDITION_FAILED, PLAN_LIMIT_REACHED, EXTERNAL_ID_TAKEN, TOO_MANY_OFFERED_DOCUMENTS
 */
export function restoreOwnDocument(
  services: DocumentServices,
  context: RequestContext,
  { accountId, id }: OwnedDocumentKey,
  ifMatch: string | undefined,
): Promise<Static<typeof DocumentSchema>> {
  const { database, reserveQuota } = services;
  return database.transaction(async (tx) => {
    const row = await lockOwnOrDeletedDocument(tx, accountId, id);
    if (!row?.deletedAt || row.deletedAt <= getDocumentRestoreCutoff()) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, row.version);
    await assertSharesOnCodesFree(tx, accountId, id);
    await assertDocumentExternalIdFree(tx, { id, accountId, externalId: row.deletedExternalId });
    await reserveQuota(tx, 'documents', accountId);
    const restored = await restoreDocument(tx, row);
    await recordAuditEntry(tx, context, { resourceId: id });
    return loadDocumentView(services, tx, restored);
  });
}

/** Its codes offer other documents meanwhile. Locked, so that a new link cannot exceed the limit. */
async function assertSharesOnCodesFree(tx: Tx, accountId: string, documentId: string): Promise<void> {
  const qrCodeIds = await listSharedQrCodeIds(tx, { documentId, accountId });
  if (qrCodeIds.length === 0) return;
  await lockQrCodesForUpdate(tx, accountId, qrCodeIds);
  for (const qrCodeId of qrCodeIds)
    if ((await countOfferedShares(tx, { accountId, qrCodeId, documentId })) > MAX_OFFERED_DOCUMENTS_PER_CODE)
      throw new ServiceError('TOO_MANY_OFFERED_DOCUMENTS');
}
