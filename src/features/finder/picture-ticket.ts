import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

/** A code, and the state of it that a PIN was given for. */
interface OfCode {
  id: string;
  version: number;
}

/**
 * What the addresses of pictures behind a PIN have once it was given: it opens them alone, no scan and nothing else of the
 * page, until any change of the code and for two hours at most.
 */
export function pictureTicket(fieldCipher: FieldCipher, code: OfCode): string {
  const end = String(Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.pictureTicket);
  return `${end}.${sign(fieldCipher, code, end)}`;
}

/** Whether a ticket is of this code as it is, and has not ended. */
export function isPictureTicket(
  fieldCipher: FieldCipher,
  code: OfCode,
  ticket: string | undefined,
): ticket is string {
  const [end = '', signature = ''] = ticket?.split('.') ?? [];
  if (!/^\d{1,12}$/.test(end) || Number(end) * 1000 <= Date.now()) return false;
  return timingSafeEquals(signature, sign(fieldCipher, code, end));
}

function sign(fieldCipher: FieldCipher, { id, version }: OfCode, end: string): string {
  return fieldCipher.hash('picture-ticket', id, String(version), end).subarray(0, 16).toString('base64url');
}
