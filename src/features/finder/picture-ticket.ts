import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

/** A code, and the state of it that a PIN was given for. */
interface CodeVersion {
  id: string;
  version: number;
}

/**
 * What the addresses of pictures behind a PIN have once it was given: it opens them alone, no scan and nothing else of the
 * page, until any change of the code and for two hours at most.
 */
export function createPictureTicket(fieldCipher: FieldCipher, code: CodeVersion): string {
  const expiresAtSeconds = String(Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.pictureTicket);
  return `${expiresAtSeconds}.${computeSignature(fieldCipher, code, expiresAtSeconds)}`;
}

/** Whether a ticket is of this code as it is, and has not ended. */
export function isValidPictureTicket(
  fieldCipher: FieldCipher,
  code: CodeVersion,
  ticket: string | undefined,
): ticket is string {
  const [expiresAtSeconds = '', signature = ''] = ticket?.split('.') ?? [];
  if (!/^\d{1,12}$/.test(expiresAtSeconds) || Number(expiresAtSeconds) * 1000 <= Date.now()) return false;
  return timingSafeEquals(signature, computeSignature(fieldCipher, code, expiresAtSeconds));
}

function computeSignature(
  fieldCipher: FieldCipher,
  { id, version }: CodeVersion,
  expiresAtSeconds: string,
): string {
  return fieldCipher
    .hash('picture-ticket', id, String(version), expiresAtSeconds)
    .subarray(0, 16)
    .toString('base64url');
}
