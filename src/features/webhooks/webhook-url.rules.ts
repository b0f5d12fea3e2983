import { isIP } from 'node:net';
import { isLoopbackHost } from '../../shared/public-address.ts';

/** Why events cannot be sent to a URL, as the API says it. */
export const WEBHOOK_URL_PROBLEMS = {
  NOT_ABSOLUTE: 'Must be an absolute URL.',
  HAS_CREDENTIALS: 'Must not contain a user name or password.',
  HAS_FRAGMENT: 'Must not contain a fragment.',
  LOOPBACK_HOST: 'Must be a public host.',
  NOT_HTTPS: 'Must be an https URL.',
  NOT_PUBLIC_NAME: 'Must have a host name of the public DNS.',
  PORT_NOT_ALLOWED: 'Must have port 443, or one from 1024 on.',
} as const;

export type WebhookUrlProblem = keyof typeof WEBHOOK_URL_PROBLEMS;

/**
 * Find why events cannot be sent to an address; null if they can. Addresses that its name resolves to are checked when they
 * are connected to.
 * @param allowsLoopback outside production, also with http
 */
export function findWebhookUrlProblem(text: string, allowsLoopback: boolean): WebhookUrlProblem | null {
  if (!URL.canParse(text)) return 'NOT_ABSOLUTE';
  const url = new URL(text);
  if (url.username || url.password) return 'HAS_CREDENTIALS';
  if (url.hash) return 'HAS_FRAGMENT';
  if (isLoopbackHost(url.hostname))
    return allowsLoopback && /^https?:$/.test(url.protocol) ? null : 'LOOPBACK_HOST';
  if (url.protocol !== 'https:') return 'NOT_HTTPS';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) || !host.includes('.')) return 'NOT_PUBLIC_NAME';
  // Ports of other services: a delivery would tell whether they are open.
  if (url.port !== '' && Number(url.port) < 1024) return 'PORT_NOT_ALLOWED';
  return null;
}

/** Whether an address has to prove that who named it controls it: it is not on this machine. */
export function needsVerification(url: string): boolean {
  return !isLoopbackHost(new URL(url).hostname);
}
