import {
  consumeAttempts,
  countAttempts,
  incrementAttemptBudgets,
} from '../../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../../platform/database.ts';
import { consumeNetworkAttempts, type NetworkAttemptRule } from '../../../platform/network-attempts.ts';
import { scaleByAddress, truncateIpAddress } from '../../../shared/client-address.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../../shared/durations.ts';
import type { AccountServices } from './account-services.ts';
import { MAX_OTP_ATTEMPTS } from './registration.repository.ts';

/** As long as registrations are kept. */
const REGISTRATION_COUNT_SECONDS = 7 * DAY_SECONDS;

/** One guess is compared with at most so many codes, and costs as many comparisons. */
const MAX_CODES_PER_GUESS = 5;

const MAX_COMPARISONS_PER_HOUR = 10;

/** Comparisons a day. The odds of one are 1 : 1,000,000. */
const OTP_DAY_RULE: NetworkAttemptRule = {
  name: 'otp-day',
  windowSeconds: DAY_SECONDS,
  perNetwork: 50,
  open: 100,
  reserve: { perNetwork: 5, perProvider: 50 },
  max: 1_000,
};

export interface OtpGuess {
  /** Whether the address was registered from this network. */
  isOwnNetwork: boolean;
  /** How many codes the guess may be compared with. */
  comparisons: number;
  /** For a refund. */
  budgetKeys: string[];
  /** Of the guesses at the current code. */
  codeKey: string;
}

/**
 * Consume a guess before it is compared. What it costs depends on registrations that this network can know of, and
 * not on whether they were stored: the cost would tell whether the address has an account.
 * @throws RATE_LIMITED
 */
export async function consumeOtpGuess(
  services: AccountServices,
  tx: Tx,
  email: string,
  address: string,
): Promise<OtpGuess> {
  const { isOwnNetwork, comparisons } = await readRegistrationCounts(services, tx, email, address);
  const codeKey = deriveOtpAttemptLimitKey(services, email, address);
  const hourKey = `otp-hour:${hashNetwork(services, email, address)}`;
  await consumeAttempts(tx, [
    { key: codeKey, allowed: scaleByAddress(address, MAX_OTP_ATTEMPTS), windowSeconds: 10 * 60 },
    {
      key: hourKey,
      allowed: scaleByAddress(address, MAX_COMPARISONS_PER_HOUR),
      windowSeconds: HOUR_SECONDS,
      count: comparisons,
    },
  ]);
  const dayKeys = await consumeNetworkAttempts(tx, services.fieldCipher, OTP_DAY_RULE, {
    subject: email,
    address,
    count: comparisons,
  });
  return { isOwnNetwork, comparisons, budgetKeys: [hourKey, ...dayKeys], codeKey };
}

/** Call when codes are sent for another network: from then on its guesses are compared with these only. */
export async function countResend(
  services: AccountServices,
  tx: Tx,
  email: string,
  address: string,
): Promise<void> {
  const { isOwnNetwork, comparisons } = await readRegistrationCounts(services, tx, email, address);
  const key = deriveRegistrationCountKeys(services, email, address).own;
  const count = isOwnNetwork ? 0 : comparisons;
  await incrementAttemptBudgets(tx, [{ key, windowSeconds: REGISTRATION_COUNT_SECONDS, count }]);
}

/** Call for each registration, also of an address that has an account. */
export async function countRegistration(
  services: AccountServices,
  tx: Tx,
  email: string,
  address: string,
): Promise<void> {
  const keys = deriveRegistrationCountKeys(services, email, address);
  await incrementAttemptBudgets(
    tx,
    Object.values(keys).map((key) => ({ key, windowSeconds: REGISTRATION_COUNT_SECONDS, count: 1 })),
  );
}

/** A new code resets the key, for the network that asked for it. */
export function deriveOtpAttemptLimitKey(services: AccountServices, email: string, address: string): string {
  return `otp-code:${hashNetwork(services, email, address)}`;
}

export function hashRegistrationNetwork(
  { fieldCipher }: AccountServices,
  email: string,
  address: string,
): Buffer<ArrayBuffer> {
  return fieldCipher.hash('registration-network', email, truncateIpAddress(address));
}

async function readRegistrationCounts(
  services: AccountServices,
  tx: Tx,
  email: string,
  address: string,
): Promise<{ isOwnNetwork: boolean; comparisons: number }> {
  const keys = deriveRegistrationCountKeys(services, email, address);
  const counts = await countAttempts(tx, Object.values(keys));
  const ownCount = counts.get(keys.own) ?? 0;
  const knownCount = ownCount > 0 ? ownCount : (counts.get(keys.all) ?? 0);
  return { isOwnNetwork: ownCount > 0, comparisons: Math.min(MAX_CODES_PER_GUESS, Math.max(1, knownCount)) };
}

function deriveRegistrationCountKeys(services: AccountServices, email: string, address: string) {
  return {
    own: `registrations:${hashNetwork(services, email, address)}`,
    all: `registrations-all:${services.fieldCipher.hash('otp-budget', email).toString('hex')}`,
  };
}

function hashNetwork({ fieldCipher }: AccountServices, email: string, address: string): string {
  return fieldCipher.hash('otp-budget', email, truncateIpAddress(address)).toString('hex');
}
