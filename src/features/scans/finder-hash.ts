import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';

/** By which an owner blocks a finder: a keyed hash over owner, whole address and agent, and not of everyone near them. */
export function computeFinderHash(
  fieldCipher: FieldCipher,
  { address, userAgent }: Pick<RequestContext, 'address' | 'userAgent'>,
  ownerId: string,
): Buffer<ArrayBuffer> {
  return fieldCipher.hash('finder', ownerId, address, userAgent);
}
