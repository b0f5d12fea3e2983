import { domainToASCII } from 'node:url';
import { createValidationError } from './errors.ts';

const LOCAL_PART_PATTERN = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** Printable ASCII. */
const ASCII_PATTERN = /^[\x21-\x7e]+$/;
const DOMAIN_PATTERN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/** Normalize a plain address: lower case, IDNA domain; null for others. 254 characters: RFC 5321, 4.5.3.1. */
export function normalizeEmail(text: string): string | null {
  const trimmed = text.replace(/^[ \t]+|[ \t]+$/g, '');
  const at = trimmed.lastIndexOf('@');
  // Checked before it is changed: normalizing or lower-casing U+212A (Kelvin sign) gives the letter k of somebody else.
  if (!ASCII_PATTERN.test(trimmed.slice(0, at))) return null;
  const localPart = trimmed.slice(0, at).toLowerCase();
  const domain = domainToASCII(trimmed.slice(at + 1)).toLowerCase();
  const email = `${localPart}@${domain}`;
  const hasValidLength = at > 0 && localPart.length <= 64 && email.length <= 254;
  return hasValidLength && LOCAL_PART_PATTERN.test(localPart) && DOMAIN_PATTERN.test(domain) ? email : null;
}

/** Also international domains. */
export function isEmail(text: string): boolean {
  return normalizeEmail(text) !== null && !/^[ \t]|[ \t]$/.test(text);
}

export function requireValidEmail(address: string): string {
  const email = normalizeEmail(address);
  if (email) return email;
  throw createValidationError({ field: 'email', code: 'BAD_FORMAT', message: 'Must be an email address.' });
}
