import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';

const QUERY_PARAMETER = 'look';

/**
 * The address at which an owner sees the page of their code, from a mail: a look by it is no scan and alarms nobody. What it
 * adds to the code's address opens nothing else and marks no phone, so that a mail can be passed on.
 */
export function getOwnerPreviewUrl(
  { fieldCipher, publicBaseUrl }: { fieldCipher: FieldCipher; publicBaseUrl: string },
  codeId: string,
  language: string,
): string {
  return `${publicBaseUrl}/s/${codeId}?lang=${language}&${QUERY_PARAMETER}=${computeSignature(fieldCipher, codeId)}`;
}

/** Whether the page of a code is asked for by that address. */
export function isOwnerPreview(fieldCipher: FieldCipher, codeId: string, query: unknown): boolean {
  const receivedSignature: unknown =
    typeof query === 'object' && query !== null ? Reflect.get(query, QUERY_PARAMETER) : undefined;
  return (
    typeof receivedSignature === 'string' &&
    timingSafeEquals(receivedSignature, computeSignature(fieldCipher, codeId))
  );
}

function computeSignature(fieldCipher: FieldCipher, codeId: string): string {
  return fieldCipher.hash('owner-look', codeId).toString('base64url');
}
