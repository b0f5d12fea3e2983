import { findQrCode } from '../codes/index.ts';
import {
  createShareLinkCookie,
  findSharedDocument,
  getShareLinkCookieSeconds,
  isShareLinkCookieValid,
  parseShareOrigin,
  type SharedDocument,
  type ShareOrigin,
} from '../documents/index.ts';
import { isCodeOpen } from '../scans/index.ts';
import { readCookie, serializeCookie } from './cookie.ts';
import { type FinderServices, getFinderPath } from './finder-services.ts';

type Services = Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>;

/** The path of the page of a share, for whoever's browser keeps a pass to it. */
export function getSharePath(services: Pick<Services, 'publicBaseUrl'>, shareId: string): string {
  return `${getFinderPath(services)}/d/${shareId}`;
}

/** The header that has a browser keep a pass to a share, for its page alone. */
export function createShareCookie(services: Services, shareId: string, accessMethod: ShareOrigin): string {
  return serializeCookie(
    COOKIE_NAME,
    createShareLinkCookie(services.fieldCipher, shareId, accessMethod),
    getShareLinkCookieSeconds(accessMethod),
    getCookieScope(services, shareId),
  );
}

/** The share in the path of a page, in whatever state, for a browser that keeps a pass to it; null for any other. */
export async function findShareByCookie(
  services: Services,
  shareId: string,
  cookies: string | undefined,
): Promise<SharedDocument | null> {
  const { database, fieldCipher } = services;
  const cookieValue = readCookie(cookies, COOKIE_NAME, getCookieScope(services, shareId));
  const by = cookieValue && parseShareOrigin(cookieValue);
  if (!by) return null;
  if (by === 'link')
    return isShareLinkCookieValid(fieldCipher, cookieValue, shareId, { by })
      ? findSharedDocument(database.client, shareId)
      : null;
  const share = await findSharedDocument(database.client, shareId);
  const code = share?.qrCodeId ? await findQrCode(database.client, share.qrCodeId) : null;
  if (!share || !code || !isCodeOpen(code)) return null;
  return isShareLinkCookieValid(fieldCipher, cookieValue, shareId, {
    by,
    codeId: code.id,
    version: code.version,
  })
    ? share
    : null;
}

/** Of its page alone: the path tells shares apart. */
const COOKIE_NAME = 'share';

function getCookieScope(services: Services, shareId: string) {
  return { path: getSharePath(services, shareId), secure: services.publicBaseUrl.startsWith('https:') };
}
