import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { getClientNetwork } from '../../shared/client-address.ts';

/** Includes the client's network (IPv4 address, IPv6 /64), to identify one finder and not their whole site. */
export function computeFinderHash(
  fieldCipher: FieldCipher,
  { address, userAgent }: Pick<RequestContext, 'address' | 'userAgent'>,
  ownerId: string,
): Buffer<ArrayBuffer> {
  return fieldCipher.hash('finder', ownerId, getClientNetwork(address), userAgent);
}
