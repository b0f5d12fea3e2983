import type { AttemptLimit } from '../../platform/attempt-budget.repository.ts';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { truncateIpAddress, UNKNOWN_ADDRESS } from '../../shared/client-address.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../shared/durations.ts';
import { ServiceError } from '../../shared/errors.ts';
import { consumeWaitingTime, hasAttemptsLeft, reservePinAttempts } from './pin-attempts.repository.ts';

/** Above this many reserved attempts an hour, each network waits before its own. */
const WAIT_SECONDS = 20;

interface PinLimits {
  /** Of everybody. */
  shared: AttemptLimit[];
  /** Those of them that other networks use up, too. */
  ofRecord: AttemptLimit[];
  /** One attempt of a network that made none today, when the shared ones are used up. */
  reserved: AttemptLimit[];
  /** The same after a wait. */
  patient: AttemptLimit[];
  waitKey: string;
}

export interface PinReservation {
  limits: readonly AttemptLimit[];
  /** For an attempt after which this network has none: until the shared limits allow more. */
  waitSeconds: number | null;
}

/** For a phone that is marked as its owner's, which a thief may have. */
export function createOwnerPhoneLimits(fieldCipher: FieldCipher, codeId: string): AttemptLimit[] {
  const code = fieldCipher.hash('pin-budget', codeId).toString('hex');
  return [{ key: `pin-owner-phone:${code}`, allowed: 20, windowSeconds: HOUR_SECONDS }];
}

/**
 * Attempts of a network at the numbers of all codes, as many as at one PIN. Attempts of everybody together are not limited
 * where networks are known: a few networks would lock all others out.
 */
export function createShortNumberLimits(fieldCipher: FieldCipher, address: string): AttemptLimit[] {
  const { shared, ofRecord } = createPinLimits(fieldCipher, 'short-number', '', address);
  return shared.filter((limit) => !ofRecord.includes(limit));
}

/** `secret` names what is guarded by this PIN or passcode. */
export function createPinLimits(
  fieldCipher: FieldCipher,
  secret: 'pin' | 'passcode' | 'short-number' | 'claim-code',
  recordId: string,
  address: string,
): PinLimits {
  const network = truncateIpAddress(address);
  const networkHash = fieldCipher.hash(`${secret}-budget`, recordId, network).toString('hex');
  const record = fieldCipher.hash(`${secret}-budget`, recordId).toString('hex');
  const ofNetwork = { key: `${secret}:${networkHash}`, allowed: 5, windowSeconds: HOUR_SECONDS / 4 };
  const networkDay = { key: `${secret}-network-day:${networkHash}`, windowSeconds: DAY_SECONDS };
  // 1 % of the PINs of four digits.
  const reserveDay = { key: `${secret}-reserve-day:${record}`, allowed: 100, windowSeconds: DAY_SECONDS };
  const patient = [ofNetwork, { ...networkDay, allowed: 1 }, reserveDay];
  const ofRecord = [
    { key: `${secret}-hour:${record}`, allowed: 20, windowSeconds: HOUR_SECONDS },
    { key: `${secret}-day:${record}`, allowed: 60, windowSeconds: DAY_SECONDS },
  ];
  // One visitor must not lock all others out, whom a proxy does not tell apart.
  if (address === UNKNOWN_ADDRESS)
    return { shared: ofRecord, ofRecord: [], reserved: [], patient: [], waitKey: '' };
  return {
    shared: [ofNetwork, { ...networkDay, allowed: 20 }, ...ofRecord],
    ofRecord,
    reserved: [
      ...patient,
      { key: `${secret}-reserve-hour:${record}`, allowed: 20, windowSeconds: HOUR_SECONDS },
    ],
    patient,
    waitKey: `${secret}-wait:${networkHash}`,
  };
}

/** Reserve an attempt, so that networks with wrong PINs do not use up those of others. @throws RATE_LIMITED */
export async function reservePinAttempt(database: Database, limits: PinLimits): Promise<PinReservation> {
  const { shared, ofRecord, reserved, patient, waitKey } = limits;
  const refusal = await reservePinAttempts(database, shared);
  if (refusal === null) return { limits: shared, waitSeconds: null };
  const { waitSeconds, usedUpKeys } = refusal;
  const refuse = (retryAfterSeconds = waitSeconds) => new ServiceError('RATE_LIMITED', { retryAfterSeconds });
  const isRefusedByOthers =
    usedUpKeys.length > 0 && usedUpKeys.every((key) => ofRecord.some((limit) => limit.key === key));
  if (!isRefusedByOthers) throw refuse();
  if ((await reservePinAttempts(database, reserved)) === null) return { limits: reserved, waitSeconds };
  if (!(await hasAttemptsLeft(database.client, patient))) throw refuse();
  const secondsLeft = await consumeWaitingTime(database.client, waitKey, WAIT_SECONDS);
  if (secondsLeft > 0) throw refuse(secondsLeft);
  if ((await reservePinAttempts(database, patient)) === null) return { limits: patient, waitSeconds };
  throw refuse();
}
