import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

const LOOPBACK_NETWORKS = new BlockList();
LOOPBACK_NETWORKS.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK_NETWORKS.addAddress('::1', 'ipv6');

/** Networks of the IANA special-purpose registries. */
const SPECIAL_PURPOSE_NETWORKS = new BlockList();
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
]) {
  const [address = '', bits] = network.split('/');
  SPECIAL_PURPOSE_NETWORKS.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** The only allocated part of IPv6; addresses that embed IPv4 are outside of it or listed above. */
const GLOBAL_UNICAST_NETWORKS = new BlockList();
GLOBAL_UNICAST_NETWORKS.addSubnet('2000::', 3, 'ipv6');

export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || isLoopbackAddress(host);
}

function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && LOOPBACK_NETWORKS.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** For addresses, not names. */
export function isPublicIpAddress(address: string): boolean {
  if (isIP(address) === 4) return !SPECIAL_PURPOSE_NETWORKS.check(address, 'ipv4');
  return (
    isIP(address) === 6 &&
    GLOBAL_UNICAST_NETWORKS.check(address, 'ipv6') &&
    !SPECIAL_PURPOSE_NETWORKS.check(address, 'ipv6')
  );
}

/** Resolve once to use the checked addresses. @throws Error unless public, or loopback for a loopback host */
export async function resolveAllowedHostAddresses(hostname: string): Promise<LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isAllowed = isLoopbackHost(host) ? isLoopbackAddress : isPublicIpAddress;
  const addresses = await lookup(host, { all: true });
  if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address)))
    throw new Error('address not allowed');
  return addresses;
}
