import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { CONTEXT, defineSignedToken } from '../../../shared/crypto/signed-token.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

export type ShareOrigin = { by: 'link' } | { by: 'code'; codeId: string; version: number };

const linkToken = defineSignedToken({
  purpose: 'document-pass-link',
  parts: { shareId: CONTEXT },
  lifetimeSeconds: LIFETIMES_SECONDS.shareLinkCookie,
});

/** Of the page of a code: valid as long as a form, and until the code changes. */
const codeToken = defineSignedToken({
  purpose: 'document-pass-code',
  parts: { shareId: CONTEXT, codeId: CONTEXT, version: CONTEXT },
  lifetimeSeconds: LIFETIMES_SECONDS.finderForm,
});

/** Create a cookie of the form `<link or code>.<token>`. */
export function createShareLinkCookie(
  fieldCipher: FieldCipher,
  shareId: string,
  origin: ShareOrigin,
): string {
  const token =
    origin.by === 'link'
      ? linkToken.create(fieldCipher, { shareId })
      : codeToken.create(fieldCipher, { shareId, codeId: origin.codeId, version: origin.version });
  return `${origin.by}.${token}`;
}

export function getShareLinkCookieMaxAgeSeconds({ by }: Pick<ShareOrigin, 'by'>): number {
  return by === 'link' ? LIFETIMES_SECONDS.shareLinkCookie : LIFETIMES_SECONDS.finderForm;
}

/** The cookie is not verified. */
export function parseShareLinkCookieOrigin(cookie: string): ShareOrigin['by'] | null {
  const [by] = cookie.split('.');
  return by === 'link' || by === 'code' ? by : null;
}

export function isShareLinkCookieValid(
  fieldCipher: FieldCipher,
  cookie: string,
  shareId: string,
  origin: ShareOrigin,
): boolean {
  if (parseShareLinkCookieOrigin(cookie) !== origin.by) return false;
  const token = cookie.slice(origin.by.length + 1);
  return origin.by === 'link'
    ? linkToken.verify(fieldCipher, token, { shareId }) !== null
    : codeToken.verify(fieldCipher, token, { shareId, codeId: origin.codeId, version: origin.version }) !==
        null;
}
