import { domainToASCII } from 'node:url';
import { invalidFields } from '../../shared/errors.ts';

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * The one form of an e-mail address that accounts are known by: lower case, the domain in ASCII (IDNA).
 * Answers null for what is no plain address: quoted local parts, comments, several addresses, more than
 * 254 characters (RFC 5321, 4.5.3.1), anything that could become a header of its own.
 */
export function normaliseEmail(text: string): string | null {
  const trimmed = text.trim().normalize('NFC');
  const at = trimmed.lastIndexOf('@');
  const localPart = trimmed.slice(0, at).toLowerCase();
  const domain = domainToASCII(trimmed.slice(at + 1)).toLowerCase();
  const email = `${localPart}@${domain}`;
  const fits = at > 0 && localPart.length <= 64 && email.length <= 254;
  return fits && LOCAL_PART.test(localPart) && DOMAIN.test(domain) ? email : null;
}

/** The normalised address. Throws VALIDATION_FAILED for what is none. */
export function emailOf(address: string): string {
  const email = normaliseEmail(address);
  if (email) return email;
  throw invalidFields({ field: 'email', code: 'BAD_FORMAT', message: 'Must be an e-mail address.' });
}
