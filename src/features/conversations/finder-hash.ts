import type { Caller } from '../../platform/caller.ts';
import type { Vault } from '../../platform/vault.ts';

/** By which an owner blocks a finder: a keyed hash over owner, whole address and agent, and not of everyone near them. */
export function finderHashOf(
  vault: Vault,
  { address, userAgent }: Pick<Caller, 'address' | 'userAgent'>,
  ownerId: string,
): Buffer<ArrayBuffer> {
  return vault.hash('finder', ownerId, address, userAgent);
}
