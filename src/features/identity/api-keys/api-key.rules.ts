import { isIPv4, isIPv6 } from 'node:net';
import { normalizeIpAddress } from '../../../shared/client-address.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

/** Active ones, per account: together they bound what one account can send. */
export const MAX_ACTIVE_API_KEYS = 25;

export interface ApiKeyInput {
  expiresAt?: string | null | undefined;
  allowedNetworks?: readonly string[] | undefined;
}

/** Undefined takes the default lifetime, null is never. */
export function computeApiKeyExpiry(expiresAt: string | null | undefined, now: Date): Date | null {
  if (expiresAt === undefined) return new Date(now.getTime() + LIFETIMES_SECONDS.apiKey * 1000);
  return expiresAt === null ? null : new Date(expiresAt);
}

export function findApiKeyInputErrors(
  { expiresAt, allowedNetworks = [] }: ApiKeyInput,
  now: Date,
): FieldError[] {
  const errors = allowedNetworks.flatMap((network, index): FieldError[] =>
    isNetwork(network)
      ? []
      : [
          {
            field: `allowedNetworks[${index}]`,
            code: 'BAD_FORMAT',
            message: 'Must be an IP address or a CIDR range, such as 203.0.113.0/24.',
          },
        ],
  );
  if (typeof expiresAt === 'string' && new Date(expiresAt) <= now)
    errors.push({ field: 'expiresAt', code: 'IN_THE_PAST', message: 'Must be in the future.' });
  return errors;
}

const isMapped = (address: string) => normalizeIpAddress(address) !== address;

/** IPv4-mapped IPv6 would never match: addresses of clients are normalized. */
function isNetwork(text: string): boolean {
  const [address = '', prefix = '0', ...rest] = text.split('/');
  if (rest.length > 0 || !/^(?:0|[1-9][0-9]{0,2})$/.test(prefix)) return false;
  if (isIPv4(address)) return Number(prefix) <= 32;
  return isIPv6(address) && !/[.%]/.test(address) && !isMapped(address) && Number(prefix) <= 128;
}
