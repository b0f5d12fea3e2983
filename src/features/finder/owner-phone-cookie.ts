import type { Vault } from '../../platform/vault.ts';
import { sameBytes } from '../../shared/crypto/keyed-hash.ts';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';

/** Where the cookie is sent, and whether over https alone. */
export interface CookieScope {
  path: string;
  secure: boolean;
}

/** The cookie (RFC 6265) that says, signed, whose phone this is: their scans of their own codes alarm nobody. */
export function ownPhoneCookie(vault: Vault, ownerId: string, scope: CookieScope): string {
  const end = String(Math.floor(Date.now() / 1000) + LIFETIMES.ownerPhone);
  const value = `${ownerId}.${end}.${sign(vault, ownerId, end)}`;
  const attributes = [`Path=${scope.path}`, `Max-Age=${LIFETIMES.ownerPhone}`, 'HttpOnly', 'SameSite=Lax'];
  return [`${nameOf(scope)}=${value}`, ...attributes, ...(scope.secure ? ['Secure'] : [])].join('; ');
}

/** The owner that a Cookie header names; null when there is none, or it is not ours or has ended. */
export function ownPhoneOf(vault: Vault, header: string | undefined, scope: CookieScope): string | null {
  const prefix = `${nameOf(scope)}=`;
  const pair = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  const [ownerId = '', end = '', signature = ''] = pair?.slice(prefix.length).split('.') ?? [];
  if (!isId(ownerId) || !/^\d{1,12}$/.test(end) || Number(end) * 1000 <= Date.now()) return null;
  return sameBytes(signature, sign(vault, ownerId, end)) ? ownerId : null;
}

/** `__Secure-` keeps a page without https from setting it (RFC 6265bis); `__Host-` would need the path /. */
function nameOf({ secure }: CookieScope): string {
  return secure ? '__Secure-own-phone' : 'own-phone';
}

function sign(vault: Vault, ownerId: string, end: string): string {
  return vault.hash('own-phone', ownerId, end).toString('base64url');
}
