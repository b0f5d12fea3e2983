import { recordAuditEntry } from '../../platform/audit.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { consumePinAttempts, refundPinAttempts, reservePinAttempts } from './pin-attempts.repository.ts';
import { isExemptFromPin } from './pin-exemption.ts';
import {
  createOwnerPhoneLimits,
  createPinLimits,
  type PinReservation,
  reservePinAttempt,
} from './pin-limits.ts';
import type { ScanServices } from './scan-services.ts';

export interface PinProtectedQrCode {
  id: string;
  accountId: string;
  title: string;
  pinHash: string | null;
}

/**
 * Reserve an attempt, refund it for a right PIN, and notify the owner when the last one fails. Allows 5 in 15 minutes
 * and 20 a day per code and network, 20 an hour and 60 a day per code, and then one for each network that made none
 * that day. Whoever reads the code without its PIN needs no attempt, their phone has its own.
 * @throws PIN_INCORRECT with `attemptsLeft`; RATE_LIMITED, also while the last attempts are being compared
 */
export async function verifyQrCodePin(
  services: Pick<ScanServices, 'database' | 'fieldCipher' | 'isEnterpriseEnforced' | 'pins' | 'events'>,
  context: RequestContext,
  code: PinProtectedQrCode,
  pin: string,
  isOwnerPhone = false,
): Promise<void> {
  const { database, pins } = services;
  const { limits, waitSeconds } = await reserve(services, context, code, isOwnerPhone);
  const isCorrect = await pins.verify(pin, code.pinHash).catch(async (error: unknown) => {
    await refundPinAttempts(database.client, limits);
    throw error;
  });
  if (isCorrect) {
    await refundPinAttempts(database.client, limits);
    return;
  }
  const attempts = await database.transaction(async (tx) => {
    const { left, waitSeconds: ownWaitSeconds } = await consumePinAttempts(tx, limits);
    await recordAuditEntry(tx, context, {
      action: 'PIN_REJECTED',
      outcome: 'DENIED',
      resourceType: 'QRCODE',
      resourceId: code.id,
    });
    // The owner knows when networks use up their reserve: the shared attempts ended before.
    if (left === 0 && waitSeconds === null) {
      await services.events.publish(tx, 'code.pin_rejected', {
        accountId: code.accountId,
        qrCodeId: code.id,
        title: code.title,
      });
    }
    return { left, waitSeconds: waitSeconds ?? ownWaitSeconds };
  });
  throw new ServiceError('PIN_INCORRECT', {
    members: { attemptsLeft: attempts.left },
    ...(attempts.left === 0 && { retryAfterSeconds: attempts.waitSeconds }),
  });
}

/** @throws RATE_LIMITED */
async function reserve(
  services: Pick<ScanServices, 'database' | 'fieldCipher' | 'isEnterpriseEnforced'>,
  context: RequestContext,
  code: PinProtectedQrCode,
  isOwnerPhone: boolean,
): Promise<PinReservation> {
  const { database, fieldCipher } = services;
  const isOwner = context.user !== null && (await isExemptFromPin(services, code.accountId, context.user.id));
  if (!isOwner && !isOwnerPhone)
    return reservePinAttempt(database, createPinLimits(fieldCipher, 'pin', code.id, context.address));
  const limits = isOwner ? [] : createOwnerPhoneLimits(fieldCipher, code.id);
  const refusal = await reservePinAttempts(database, limits);
  if (refusal) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: refusal.waitSeconds });
  return { limits, waitSeconds: null };
}
