import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { type CookieScope, cookieIn, setCookie } from './cookie.ts';

const NAME = 'own-phone';

/** The cookie that says, signed, whose phone this is: their scans of their own codes alarm nobody. */
export function ownPhoneCookie(fieldCipher: FieldCipher, ownerId: string, scope: CookieScope): string {
  const end = String(Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.ownerPhone);
  const value = `${ownerId}.${end}.${sign(fieldCipher, ownerId, end)}`;
  return setCookie(NAME, value, LIFETIMES_SECONDS.ownerPhone, scope);
}

/** The owner that a Cookie header names; null when there is none, or it is not ours or has ended. */
export function ownPhoneOf(
  fieldCipher: FieldCipher,
  header: string | undefined,
  scope: CookieScope,
): string | null {
  const [ownerId = '', end = '', signature = ''] = cookieIn(header, NAME, scope)?.split('.') ?? [];
  if (!isId(ownerId) || !/^\d{1,12}$/.test(end) || Number(end) * 1000 <= Date.now()) return null;
  return timingSafeEquals(signature, sign(fieldCipher, ownerId, end)) ? ownerId : null;
}

function sign(fieldCipher: FieldCipher, ownerId: string, end: string): string {
  return fieldCipher.hash('own-phone', ownerId, end).toString('base64url');
}
