import { isIPv4 } from 'node:net';

/** Truncate an address: IPv4 to its /24, IPv6 to its /48; "unknown" for an invalid one. */
export function truncateIpAddress(address: string): string {
  const normalized = normalizeIpAddress(address);
  if (isIPv4(normalized)) return `${normalized.split('.').slice(0, 3).join('.')}.0`;
  const groups = parseIpv6Groups(normalized);
  return groups ? `${groups.slice(0, 3).join(':')}::` : 'unknown';
}

export function normalizeIpAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

export function truncateUserAgent(userAgent: string | undefined): string {
  const text = (userAgent ?? '').toWellFormed();
  return text.length <= 512 ? text : [...text].slice(0, 512).join('').slice(0, 512);
}

function parseIpv6Groups(address: string): string[] | null {
  const withoutZone = address.split('%')[0] ?? '';
  if (!/^[0-9a-f:]+$/i.test(withoutZone)) return null;
  const [head, tail] = withoutZone.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const missing = 8 - left.length - right.length;
  const middle = withoutZone.includes('::') ? Array.from({ length: Math.max(0, missing) }, () => '0') : [];
  const groups = [...left, ...middle, ...right].map((group) => Number.parseInt(group, 16).toString(16));
  return groups.length === 8 ? groups : null;
}
