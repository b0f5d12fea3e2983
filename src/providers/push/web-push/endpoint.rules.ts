import { isLoopbackHost } from '../../../shared/public-address.ts';

/**
 * Whether pushes may be sent to a URL that a user gave: only to the push services of browsers, so that nobody has this
 * service send requests to a host of somebody else.
 * @param hosts names; `*.` in front stands for names below
 * @param allowsLoopback outside production, also with http
 */
export function isAllowedPushEndpoint(
  endpoint: string,
  { hosts, allowsLoopback }: { hosts: readonly string[]; allowsLoopback: boolean },
): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password, hash } = new URL(endpoint);
  if (username || password || hash) return false;
  if (isLoopbackHost(hostname)) return allowsLoopback && (protocol === 'https:' || protocol === 'http:');
  if (protocol !== 'https:' || port !== '') return false;
  return hosts.some((host) => (host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host));
}
