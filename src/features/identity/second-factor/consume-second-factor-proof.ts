import { consumeAttempts, refundAttempts } from '../../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { truncateIpAddress } from '../../../shared/client-address.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { getMaxConsecutiveFailures } from '../accounts/consecutive-failure-limits.ts';
import { consumeRecoveryCode } from './recovery-code.repository.ts';
import { normalizeRecoveryCode } from './recovery-code.rules.ts';
import {
  consumeTotpStep,
  incrementWrongCodes,
  resetWrongCodes,
  type SecondFactorRow,
} from './second-factor.repository.ts';
import { findTotpStep } from './totp.rules.ts';

/** What somebody gives for a second factor. */
export type SecondFactorProof = { code: string } | { recoveryCode: string };

const ATTEMPT_WINDOW_SECONDS = 15 * 60;
const MAX_CODE_ATTEMPTS = 5;

/** Of recovery codes, for a person from one network: none of 80 bits is guessed, so this only bounds the work. */
const MAX_RECOVERY_CODE_ATTEMPTS = 30;

/** Where a proof comes from. */
interface ProofOrigin {
  /** Address of the network. */
  address: string;
  /** Key of a device that logged in before; null for another. */
  knownDeviceKey: string | null;
}

/**
 * Uses a code, or a recovery code, of a locked second factor up; false when it is wrong or was used before, which
 * the caller's transaction must keep. A try is reserved first: five in a quarter of an hour for a person, as many
 * of its own for a device that logged in before. Recovery codes have thirty of their own for each network, which no
 * code and nobody elsewhere uses up. Throws RATE_LIMITED.
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
  const budget = await consumeSecondFactorAttempt(fieldCipher, tx, factor, origin.knownDeviceKey);
  if (!(await consumeTotpCode(fieldCipher, tx, factor, proof.code, origin.knownDeviceKey !== null))) {
    await incrementWrongCodes(tx, factor.userId);
    return false;
  }
  await refundAttempts(tx, [budget]);
  return true;
}

/** Reserves one of the tries against a person's second factor; answers the key to give it back under. */
export async function consumeSecondFactorAttempt(
  fieldCipher: FieldCipher,
  tx: Tx,
  { userId }: { userId: string },
  knownDevice: string | null = null,
): Promise<string> {
  const key = `second-factor:${fieldCipher.hash('second-factor-budget', userId, knownDevice ?? '').toString('hex')}`;
  await consumeAttempts(tx, [{ key, allowed: MAX_CODE_ATTEMPTS, windowSeconds: ATTEMPT_WINDOW_SECONDS }]);
  return key;
}

/** Where the secret of a second factor is stored, for its encryption. */
export function getTotpSecretLocation(userId: string) {
  return { table: 'second_factors', column: 'secret', rowId: userId, ownerId: userId };
}

/** The stored form of a recovery code, however it was typed. */
export function hashRecoveryCode(
  fieldCipher: FieldCipher,
  userId: string,
  code: string,
): Buffer<ArrayBuffer> {
  return fieldCipher.hash('recovery-code', userId, normalizeRecoveryCode(code));
}

/** Wrong ones do not count in a row: whoever has the password must not close the account to codes by them. */
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
    { key, allowed: MAX_RECOVERY_CODE_ATTEMPTS, windowSeconds: ATTEMPT_WINDOW_SECONDS },
  ]);
  if (!(await consumeRecoveryCode(tx, userId, hashRecoveryCode(fieldCipher, userId, code)))) return false;
  await resetWrongCodes(tx, userId);
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
  if (factor.wrongCodes >= getMaxConsecutiveFailures('secondFactor', isKnownDevice)) {
    throw new ServiceError('RATE_LIMITED', {
      detail: 'Too many wrong codes in a row. Use a recovery code, or a device that logged in before.',
      retryAfterSeconds: ATTEMPT_WINDOW_SECONDS,
    });
  }
  const step = findTotpStep(fieldCipher.decrypt<string>(getTotpSecretLocation(userId), factor.secret), code);
  return step !== null && (await consumeTotpStep(tx, userId, step));
}
