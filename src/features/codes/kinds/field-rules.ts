import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { FieldError } from '../../../shared/errors.ts';

/**
 * A phone number as it is dialled (RFC 3966, global or local): `+49 (0)170 123-45` becomes `+4917012345`,
 * an international `00` becomes `+`.
 */
export function toDialableNumber(phone: string): string {
  const written = phone.trimStart();
  if (!/^(?:\+|00)/.test(written)) return written.replace(/[^0-9]/g, '');
  return `+${written
    .replace(/^(?:\+|00)/, '')
    .replace('(0)', '')
    .replace(/[^0-9]/g, '')}`;
}

/**
 * Hosts that no printed code has business with: the addresses of the link itself (RFC 3927, RFC 4291), where cloud
 * machines keep their secrets, and the loopback and unspecified ones, which are the finder's own
 * phone. Private networks stay legal: the page of a router or the server of a museum is what people print a code for,
 * and nothing here ever fetches it.
 */
const BLOCKED_HOSTS = new BlockList();
BLOCKED_HOSTS.addSubnet('0.0.0.0', 8, 'ipv4');
BLOCKED_HOSTS.addSubnet('127.0.0.0', 8, 'ipv4');
BLOCKED_HOSTS.addSubnet('169.254.0.0', 16, 'ipv4');
BLOCKED_HOSTS.addSubnet('::', 127, 'ipv6');
BLOCKED_HOSTS.addSubnet('fe80::', 10, 'ipv6');

/** Characters of a web address as browsers send it, where all but ASCII is encoded (RFC 3986, 2.1). */
const MAX_URL_CHARACTERS = 2_000;

/**
 * What is wrong with a web address beyond its pattern: no such host, too long once it is encoded, a user name or password
 * in it, or a host of `REFUSED_HOSTS`, in whatever notation. An address that is not given has no errors.
 */
export function findWebUrlErrors(field: string, url: string | undefined): FieldError[] {
  if (url === undefined) return [];
  if (!URL.canParse(url))
    return [createFieldError(field, 'BAD_FORMAT', 'Must be a web address with a valid host.')];
  const { protocol, username, password, hostname, href } = new URL(url);
  if (href.length > MAX_URL_CHARACTERS)
    return [
      createFieldError(
        field,
        'TOO_LONG',
        `Must have at most ${MAX_URL_CHARACTERS} characters when it is encoded.`,
      ),
    ];
  if (protocol !== 'http:' && protocol !== 'https:')
    return [createFieldError(field, 'NOT_ALLOWED', 'Only http and https addresses are allowed.')];
  if (username || password)
    return [createFieldError(field, 'NOT_ALLOWED', 'An address must not hold a user name or password.')];
  if (isBlockedHost(hostname))
    return [createFieldError(field, 'NOT_ALLOWED', 'A loopback or link-local address is not allowed.')];
  return [];
}

/** The error of a day (ISO 8601) that lies before another it must not precede; none where one is missing. */
export function findDateOrderErrors(
  field: string,
  earlier: string | undefined,
  later: string | undefined,
): FieldError[] {
  if (earlier === undefined || later === undefined || earlier <= later) return [];
  return [createFieldError(field, 'OUT_OF_RANGE', 'Must not be before the date that begins it.')];
}

/** Whether a host as the URL Standard writes it (IPv4 in four decimal parts) is of `REFUSED_HOSTS`, or localhost (RFC 6761). */
function isBlockedHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  if (isIPv4(host)) return BLOCKED_HOSTS.check(host, 'ipv4');
  return isIPv6(host) && BLOCKED_HOSTS.check(host, 'ipv6');
}

/** A field error of a rule. */
export function createFieldError(field: string, code: string, message: string): FieldError {
  return { field, code, message };
}
