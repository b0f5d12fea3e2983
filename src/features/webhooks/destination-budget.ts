import {
  type AttemptLimit,
  consumeAttempts,
  refundAttempts,
} from '../../platform/attempt-budget.repository.ts';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { ServiceError } from '../../shared/errors.ts';
import { needsVerification } from './webhook-url.rules.ts';

/** Requests to one destination, of all accounts together, replays included. */
const MAX_REQUESTS = [
  { name: 'second', allowed: 20, windowSeconds: 1 },
  { name: 'hour', allowed: 5_000, windowSeconds: HOUR_SECONDS },
];

/** Requests of one account to it: one account must not use up a platform where many have their endpoints. */
const MAX_ACCOUNT_REQUESTS = [
  { name: 'account-second', allowed: 10, windowSeconds: 1 },
  { name: 'account-hour', allowed: 2_500, windowSeconds: HOUR_SECONDS },
];

/** A destination is a registrable domain (Public Suffix List): its subdomains count as one. */
export interface DestinationBudget {
  /** Reserve requests; returns the seconds to wait if there are none left. */
  reserve(count: number): Promise<number>;
  release(count: number): Promise<void>;
}

/** Get the budget of the destination of a URL; that of this machine has no limit. */
export async function openDestinationBudget(
  { database, fieldCipher }: { database: Database; fieldCipher: FieldCipher },
  accountId: string,
  url: string,
): Promise<DestinationBudget> {
  if (!needsVerification(url)) return { reserve: async () => 0, release: async () => {} };
  const { hostname } = new URL(url);
  // Loaded with the first delivery: its list is large.
  const { getDomain } = await import('./public-suffixes.ts');
  const destination = getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
  const toLimits = (requests: typeof MAX_REQUESTS, ...parts: string[]) => {
    const hash = fieldCipher.hash('webhook-destination', destination, ...parts).toString('hex');
    return requests.map(
      ({ name, ...limit }): AttemptLimit => ({ key: `webhook-destination:${name}:${hash}`, ...limit }),
    );
  };
  const limits = [...toLimits(MAX_REQUESTS), ...toLimits(MAX_ACCOUNT_REQUESTS, accountId)];
  return {
    async reserve(count) {
      try {
        await database.transaction((tx) =>
          consumeAttempts(
            tx,
            limits.map((limit) => ({ ...limit, count })),
          ),
        );
        return 0;
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'RATE_LIMITED')
          return error.retryAfterSeconds ?? 1;
        throw error;
      }
    },
    release: (count) =>
      refundAttempts(
        database.client,
        limits.map(({ key }) => key),
        count,
      ),
  };
}
