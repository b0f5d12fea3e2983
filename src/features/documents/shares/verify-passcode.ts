import type { AttemptLimit } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { truncateIpAddress } from '../../../shared/client-address.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { consumePinAttempts, refundPinAttempts, reservePinAttempts } from '../../scans/index.ts';
import type { SharedDocument } from './share.repository.ts';
import { normalizePasscode } from './share.rules.ts';
import type { DocumentShareServices } from './share-services.ts';

const MINUTE_SECONDS = 60;

/**
 * Allow 5 attempts in 15 minutes per share and truncated address, 20 an hour and 60 a day per share; notify
 * the owner when the last one fails.
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
  const limits = createPasscodeLimits(services.fieldCipher, share.id, truncateIpAddress(context.address));
  await reservePinAttempts(database, limits);
  const isCorrect = await pins.verify(passcode, share.passcodeHash).catch(async (error: unknown) => {
    await refundPinAttempts(database.client, limits);
    throw error;
  });
  if (isCorrect) return refundPinAttempts(database.client, limits);
  const { left: remainingAttempts, waitSeconds } = await database.transaction(async (tx) => {
    const remaining = await consumePinAttempts(tx, limits);
    const { documentId, ownerId, title } = share;
    await recordAuditEntry(tx, context, {
      action: 'DOCUMENT_PASSCODE_REJECTED',
      outcome: 'DENIED',
      resourceType: 'DOCUMENT',
      resourceId: documentId,
    });
    if (remaining.left === 0)
      await services.events.publish(tx, 'document.passcode-attempts-exhausted', {
        ownerId,
        documentId,
        title,
      });
    return remaining;
  });
  throw new ServiceError('PASSCODE_INCORRECT', {
    members: { attemptsLeft: remainingAttempts },
    ...(remainingAttempts === 0 && { retryAfterSeconds: waitSeconds }),
  });
}

function createPasscodeLimits(fieldCipher: FieldCipher, shareId: string, address: string): AttemptLimit[] {
  const addressHash = fieldCipher.hash('passcode-budget', shareId, address).toString('hex');
  const share = fieldCipher.hash('passcode-budget', shareId).toString('hex');
  return [
    { key: `passcode:${addressHash}`, allowed: 5, windowSeconds: 15 * MINUTE_SECONDS },
    { key: `passcode-hour:${share}`, allowed: 20, windowSeconds: 60 * MINUTE_SECONDS },
    { key: `passcode-day:${share}`, allowed: 60, windowSeconds: 24 * 60 * MINUTE_SECONDS },
  ];
}
