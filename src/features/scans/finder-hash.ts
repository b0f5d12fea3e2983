import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';

/** Includes the full address, to identify one finder and not their whole network. */
export function computeFinderHash(
  fieldCipher: FieldCipher,
  { address, userAgent }: Pick<RequestContext, 'address' | 'userAgent'>,
  ownerId: string,
): Buffer<ArrayBuffer> {
  return fieldCipher.hash('finder', ownerId, address, userAgent);
}
