import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isLoopbackHost, isPublicIpAddress } from '../../shared/public-address.ts';
import { WebhookAddressError } from './webhook-address-error.ts';

const QUERY_TIMEOUT_MS = 2_500;

/**
 * Resolve a host to the only addresses to connect to, each public. Not by `lookup`, whose few threads a name server that
 * never answers would keep from hashes and files.
 * @param nameServers for tests
 * @throws WebhookAddressError
 */
export async function resolveWebhookHost(
  hostname: string,
  nameServers?: readonly string[],
): Promise<LookupAddress[]> {
  // Only outside production: see webhook-url.rules.ts.
  if (isLoopbackHost(hostname))
    return hostname === '[::1]' ? [{ address: '::1', family: 6 }] : [{ address: '127.0.0.1', family: 4 }];
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled'
      ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  );
  if (addresses.length === 0) throw new WebhookAddressError('NAME_NOT_RESOLVED');
  if (!addresses.every(({ address }) => isPublicIpAddress(address)))
    throw new WebhookAddressError('ADDRESS_NOT_ALLOWED');
  return addresses;
}
