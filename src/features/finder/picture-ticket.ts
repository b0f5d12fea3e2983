import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

interface CodeVersion {
  id: string;
  version: number;
}

/**
 * Create the ticket in the URLs of pictures behind a PIN. It gives access to the pictures alone, expires after two
 * hours and becomes invalid when the code changes.
 */
export function createPictureTicket(fieldCipher: FieldCipher, code: CodeVersion): string {
  const expiresAtSeconds = String(Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.pictureTicket);
  return `${expiresAtSeconds}.${computeSignature(fieldCipher, code, expiresAtSeconds)}`;
}

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
