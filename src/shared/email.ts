import { domainToASCII } from 'node:url';
import { createValidationError } from './errors.ts';

const LOCAL_PART_PATTERN = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** Printable ASCII, blanks and tabs. */
const ASCII_PATTERN = /^[\x20-\x7e\t]+$/;
const DOMAIN_PATTERN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/** Normalize a plain address: lower case, IDNA domain; null for others. 254 characters: RFC 5321, 4.5.3.1. */
export function normalizeEmail(text: string): string | null {
  const at = text.lastIndexOf('@');
  // Checked before it is changed: normalizing or lower-casing U+212A (Kelvin sign) gives the letter k of somebody else.
  if (!ASCII_PATTERN.test(text.slice(0, at))) return null;
  const localPart = text.slice(0, at).trimStart().toLowerCase();
  const domain = domainToASCII(text.slice(at + 1).trimEnd()).toLowerCase();
  const email = `${localPart}@${domain}`;
  const hasValidLength = at > 0 && localPart.length <= 64 && email.length <= 254;
  return hasValidLength && LOCAL_PART_PATTERN.test(localPart) && DOMAIN_PATTERN.test(domain) ? email : null;
}

/** Also international domains. */
export function isEmail(text: string): boolean {
  return normalizeEmail(text) !== null && text.trim() === text;
}

export function requireValidEmail(address: string): string {
  const email = normalizeEmail(address);
  if (email) return email;
  throw createValidationError({ field: 'email', code: 'BAD_FORMAT', message: 'Must be an email address.' });
}
