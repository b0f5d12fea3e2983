import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { type CookieScope, readCookie, serializeCookie } from './cookie.ts';

const COOKIE_NAME = 'own-phone';

/** Create the signed cookie that marks a browser as its owner's: scans of their own codes notify nobody. */
export function createOwnerPhoneCookie(
  fieldCipher: FieldCipher,
  ownerId: string,
  scope: CookieScope,
): string {
  const expiresAtSeconds = String(Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.ownerPhone);
  const value = `${ownerId}.${expiresAtSeconds}.${computeSignature(fieldCipher, ownerId, expiresAtSeconds)}`;
  return serializeCookie(COOKIE_NAME, value, LIFETIMES_SECONDS.ownerPhone, scope);
}

/** Read the owner from a Cookie header; null if the cookie is missing, invalid or expired. */
export function readOwnerPhoneCookie(
  fieldCipher: FieldCipher,
  header: string | undefined,
  scope: CookieScope,
): string | null {
  const [ownerId = '', expiresAtSeconds = '', signature = ''] =
    readCookie(header, COOKIE_NAME, scope)?.split('.') ?? [];
  if (!isId(ownerId) || !/^\d{1,12}$/.test(expiresAtSeconds) || Number(expiresAtSeconds) * 1000 <= Date.now())
    return null;
  return timingSafeEquals(signature, computeSignature(fieldCipher, ownerId, expiresAtSeconds))
    ? ownerId
    : null;
}

function computeSignature(fieldCipher: FieldCipher, ownerId: string, expiresAtSeconds: string): string {
  return fieldCipher.hash('own-phone', ownerId, expiresAtSeconds).toString('base64url');
}
