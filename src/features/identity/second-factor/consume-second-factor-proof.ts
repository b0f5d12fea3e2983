import { consumeAttempts, refundAttempts } from '../../../platform/attempt-budget.repository.ts';
import { defineColumnCipher } from '../../../platform/column-cipher.ts';
import type { Tx } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { scaleByAddress, truncateIpAddress } from '../../../shared/client-address.ts';
import { ServiceError } from '../../../shared/errors.ts';
import {
  getMaxConsecutiveLoginFailures,
  MAX_CONSECUTIVE_LOGIN_FAILURES,
} from '../accounts/consecutive-failure-limits.ts';
import { identityCatalogue } from '../catalogue.ts';
import { consumeRecoveryCode } from './recovery-code.repository.ts';
import { normalizeRecoveryCode } from './recovery-code.rules.ts';
import {
  consumeTotpStep,
  incrementWrongTotpCodes,
  resetWrongTotpCodes,
  type SecondFactorRow,
} from './second-factor.repository.ts';
import { findTotpStep } from './totp.rules.ts';

export type SecondFactorProof = { code: string } | { recoveryCode: string };

const ATTEMPT_WINDOW_SECONDS = 15 * 60;
const MAX_CODE_ATTEMPTS = 5;

/** Per user and network; bounds the work only, since codes of 120 bits cannot be guessed. */
const MAX_RECOVERY_CODE_ATTEMPTS = 30;

/** Per user and hour, from all networks together: as many as in a row at a login. */
const MAX_ENROLLMENT_ATTEMPTS = MAX_CONSECUTIVE_LOGIN_FAILURES.secondFactor.unknownDevice;

export interface ProofOrigin {
  address: string;
  knownDeviceKey: string | null;
}

/**
 * False for a wrong or used code, which the transaction must commit. Five attempts in 15 minutes per user and
 * network, as many per known device; 30 recovery codes per network.
 * @throws RATE_LIMITED
 */
export async function consumeSecondFactorProof(
  fieldCipher: FieldCipher,
  tx: Tx,
  factor: SecondFactorRow,
  proof: SecondFactorProof,
  origin: ProofOrigin,
): Promise<boolean> {
  if ('recoveryCode' in proof)
    return consumeRecoveryCodeProof(fieldCipher, tx, factor, proof.recoveryCode, origin.address);
  const budget = await consumeSecondFactorAttempt(fieldCipher, tx, factor, origin);
  if (!(await consumeTotpCode(fieldCipher, tx, factor, proof.code, origin.knownDeviceKey !== null))) {
    await incrementWrongTotpCodes(tx, factor.userId);
    return false;
  }
  await refundAttempts(tx, [budget]);
  return true;
}

/**
 * Also counts the account: whoever stole a session tries from many networks.
 * @returns the keys for a refund
 */
export async function consumeEnrollmentAttempt(
  fieldCipher: FieldCipher,
  tx: Tx,
  factor: { userId: string },
  address: string,
): Promise<string[]> {
  const origin = await consumeSecondFactorAttempt(fieldCipher, tx, factor, { address, knownDeviceKey: null });
  const account = fieldCipher.hash('second-factor-budget', factor.userId, 'enrollment').toString('hex');
  const key = `second-factor-enrollment:${account}`;
  await consumeAttempts(tx, [{ key, allowed: MAX_ENROLLMENT_ATTEMPTS, windowSeconds: 3600 }]);
  return [origin, key];
}

/** Returns the key for a refund. */
export async function consumeSecondFactorAttempt(
  fieldCipher: FieldCipher,
  tx: Tx,
  { userId }: { userId: string },
  { address, knownDeviceKey }: ProofOrigin,
): Promise<string> {
  const origin = knownDeviceKey ?? truncateIpAddress(address);
  const key = `second-factor:${fieldCipher.hash('second-factor-budget', userId, origin).toString('hex')}`;
  const allowed = knownDeviceKey === null ? scaleByAddress(address, MAX_CODE_ATTEMPTS) : MAX_CODE_ATTEMPTS;
  await consumeAttempts(tx, [{ key, allowed, windowSeconds: ATTEMPT_WINDOW_SECONDS }]);
  return key;
}

export const TOTP_SECRET = defineColumnCipher(identityCatalogue, 'second_factors.secret').of<string>();

export function hashRecoveryCode(
  fieldCipher: FieldCipher,
  userId: string,
  code: string,
): Buffer<ArrayBuffer> {
  return fieldCipher.hash('recovery-code', userId, normalizeRecoveryCode(code));
}

/** Not counted as consecutive failures: anyone with the password could lock the account with them. */
async function consumeRecoveryCodeProof(
  fieldCipher: FieldCipher,
  tx: Tx,
  { userId }: SecondFactorRow,
  code: string,
  address: string,
): Promise<boolean> {
  const hash = fieldCipher.hash('recovery-code-budget', userId, truncateIpAddress(address)).toString('hex');
  const key = `recovery-code:${hash}`;
  await consumeAttempts(tx, [
    {
      key,
      allowed: scaleByAddress(address, MAX_RECOVERY_CODE_ATTEMPTS),
      windowSeconds: ATTEMPT_WINDOW_SECONDS,
    },
  ]);
  if (!(await consumeRecoveryCode(tx, userId, hashRecoveryCode(fieldCipher, userId, code)))) return false;
  await resetWrongTotpCodes(tx, userId);
  await refundAttempts(tx, [key]);
  return true;
}

async function consumeTotpCode(
  fieldCipher: FieldCipher,
  tx: Tx,
  factor: SecondFactorRow,
  code: string,
  isKnownDevice: boolean,
): Promise<boolean> {
  const { userId } = factor;
  if (factor.wrongCodes >= getMaxConsecutiveLoginFailures('secondFactor', isKnownDevice)) {
    throw new ServiceError('RATE_LIMITED', {
      detail: 'Too many wrong codes in a row. Use a recovery code, or a device that logged in before.',
      retryAfterSeconds: ATTEMPT_WINDOW_SECONDS,
    });
  }
  const step = findTotpStep(TOTP_SECRET.decryptValue(fieldCipher, { userId }, factor.secret), code);
  return step !== null && (await consumeTotpStep(tx, userId, step));
}
