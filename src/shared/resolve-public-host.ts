import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { HostAddressError } from './host-address-error.ts';
import { isLoopbackHost, isPublicIpAddress } from './public-address.ts';

const QUERY_TIMEOUT_MS = 2_500;

/**
 * Resolve a host to the only addresses to connect to, each public. Not by `lookup`, whose few threads a name server that
 * never answers would keep from hashes and files.
 * @param nameServers for tests
 * @throws HostAddressError
 */
export async function resolvePublicHost(
  hostname: string,
  nameServers?: readonly string[],
): Promise<LookupAddress[]> {
  // Callers refuse it in production.
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
  if (addresses.length === 0) throw new HostAddressError('NAME_NOT_RESOLVED');
  if (!addresses.every(({ address }) => isPublicIpAddress(address)))
    throw new HostAddressError('ADDRESS_NOT_ALLOWED');
  return addresses;
}
