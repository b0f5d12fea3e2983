import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';

const NAME = 'look';

/**
 * The address at which an owner sees the page of their code, from a mail: a look by it is no scan and alarms nobody. What it
 * adds to the code's address opens nothing else and marks no phone, so that a mail can be passed on.
 */
export function ownerLookUrl(
  { fieldCipher, publicBaseUrl }: { fieldCipher: FieldCipher; publicBaseUrl: string },
  codeId: string,
  language: string,
): string {
  return `${publicBaseUrl}/s/${codeId}?lang=${language}&${NAME}=${signature(fieldCipher, codeId)}`;
}

/** Whether the page of a code is asked for by that address. */
export function isOwnerLook(fieldCipher: FieldCipher, codeId: string, query: unknown): boolean {
  const given: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, NAME) : undefined;
  return typeof given === 'string' && timingSafeEquals(given, signature(fieldCipher, codeId));
}

function signature(fieldCipher: FieldCipher, codeId: string): string {
  return fieldCipher.hash('owner-look', codeId).toString('base64url');
}
