import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../../shared/crypto/keyed-hash.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

export type ShareOrigin = { by: 'link' } | { by: 'code'; codeId: string; version: number };

/** Valid for a day, or as long as a form when it was issued by the page of a code. */
export function createShareLinkCookie(
  fieldCipher: FieldCipher,
  shareId: string,
  origin: ShareOrigin,
): string {
  const seconds = getShareLinkCookieMaxAgeSeconds(origin);
  const expiry = String(Math.floor(Date.now() / 1000) + seconds);
  return `${origin.by}.${expiry}.${signShareLinkCookie(fieldCipher, shareId, origin, expiry)}`;
}

export function getShareLinkCookieMaxAgeSeconds({ by }: Pick<ShareOrigin, 'by'>): number {
  return by === 'link' ? LIFETIMES_SECONDS.shareLinkCookie : LIFETIMES_SECONDS.finderForm;
}

/** The cookie is not verified. */
export function parseShareLinkCookieOrigin(cookie: string): ShareOrigin['by'] | null {
  const [by] = cookie.split('.');
  return by === 'link' || by === 'code' ? by : null;
}

/** Compare in constant time. */
export function isShareLinkCookieValid(
  fieldCipher: FieldCipher,
  cookie: string,
  shareId: string,
  origin: ShareOrigin,
): boolean {
  const [by, expiry = '', signature = ''] = cookie.split('.');
  if (by !== origin.by || !/^\d{1,12}$/.test(expiry) || Number(expiry) * 1000 <= Date.now()) return false;
  return timingSafeEquals(signature, signShareLinkCookie(fieldCipher, shareId, origin, expiry));
}

function signShareLinkCookie(
  fieldCipher: FieldCipher,
  shareId: string,
  origin: ShareOrigin,
  expiry: string,
): string {
  const originParts = origin.by === 'code' ? [origin.codeId, String(origin.version)] : [];
  return fieldCipher
    .hash(`document-pass-${origin.by}`, shareId, expiry, ...originParts)
    .toString('base64url');
}
