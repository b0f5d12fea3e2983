import type { FieldCipher } from '../../platform/field-cipher.ts';
import { CONTEXT, defineSignedToken } from '../../shared/crypto/signed-token.ts';

const QUERY_PARAMETER = 'look';

const previewToken = defineSignedToken({
  purpose: 'owner-look',
  parts: { codeId: CONTEXT },
  lifetimeSeconds: null,
});

/** No scan, no alert, and the phone is not marked, so that the mail can be forwarded. */
export function getOwnerPreviewUrl(
  { fieldCipher, publicBaseUrl }: { fieldCipher: FieldCipher; publicBaseUrl: string },
  codeId: string,
  language: string,
): string {
  const token = previewToken.create(fieldCipher, { codeId });
  return `${publicBaseUrl}/s/${codeId}?lang=${language}&${QUERY_PARAMETER}=${token}`;
}

export function hasValidOwnerPreviewSignature(
  fieldCipher: FieldCipher,
  codeId: string,
  query: unknown,
): boolean {
  const token: unknown =
    typeof query === 'object' && query !== null ? Reflect.get(query, QUERY_PARAMETER) : undefined;
  return previewToken.verify(fieldCipher, token, { codeId }) !== null;
}
