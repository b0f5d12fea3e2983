import { recordAuditEntry } from '../../../platform/audit.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import {
  consumePinAttempts,
  createPinLimits,
  refundPinAttempts,
  reservePinAttempt,
} from '../../scans/index.ts';
import type { SharedDocument } from './share.repository.ts';
import { normalizePasscode } from './share.rules.ts';
import type { DocumentShareServices } from './share-services.ts';

/**
 * Limit attempts like those of PINs, and notify the owner when the last one fails.
 * @throws PASSCODE_REQUIRED without consuming an attempt, PASSCODE_INCORRECT, RATE_LIMITED
 */
export async function verifySharePasscode(
  services: Pick<DocumentShareServices, 'database' | 'fieldCipher' | 'pins' | 'events'>,
  context: RequestContext,
  share: SharedDocument,
  input: string | null,
): Promise<void> {
  if (share.passcodeHash === null) return;
  const passcode = normalizePasscode(input ?? '');
  if (passcode === '') throw new ServiceError('PASSCODE_REQUIRED');
  const { database, pins } = services;
  const { limits, waitSeconds: sharedWaitSeconds } = await reservePinAttempt(
    database,
    createPinLimits(services.fieldCipher, 'passcode', share.id, context.address),
  );
  const isCorrect = await pins.verify(passcode, share.passcodeHash).catch(async (error: unknown) => {
    await refundPinAttempts(database.client, limits);
    throw error;
  });
  if (isCorrect) return refundPinAttempts(database.client, limits);
  const { left: remainingAttempts, waitSeconds } = await database.transaction(async (tx) => {
    const remaining = await consumePinAttempts(tx, limits);
    const { documentId, accountId, title } = share;
    await recordAuditEntry(tx, context, {
      action: 'DOCUMENT_PASSCODE_REJECTED',
      outcome: 'DENIED',
      resourceType: 'DOCUMENT',
      resourceId: documentId,
    });
    // As for PINs: no notification once networks only have their reserve.
    if (remaining.left === 0 && sharedWaitSeconds === null)
      await services.events.publish(tx, 'document.passcode_rejected', {
        accountId,
        documentId,
        title,
      });
    return { ...remaining, waitSeconds: sharedWaitSeconds ?? remaining.waitSeconds };
  });
  throw new ServiceError('PASSCODE_INCORRECT', {
    members: { attemptsLeft: remainingAttempts },
    ...(remainingAttempts === 0 && { retryAfterSeconds: waitSeconds }),
  });
}
