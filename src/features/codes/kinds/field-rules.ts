import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { FieldError } from '../../../shared/errors.ts';
import { findScannedQrCodeId, isOwnScanUrl } from '../scan-url.rules.ts';
import type { QrCodeRuleContext } from './kind-definition.ts';

/**
 * Link-local (RFC 3927, RFC 4291: cloud metadata), loopback and unspecified addresses. Private networks are
 * allowed: codes may lead to a router, and the service never fetches the URL.
 */
const BLOCKED_HOSTS = new BlockList();
BLOCKED_HOSTS.addSubnet('0.0.0.0', 8, 'ipv4');
BLOCKED_HOSTS.addSubnet('127.0.0.0', 8, 'ipv4');
BLOCKED_HOSTS.addSubnet('169.254.0.0', 16, 'ipv4');
BLOCKED_HOSTS.addSubnet('::', 127, 'ipv6');
BLOCKED_HOSTS.addSubnet('fe80::', 10, 'ipv6');

/** Length after percent-encoding (RFC 3986, 2.1). */
const MAX_URL_CHARACTERS = 2_000;

/** Check what a pattern cannot: encoded length, credentials, and blocked hosts in any notation. */
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
    return [createFieldError(field, 'NOT_ALLOWED', 'Must not contain a user name or password.')];
  if (isBlockedHost(hostname))
    return [createFieldError(field, 'NOT_ALLOWED', 'Must not be a loopback or link-local address.')];
  return [];
}

/** A redirect from code to code would be a scan at each hop, and may never end. Expects a valid URL. */
export function findScanUrlErrors(field: string, url: string, context: QrCodeRuleContext): FieldError[] {
  const target = new URL(url);
  if (context.codeId !== undefined && findScannedQrCodeId(target) === context.codeId)
    return [createFieldError(field, 'NOT_ALLOWED', 'Must not lead to the code itself.')];
  if (isOwnScanUrl(target, context))
    return [createFieldError(field, 'NOT_ALLOWED', 'Must not lead to the page of a code of this service.')];
  return [];
}

/** Missing dates are valid (ISO 8601). */
export function findDateOrderErrors(
  field: string,
  earlier: string | undefined,
  later: string | undefined,
): FieldError[] {
  if (earlier === undefined || later === undefined || earlier <= later) return [];
  return [createFieldError(field, 'OUT_OF_RANGE', 'Must not be before the start date.')];
}

/** Expects a host in the notation of the URL Standard. Blocks localhost, too (RFC 6761). */
function isBlockedHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  if (isIPv4(host)) return BLOCKED_HOSTS.check(host, 'ipv4');
  return isIPv6(host) && BLOCKED_HOSTS.check(host, 'ipv6');
}

export function createFieldError(field: string, code: string, message: string): FieldError {
  return { field, code, message };
}
