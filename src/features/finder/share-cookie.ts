import { findSharedDocument, type SharedDocument } from '../document-shares/share.repository.ts';
import {
  createShareLinkCookie,
  getShareLinkCookieSeconds,
  isShareLinkCookieValid,
  parseShareOrigin,
  type ShareOrigin,
} from '../document-shares/share-link-cookie.ts';
import { findQrCode } from '../qrcodes/qrcode.repository.ts';
import { isOpen } from '../scans/scanned-code.ts';
import { cookieIn, setCookie } from './cookie.ts';
import { type FinderServices, finderPath } from './finder-services.ts';

type Services = Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>;

/** The path of the page of a share, for whoever's browser keeps a pass to it. */
export function sharePath(services: Pick<Services, 'publicBaseUrl'>, shareId: string): string {
  return `${finderPath(services)}/d/${shareId}`;
}

/** The header that has a browser keep a pass to a share, for its page alone. */
export function passCookie(services: Services, shareId: string, way: ShareOrigin): string {
  return setCookie(
    NAME,
    createShareLinkCookie(services.fieldCipher, shareId, way),
    getShareLinkCookieSeconds(way),
    scopeOf(services, shareId),
  );
}

/** The share in the path of a page, in whatever state, for a browser that keeps a pass to it; null for any other. */
export async function findShareByPass(
  services: Services,
  shareId: string,
  cookies: string | undefined,
): Promise<SharedDocument | null> {
  const { database, fieldCipher } = services;
  const pass = cookieIn(cookies, NAME, scopeOf(services, shareId));
  const by = pass && parseShareOrigin(pass);
  if (!by) return null;
  if (by === 'link')
    return isShareLinkCookieValid(fieldCipher, pass, shareId, { by })
      ? findSharedDocument(database.client, shareId)
      : null;
  const share = await findSharedDocument(database.client, shareId);
  const code = share?.qrCodeId ? await findQrCode(database.client, share.qrCodeId) : null;
  if (!share || !code || !isOpen(code)) return null;
  return isShareLinkCookieValid(fieldCipher, pass, shareId, { by, codeId: code.id, version: code.version })
    ? share
    : null;
}

/** Of its page alone: the path tells shares apart. */
const NAME = 'share';

function scopeOf(services: Services, shareId: string) {
  return { path: sharePath(services, shareId), secure: services.publicBaseUrl.startsWith('https:') };
}
