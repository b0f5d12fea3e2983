import { getProviderNetwork, scaleByAddress, truncateIpAddress } from '../shared/client-address.ts';
import { ServiceError } from '../shared/errors.ts';
import { incrementAttemptBudgets, refundAttempts } from './attempt-budget.repository.ts';
import type { Tx } from './database.ts';
import type { FieldCipher } from './field-cipher.ts';

/**
 * Limits on attempts at one subject, such as an email address, from many networks. Once all networks together have
 * used `open`, each still has its own `reserve`, so that nobody uses up the attempts of others. `max` bounds
 * what a botnet gets. The arithmetic is in docs/adr/0034-attempts-by-network.md.
 */
export interface NetworkAttemptRule {
  name: string;
  windowSeconds: number;
  /** IPv4 /24, IPv6 /48. */
  perNetwork: number;
  open: number;
  /** IPv4 /16 and IPv6 /32 are a provider. */
  reserve: { perNetwork: number; perProvider: number };
  max: number;
}

export interface NetworkAttempt {
  subject: string;
  address: string;
  count?: number;
}

/**
 * Consume attempts in a transaction; its rollback refunds them.
 * @returns the keys for a refund
 * @throws RATE_LIMITED with the seconds to wait
 */
export async function consumeNetworkAttempts(
  tx: Tx,
  fieldCipher: FieldCipher,
  rule: NetworkAttemptRule,
  attempt: NetworkAttempt,
): Promise<string[]> {
  const { keys, waitSeconds } = await countNetworkAttempts(tx, fieldCipher, rule, attempt);
  if (waitSeconds !== null) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: waitSeconds });
  return keys;
}

/** The seconds to wait are null if the attempt is allowed. */
async function countNetworkAttempts(
  tx: Tx,
  fieldCipher: FieldCipher,
  rule: NetworkAttemptRule,
  { subject, address, count = 1 }: NetworkAttempt,
): Promise<{ keys: string[]; waitSeconds: number | null }> {
  const keys = deriveNetworkAttemptKeys(fieldCipher, rule, subject, address);
  const rows = await incrementAttemptBudgets(
    tx,
    Object.values(keys).map((key) => ({ key, windowSeconds: rule.windowSeconds, count })),
  );
  const find = (key: string) => rows.find((row) => row.key === key) ?? { used: count, seconds: 1 };
  const [network, provider, all] = [find(keys.network), find(keys.provider), find(keys.all)];
  const isReserved =
    network.used <= scaleByAddress(address, rule.reserve.perNetwork) &&
    provider.used <= scaleByAddress(address, rule.reserve.perProvider) &&
    all.used <= rule.max;
  const isNetworkExhausted = network.used > scaleByAddress(address, rule.perNetwork);
  const isAllowed = !isNetworkExhausted && (all.used <= rule.open || isReserved);
  return {
    keys: Object.values(keys),
    waitSeconds: isAllowed ? null : Math.max(1, isNetworkExhausted ? network.seconds : all.seconds),
  };
}

/** False when none is left; refused attempts are not counted. */
export async function tryConsumeNetworkAttempts(
  tx: Tx,
  fieldCipher: FieldCipher,
  rules: readonly NetworkAttemptRule[],
  attempt: NetworkAttempt,
): Promise<boolean> {
  const consumedKeys: string[] = [];
  for (const rule of rules) {
    const { keys, waitSeconds } = await countNetworkAttempts(tx, fieldCipher, rule, attempt);
    consumedKeys.push(...keys);
    if (waitSeconds === null) continue;
    await refundAttempts(tx, consumedKeys, attempt.count);
    return false;
  }
  return true;
}

function deriveNetworkAttemptKeys(
  fieldCipher: FieldCipher,
  { name }: NetworkAttemptRule,
  subject: string,
  address: string,
) {
  const hash = (...parts: string[]) =>
    fieldCipher.hash('network-attempts', name, subject, ...parts).toString('hex');
  return {
    network: `${name}:${hash('network', truncateIpAddress(address))}`,
    provider: `${name}-provider:${hash('provider', getProviderNetwork(address))}`,
    all: `${name}-all:${hash('all')}`,
  };
}
