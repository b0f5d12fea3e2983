import type { AttemptLimit } from '../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { truncateIpAddress } from '../../shared/client-address.ts';
import { ServiceError } from '../../shared/errors.ts';
import { consumePinAttempts, refundPinAttempts, reservePinAttempts } from './pin-attempts.repository.ts';
import type { ScanServices } from './scan-services.ts';

export interface PinProtectedQrCode {
  id: string;
  ownerId: string;
  title: string;
  pinHash: string | null;
}

const MINUTE_SECONDS = 60;

/**
 * Reserve an attempt, refund it for a right PIN, and notify the owner when the last one fails. Allows 5 in 15
 * minutes per code and truncated address, 20 an hour and 60 a day per code.
 * @throws PIN_INCORRECT with `attemptsLeft`; RATE_LIMITED, also while the last attempts are being compared
 */
export async function verifyQrCodePin(
  services: Pick<ScanServices, 'database' | 'fieldCipher' | 'pins' | 'events'>,
  context: RequestContext,
  code: PinProtectedQrCode,
  pin: string,
): Promise<void> {
  const { database, pins } = services;
  const budgets = createAttemptLimits(services.fieldCipher, code.id, truncateIpAddress(context.address));
  await reservePinAttempts(database, budgets);
  const isCorrect = await pins.verify(pin, code.pinHash).catch(async (error: unknown) => {
    await refundPinAttempts(database.client, budgets);
    throw error;
  });
  if (isCorrect) {
    await refundPinAttempts(database.client, budgets);
    return;
  }
  const { left, waitSeconds } = await database.transaction(async (tx) => {
    const attemptsLeft = await consumePinAttempts(tx, budgets);
    await recordAuditEntry(tx, context, {
      action: 'PIN_REJECTED',
      outcome: 'DENIED',
      resourceType: 'QRCODE',
      resourceId: code.id,
    });
    if (attemptsLeft.left === 0) {
      await services.events.publish(tx, 'pin.attempts-exhausted', {
        ownerId: code.ownerId,
        qrCodeId: code.id,
        title: code.title,
      });
    }
    return attemptsLeft;
  });
  throw new ServiceError('PIN_INCORRECT', {
    members: { attemptsLeft: left },
    ...(left === 0 && { retryAfterSeconds: waitSeconds }),
  });
}

function createAttemptLimits(fieldCipher: FieldCipher, codeId: string, address: string): AttemptLimit[] {
  const addressHash = fieldCipher.hash('pin-budget', codeId, address).toString('hex');
  const code = fieldCipher.hash('pin-budget', codeId).toString('hex');
  return [
    { key: `pin:${addressHash}`, allowed: 5, windowSeconds: 15 * MINUTE_SECONDS },
    { key: `pin-hour:${code}`, allowed: 20, windowSeconds: 60 * MINUTE_SECONDS },
    { key: `pin-day:${code}`, allowed: 60, windowSeconds: 24 * 60 * MINUTE_SECONDS },
  ];
}
