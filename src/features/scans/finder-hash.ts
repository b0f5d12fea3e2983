import { randomBytes } from 'node:crypto';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import {
  getClientNetwork,
  getIpv6Site,
  truncateIpAddress,
  UNKNOWN_ADDRESS,
} from '../../shared/client-address.ts';

/**
 * Identifies a finder by their network (IPv4 /24, IPv6 /64): agents and addresses within it are changed at will. Without a
 * readable address it identifies nobody: a block then ends one conversation, and not those of everybody.
 */
export function computeFinderHash(
  fieldCipher: FieldCipher,
  { address }: Pick<RequestContext, 'address'>,
  accountId: string,
): Buffer<ArrayBuffer> {
  if (address === UNKNOWN_ADDRESS) return randomBytes(32);
  const network = getIpv6Site(address) === null ? truncateIpAddress(address) : getClientNetwork(address);
  return fieldCipher.hash('finder', accountId, network);
}
