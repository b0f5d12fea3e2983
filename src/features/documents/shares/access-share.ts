import { tryConsumeAttempt } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { HOUR_SECONDS } from '../../../shared/durations.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { describeUserAgent, getPublicIdempotencyOwner } from '../../scans/index.ts';
import { countViewAndInsertShareAccess, findShareAccess } from './document-access.repository.ts';
import { createDownloadTicket, getDownloadTicketSecondsLeft } from './download-ticket.ts';
import { findSharedDocument, type SharedDocument } from './share.repository.ts';
import type { DocumentShareServices } from './share-services.ts';
import { requireActiveDocumentShare } from './share-state.ts';
import { verifySharePasscode } from './verify-passcode.ts';

export interface ShareAccessResult {
  contentPath: string;
  /** Seconds. */
  expiresIn: number;
  isReplayed: boolean;
}

/**
 * Count nothing if this fails; the same Idempotency-Key with the passcode gets the same access.
 * @throws NOT_FOUND, SHARE_EXPIRED, SHARE_USED_UP, FILE_CHECK_PENDING; as `verifySharePasscode`
 */
export async function accessDocumentShare(
  services: DocumentShareServices,
  context: RequestContext,
  share: SharedDocument | null,
  passcode: string | null,
): Promise<ShareAccessResult> {
  const { createIdempotently, scanLimiter } = services;
  if (!share) throw new ServiceError('NOT_FOUND');
  const idempotencyOptions = {
    who: getPublicIdempotencyOwner(services.fieldCipher, context, share.id),
    fingerprint: null,
  };
  const replayed = await createIdempotently.replay<{ readingId: string }>(context, idempotencyOptions);
  if (replayed) {
    // Somebody at the same address may guess the key.
    await verifySharePasscode(services, context, share, passcode);
    return toShareAccessResult(services, replayed);
  }
  const activeShare = requireActiveDocumentShare(services, share);
  if (activeShare.isBeingChecked) throw new ServiceError('FILE_CHECK_PENDING', { retryAfterSeconds: 30 });
  await verifySharePasscode(services, context, activeShare, passcode);
  const result = await scanLimiter(() =>
    createIdempotently(context, idempotencyOptions, async (tx) => ({
      body: { readingId: await recordShareAccess(services, context, tx, activeShare) },
      contentOf: activeShare.accountId,
    })),
  );
  return toShareAccessResult(services, result);
}

async function toShareAccessResult(
  { database, fieldCipher }: DocumentShareServices,
  { body, isReplayed }: { body: { readingId: string }; isReplayed: boolean },
): Promise<ShareAccessResult> {
  const access = await findShareAccess(database.client, body.readingId);
  if (!access) throw new ServiceError('NOT_FOUND');
  const contentPath = `/api/documents/tickets/${createDownloadTicket(fieldCipher, access)}/content`;
  return { contentPath, expiresIn: getDownloadTicketSecondsLeft(access, new Date()), isReplayed };
}

// Fails like `accessDocumentShare` if concurrent requests used up the share.
async function recordShareAccess(
  services: DocumentShareServices,
  context: RequestContext,
  tx: Tx,
  { id, documentId, accountId, title }: SharedDocument,
): Promise<string> {
  const readingId = generateId();
  const isCounted = await countViewAndInsertShareAccess(tx, id, {
    id: readingId,
    agent: describeUserAgent(context.userAgent),
  });
  if (!isCounted) {
    requireActiveDocumentShare(services, await findSharedDocument(tx, id));
    throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
  }
  await recordAuditEntry(tx, context, {
    action: 'DOCUMENT_SHARE_OPENED',
    resourceType: 'DOCUMENT',
    resourceId: documentId,
  });
  if (await tryConsumeAccessNotification(tx, id))
    await services.events.publish(tx, 'document.opened', { accountId, documentId, title });
  return readingId;
}

// At most five notifications an hour and twenty a day per share; the list of accesses has all of them.
async function tryConsumeAccessNotification(tx: Tx, shareId: string): Promise<boolean> {
  const hourly = { key: `document-opened:${shareId}`, allowed: 5, windowSeconds: HOUR_SECONDS };
  const daily = { key: `document-opened-day:${shareId}`, allowed: 20, windowSeconds: 24 * HOUR_SECONDS };
  return (await tryConsumeAttempt(tx, hourly)) && tryConsumeAttempt(tx, daily);
}
