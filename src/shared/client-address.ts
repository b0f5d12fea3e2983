import { isIPv4, isIPv6 } from 'node:net';

/** As in URLs, Host headers and settings. */
export const LOOPBACK_HOST_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** In place of an address that a trusted proxy does not name in a readable form. All such clients count as one. */
export const UNKNOWN_ADDRESS = 'unknown';

/** Limits by address allow all clients without a readable one so many times what each other client has. */
const UNKNOWN_ADDRESS_FACTOR = 10;

/** Scale what one client may do by how many clients share this address as far as the service can know. */
export function scaleByAddress(address: string, allowed: number): number {
  return address === UNKNOWN_ADDRESS ? allowed * UNKNOWN_ADDRESS_FACTOR : allowed;
}

/**
 * Parse an entry of `X-Forwarded-For` or of `for` in `Forwarded` (RFC 7239, section 6) as proxies write it: with or
 * without a port, brackets, quotes or a zone. Null for "unknown", obfuscated identifiers and other text.
 */
export function parseForwardedAddress(entry: string): string | null {
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  const candidates = bracketed === undefined ? [text, text.replace(/:\d{1,5}$/, '')] : [bracketed];
  for (const candidate of candidates) {
    const address = candidate.replace(/%[\w.-]{1,64}$/, '');
    if (isIPv4(address) || isIPv6(address)) return normalizeIpAddress(address);
  }
  return null;
}

/** Counted as one client: an IPv4 address, or an IPv6 /64, of which one machine has all addresses. */
export function getClientNetwork(address: string): string {
  const groups = parseIpv6Groups(address);
  return groups ? formatPrefix(groups, 4) : normalizeIpAddress(address);
}

/** Truncate to a site: IPv4 to its /24, IPv6 to its /48; "unknown" for an invalid address. */
export function truncateIpAddress(address: string): string {
  const normalized = normalizeIpAddress(address);
  if (isIPv4(normalized)) return `${normalized.split('.').slice(0, 3).join('.')}.0`;
  const groups = parseIpv6Groups(normalized);
  return groups ? formatPrefix(groups, 3) : UNKNOWN_ADDRESS;
}

/** Truncate to what a provider typically has: IPv4 to its /16, IPv6 to its /32. */
export function getProviderNetwork(address: string): string {
  const normalized = normalizeIpAddress(address);
  if (isIPv4(normalized)) return `${normalized.split('.').slice(0, 2).join('.')}.0.0`;
  const groups = parseIpv6Groups(normalized);
  return groups ? formatPrefix(groups, 2) : UNKNOWN_ADDRESS;
}

/** The /48 of an IPv6 address, of which one customer can have 65,536 client networks; null for IPv4. */
export function getIpv6Site(address: string): string | null {
  const groups = parseIpv6Groups(address);
  return groups && formatPrefix(groups, 3);
}

/** Convert an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2), in any notation, to IPv4. */
export function normalizeIpAddress(address: string): string {
  if (!address.includes(':')) return address;
  const groups = parseGroups(address);
  if (!groups || groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return address;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

export function truncateUserAgent(userAgent: string | undefined): string {
  const text = (userAgent ?? '').toWellFormed();
  return text.length <= 512 ? text : [...text].slice(0, 512).join('').slice(0, 512);
}

function formatPrefix(groups: readonly number[], length: number): string {
  return `${groups
    .slice(0, length)
    .map((group) => group.toString(16))
    .join(':')}::`;
}

/** Null for IPv4, also in IPv6 notation, and for other text. */
function parseIpv6Groups(address: string): number[] | null {
  return isIPv4(normalizeIpAddress(address)) ? null : parseGroups(address);
}

function parseGroups(address: string): number[] | null {
  const withoutZone = address.split('%')[0] ?? '';
  if (!isIPv6(withoutZone)) return null;
  const hex = withoutZone.replace(
    /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/,
    (_match, a, b, c, d) =>
      `${((Number(a) << 8) | Number(b)).toString(16)}:${((Number(c) << 8) | Number(d)).toString(16)}`,
  );
  const [head = '', tail] = hex.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(missing).fill('0'), ...right].map((group) => Number.parseInt(group, 16));
}
