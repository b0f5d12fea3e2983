import { isIP } from 'node:net';
import { isLoopbackHost } from '../../shared/public-address.ts';

/**
 * Why events cannot be sent to an address; null if they can. Addresses that its name resolves to are checked when they are
 * connected to.
 * @param allowsLoopback outside production, also with http
 */
export function findWebhookUrlProblem(text: string, allowsLoopback: boolean): string | null {
  if (!URL.canParse(text)) return 'Must be an absolute URL.';
  const url = new URL(text);
  if (url.username || url.password) return 'Must not contain a user name or password.';
  if (url.hash) return 'Must not contain a fragment.';
  if (isLoopbackHost(url.hostname))
    return allowsLoopback && /^https?:$/.test(url.protocol) ? null : 'Must be a public host.';
  if (url.protocol !== 'https:') return 'Must be an https URL.';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) || !host.includes('.')) return 'Must have a host name of the public DNS.';
  // Ports of other services: a delivery would tell whether they are open.
  if (url.port !== '' && Number(url.port) < 1024) return 'Must have port 443, or one from 1024 on.';
  return null;
}

/** Whether an address has to prove that who named it controls it: it is not on this machine. */
export function needsVerification(url: string): boolean {
  return !isLoopbackHost(new URL(url).hostname);
}
