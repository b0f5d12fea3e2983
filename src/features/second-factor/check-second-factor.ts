import { reserveTries, returnTries } from '../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../platform/database.ts';
import type { Vault } from '../../platform/vault.ts';
import { truncateAddress } from '../../shared/client-address.ts';
import { ServiceError } from '../../shared/errors.ts';
import { mostFailures } from '../accounts/failure-limits.ts';
import { takeRecoveryCode } from './recovery-code.repository.ts';
import { plainRecoveryCode } from './recovery-code.rules.ts';
import {
  countWrongCode,
  forgetWrongCodes,
  type SecondFactorRow,
  takeStep,
} from './second-factor.repository.ts';
import { stepOfCode } from './totp.rules.ts';

/** What somebody gives for a second factor. */
export type SecondFactorProof = { code: string } | { recoveryCode: string };

const WINDOW_SECONDS = 15 * 60;
const TRIES = 5;

/** Of recovery codes, for a person from one network: none of 80 bits is guessed, so this only bounds the work. */
const RECOVERY_TRIES = 30;

/** Where a proof comes from. */
interface ProofOrigin {
  /** Address of the network. */
  address: string;
  /** Key of a device that logged in before; null for another. */
  knownDevice: string | null;
}

/**
 * Uses a code, or a recovery code, of a locked second factor up; false when it is wrong or was used before, which
 * the caller's transaction must keep. A try is reserved first: five in a quarter of an hour for a person, as many
 * of its own for a device that logged in before. Recovery codes have thirty of their own for each network, which no
 * code and nobody elsewhere uses up. Throws RATE_LIMITED.
 */
export async function checkSecondFactor(
  vault: Vault,
  tx: Tx,
  factor: SecondFactorRow,
  proof: SecondFactorProof,
  from: ProofOrigin,
): Promise<boolean> {
  if ('recoveryCode' in proof) return checkRecoveryCode(vault, tx, factor, proof.recoveryCode, from.address);
  const budget = await reserveTry(vault, tx, factor, from.knownDevice);
  if (!(await isRightCode(vault, tx, factor, proof.code, from.knownDevice !== null))) {
    await countWrongCode(tx, factor.userId);
    return false;
  }
  await returnTries(tx, [budget]);
  return true;
}

/** Reserves one of the tries against a person's second factor; answers the key to give it back under. */
export async function reserveTry(
  vault: Vault,
  tx: Tx,
  { userId }: { userId: string },
  knownDevice: string | null = null,
): Promise<string> {
  const key = `second-factor:${vault.hash('second-factor-budget', userId, knownDevice ?? '').toString('hex')}`;
  await reserveTries(tx, [{ key, allowed: TRIES, windowSeconds: WINDOW_SECONDS }]);
  return key;
}

/** Where the secret of a second factor is stored, for its encryption. */
export function secretPlace(userId: string) {
  return { table: 'second_factors', column: 'secret', rowId: userId, ownerId: userId };
}

/** The stored form of a recovery code, however it was typed. */
export function recoveryCodeHash(vault: Vault, userId: string, code: string): Buffer<ArrayBuffer> {
  return vault.hash('recovery-code', userId, plainRecoveryCode(code));
}

/** Wrong ones do not count in a row: whoever has the password must not close the account to codes by them. */
async function checkRecoveryCode(
  vault: Vault,
  tx: Tx,
  { userId }: SecondFactorRow,
  code: string,
  address: string,
): Promise<boolean> {
  const hash = vault.hash('recovery-code-budget', userId, truncateAddress(address)).toString('hex');
  const key = `recovery-code:${hash}`;
  await reserveTries(tx, [{ key, allowed: RECOVERY_TRIES, windowSeconds: WINDOW_SECONDS }]);
  if (!(await takeRecoveryCode(tx, userId, recoveryCodeHash(vault, userId, code)))) return false;
  await forgetWrongCodes(tx, userId);
  await returnTries(tx, [key]);
  return true;
}

async function isRightCode(
  vault: Vault,
  tx: Tx,
  factor: SecondFactorRow,
  code: string,
  isKnownDevice: boolean,
): Promise<boolean> {
  const { userId } = factor;
  if (factor.wrongCodes >= mostFailures('secondFactor', isKnownDevice)) {
    throw new ServiceError('RATE_LIMITED', {
      detail: 'Too many wrong codes in a row. Use a recovery code, or a device that logged in before.',
      retryAfterSeconds: WINDOW_SECONDS,
    });
  }
  const step = stepOfCode(vault.open<string>(secretPlace(userId), factor.secret), code);
  return step !== null && (await takeStep(tx, userId, step));
}
