import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../../shared/crypto/keyed-hash.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

/** By what somebody came to a share: its link, or the page of a code as it was in one version. */
export type ShareOrigin = { by: 'link' } | { by: 'code'; codeId: string; version: number };

/**
 * What a browser keeps in place of the token of a share, so that its address can be a clean one: an end, and a keyed hash over
 * it, the share and the way. It lasts a day; one by a code no longer than a form on its page.
 */
export function createShareLinkCookie(
  fieldCipher: FieldCipher,
  shareId: string,
  origin: ShareOrigin,
): string {
  const seconds = getShareLinkCookieSeconds(origin);
  const end = String(Math.floor(Date.now() / 1000) + seconds);
  return `${origin.by}.${end}.${signShareLinkCookie(fieldCipher, shareId, origin, end)}`;
}

/** Seconds that a pass lasts. */
export function getShareLinkCookieSeconds({ by }: Pick<ShareOrigin, 'by'>): number {
  return by === 'link' ? LIFETIMES_SECONDS.shareLinkCookie : LIFETIMES_SECONDS.finderForm;
}

/** By what somebody came who has this pass, as it says itself; null where it says nothing. */
export function parseShareOrigin(cookie: string): ShareOrigin['by'] | null {
  const [by] = cookie.split('.');
  return by === 'link' || by === 'code' ? by : null;
}

/** Whether a pass is of this share and this way, and has not ended. Compared in constant time. */
export function isShareLinkCookieValid(
  fieldCipher: FieldCipher,
  cookie: string,
  shareId: string,
  origin: ShareOrigin,
): boolean {
  const [by, end = '', signed = ''] = cookie.split('.');
  if (by !== origin.by || !/^\d{1,12}$/.test(end) || Number(end) * 1000 <= Date.now()) return false;
  return timingSafeEquals(signed, signShareLinkCookie(fieldCipher, shareId, origin, end));
}

function signShareLinkCookie(
  fieldCipher: FieldCipher,
  shareId: string,
  origin: ShareOrigin,
  end: string,
): string {
  const of = origin.by === 'code' ? [origin.codeId, String(origin.version)] : [];
  return fieldCipher.hash(`document-pass-${origin.by}`, shareId, end, ...of).toString('base64url');
}
