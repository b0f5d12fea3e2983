import type { FieldError } from '../../../shared/errors.ts';

/**
 * A phone number as it is dialled (RFC 3966, global or local): `+49 (0)170 123-45` becomes `+4917012345`,
 * an international `00` becomes `+`.
 */
export function dialable(phone: string): string {
  const written = phone.trimStart();
  if (!/^(?:\+|00)/.test(written)) return written.replace(/[^0-9]/g, '');
  return `+${written
    .replace(/^(?:\+|00)/, '')
    .replace('(0)', '')
    .replace(/[^0-9]/g, '')}`;
}

/**
 * What is wrong with a web address beyond its pattern: no such host, a user name or password in it, or an address
 * of the link itself (169.254.0.0/16, fe80::/10: RFC 3927, RFC 4291), where cloud machines keep their secrets and
 * no printed code has business. An address that is not given has no errors.
 */
export function webUrlErrors(field: string, url: string | undefined): FieldError[] {
  if (url === undefined) return [];
  if (!URL.canParse(url))
    return [invalid(field, 'INVALID_FORMAT', 'Must be a web address with a valid host.')];
  const { protocol, username, password, hostname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:')
    return [invalid(field, 'NOT_ALLOWED', 'Only http and https addresses are allowed.')];
  if (username || password)
    return [invalid(field, 'NOT_ALLOWED', 'An address must not hold a user name or password.')];
  if (/^169\.254\.|^\[(?:fe[89ab]|::ffff:a9fe:)/.test(hostname))
    return [invalid(field, 'NOT_ALLOWED', 'A link-local address is not allowed.')];
  return [];
}

/** The error of a day (ISO 8601) that lies before another it must not precede; none where one is missing. */
export function orderErrors(
  field: string,
  earlier: string | undefined,
  later: string | undefined,
): FieldError[] {
  if (earlier === undefined || later === undefined || earlier <= later) return [];
  return [invalid(field, 'OUT_OF_RANGE', 'Must not be before the date that begins it.')];
}

/** A field error of a rule. */
export function invalid(field: string, code: string, message: string): FieldError {
  return { field, code, message };
}
