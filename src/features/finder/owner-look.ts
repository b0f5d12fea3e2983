import type { Vault } from '../../platform/vault.ts';
import { sameBytes } from '../../shared/crypto/keyed-hash.ts';

const NAME = 'look';

/**
 * The address at which an owner sees the page of their code, from a mail: a look by it is no scan and alarms nobody. What it
 * adds to the code's address opens nothing else and marks no phone, so that a mail can be passed on.
 */
export function ownerLookUrl(
  { vault, publicBaseUrl }: { vault: Vault; publicBaseUrl: string },
  codeId: string,
  language: string,
): string {
  return `${publicBaseUrl}/s/${codeId}?lang=${language}&${NAME}=${signature(vault, codeId)}`;
}

/** Whether the page of a code is asked for by that address. */
export function isOwnerLook(vault: Vault, codeId: string, query: unknown): boolean {
  const given: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, NAME) : undefined;
  return typeof given === 'string' && sameBytes(given, signature(vault, codeId));
}

function signature(vault: Vault, codeId: string): string {
  return vault.hash('owner-look', codeId).toString('base64url');
}
