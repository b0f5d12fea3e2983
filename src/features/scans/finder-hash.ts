import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { getClientNetwork, getIpv6Site, truncateIpAddress } from '../../shared/client-address.ts';

/** Identifies a finder by their network (IPv4 /24, IPv6 /64): agents and addresses within it are changed at will. */
export function computeFinderHash(
  fieldCipher: FieldCipher,
  { address }: Pick<RequestContext, 'address'>,
  accountId: string,
): Buffer<ArrayBuffer> {
  const network = getIpv6Site(address) === null ? truncateIpAddress(address) : getClientNetwork(address);
  return fieldCipher.hash('finder', accountId, network);
}
