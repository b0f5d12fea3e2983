import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';

const QUERY_PARAMETER = 'look';

/** No scan, no alert, and the phone is not marked, so that the mail can be forwarded. */
export function getOwnerPreviewUrl(
  { fieldCipher, publicBaseUrl }: { fieldCipher: FieldCipher; publicBaseUrl: string },
  codeId: string,
  language: string,
): string {
  return `${publicBaseUrl}/s/${codeId}?lang=${language}&${QUERY_PARAMETER}=${computeSignature(fieldCipher, codeId)}`;
}

export function hasValidOwnerPreviewSignature(
  fieldCipher: FieldCipher,
  codeId: string,
  query: unknown,
): boolean {
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
