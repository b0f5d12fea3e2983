import { consumeAttempts } from '../../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../../platform/database.ts';
import { type NetworkAttemptRule, tryConsumeNetworkAttempts } from '../../../platform/network-attempts.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { getClientNetwork, getIpv6Site, scaleByAddress } from '../../../shared/client-address.ts';
import { HOUR_SECONDS } from '../../../shared/durations.ts';
import { toMailbox } from '../../../shared/email.ts';
import type { AccountServices } from './account-services.ts';

export const MAX_MAILS_PER_CLIENT = 20;
export const MAX_MAILS_PER_IPV6_SITE = 100;

const UNLIMITED = Number.MAX_SAFE_INTEGER;
const NO_RESERVE = { perNetwork: UNLIMITED, perProvider: UNLIMITED };

/** Per mailbox: 3 in 15 minutes for each network; 20 a day in total, then a reserve of 2 for each network. */
const CODE_MAIL_RULES: readonly NetworkAttemptRule[] = [
  {
    name: 'mail',
    windowSeconds: 15 * 60,
    perNetwork: 3,
    open: UNLIMITED,
    reserve: NO_RESERVE,
    max: UNLIMITED,
  },
  {
    name: 'mail-day',
    windowSeconds: 24 * HOUR_SECONDS,
    perNetwork: 20,
    open: 20,
    reserve: { perNetwork: 2, perProvider: 20 },
    max: 200,
  },
];

const RESET_MAIL_RULES: readonly NetworkAttemptRule[] = [
  {
    name: 'reset-mail',
    windowSeconds: HOUR_SECONDS,
    perNetwork: 3,
    open: UNLIMITED,
    reserve: NO_RESERVE,
    max: UNLIMITED,
  },
  {
    name: 'reset-mail-day',
    windowSeconds: 24 * HOUR_SECONDS,
    perNetwork: 10,
    open: 10,
    reserve: { perNetwork: 2, perProvider: 10 },
    max: 100,
  },
];

/** Consume one of 20 mails per hour and client (IPv4, IPv6 /64), 100 for an IPv6 /48. @throws RATE_LIMITED */
export async function consumeIpAddressMailQuota(
  { fieldCipher, database, rateLimitScale }: AccountServices,
  { address }: RequestContext,
): Promise<void> {
  const site = getIpv6Site(address);
  const limits = [
    { network: getClientNetwork(address), allowed: scaleByAddress(address, MAX_MAILS_PER_CLIENT) },
    ...(site === null ? [] : [{ network: site, allowed: MAX_MAILS_PER_IPV6_SITE }]),
  ].map(({ network, allowed }) => ({
    key: `mails-of:${fieldCipher.hash('mails-of-address', network, String(allowed)).toString('hex')}`,
    allowed: Math.ceil(allowed * rateLimitScale),
    windowSeconds: HOUR_SECONDS,
  }));
  await database.transaction((tx) => consumeAttempts(tx, limits));
}

/** Consume one mail with a code, for known and unknown addresses alike; false when none is left. */
export async function tryConsumeEmailAddressMailQuota(
  { fieldCipher }: Pick<AccountServices, 'fieldCipher'>,
  tx: Tx,
  { address }: RequestContext,
  email: string,
): Promise<boolean> {
  return tryConsumeNetworkAttempts(tx, fieldCipher, CODE_MAIL_RULES, { subject: toMailbox(email), address });
}

/**
 * Consume one email with a reset link; counted by the exact address, since only a registered one gets it. False when
 * none is left.
 */
export async function tryConsumeResetMailQuota(
  { fieldCipher }: AccountServices,
  tx: Tx,
  { address }: RequestContext,
  email: string,
): Promise<boolean> {
  return tryConsumeNetworkAttempts(tx, fieldCipher, RESET_MAIL_RULES, { subject: email, address });
}
