import { domainToASCII, domainToUnicode } from 'node:url';
import { createValidationError } from './errors.ts';

const LOCAL_PART_PATTERN = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** Printable ASCII, blanks and tabs. */
const ASCII_PATTERN = /^[\x20-\x7e\t]+$/;
/** Letters and digits of any language, IDNA dots and joiners. */
const DOMAIN_INPUT_PATTERN = /^(?:[\p{L}\p{M}\p{N}.\-\u00b7\u3002\u30fb\uff0e\uff61]|\u200c|\u200d)+$/u;
const DOMAIN_PATTERN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/** Normalize a plain address: lower case, IDNA domain; null for others. 254 characters: RFC 5321, 4.5.3.1. */
export function normalizeEmail(text: string): string | null {
  const at = text.lastIndexOf('@');
  // Checked before it is changed: normalizing or lower-casing U+212A (Kelvin sign) gives the letter k of somebody else.
  if (!ASCII_PATTERN.test(text.slice(0, at))) return null;
  const localPart = text.slice(0, at).trimStart().toLowerCase();
  const domainInput = text.slice(at + 1).trimEnd();
  // domainToASCII parses a URL: it drops a path, a query and tabs, and decodes percent signs.
  if (!DOMAIN_INPUT_PATTERN.test(domainInput)) return null;
  const domain = domainToASCII(domainInput).toLowerCase();
  const email = `${localPart}@${domain}`;
  const hasValidLength = at > 0 && localPart.length <= 64 && email.length <= 254;
  return hasValidLength && LOCAL_PART_PATTERN.test(localPart) && DOMAIN_PATTERN.test(domain) ? email : null;
}

/** Gmail ignores dots before the @. */
const DOT_INSENSITIVE_DOMAINS: readonly string[] = ['gmail.com', 'googlemail.com'];

/**
 * Guess the mailbox of a normalized address, without the subaddress after a plus (RFC 5233). Use it for email limits
 * only: not every server supports subaddresses, so it must not identify a user.
 */
export function toMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const [name = ''] = email.slice(0, at).split('+');
  // A name of nothing but a subaddress is a mailbox of its own.
  if (name === '') return email;
  return DOT_INSENSITIVE_DOMAINS.includes(domain)
    ? `${name.replaceAll('.', '')}@gmail.com`
    : `${name}@${domain}`;
}

/**
 * Normalize an address that somebody else has verified. Null unless the domain is written as it is looked up: a
 * full-width dot or a Kelvin sign is the same domain here, and perhaps another one for who verified it.
 */
export function normalizeVerifiedEmail(text: string): string | null {
  const email = normalizeEmail(text);
  if (!email || text.trim() !== text) return null;
  const [domain, ascii] = [text, email].map((address) => address.slice(address.lastIndexOf('@') + 1));
  const written = domain?.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return written === ascii || written === domainToUnicode(ascii ?? '') ? email : null;
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
