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

export function getSharePath(services: Pick<Services, 'publicBaseUrl'>, shareId: string): string {
  return `${getFinderPath(services)}/d/${shareId}`;
}

/** Create the share link cookie, which is sent to the page of its share only. */
export function createShareCookie(services: Services, shareId: string, accessMethod: ShareOrigin): string {
  return serializeCookie(
    COOKIE_NAME,
    createShareLinkCookie(services.fieldCipher, shareId, accessMethod),
    getShareLinkCookieSeconds(accessMethod),
    getCookieScope(services, shareId),
  );
}

/** Find the share in a path, whatever its state, if the browser has its cookie. */
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

/** The cookie path distinguishes shares. */
const COOKIE_NAME = 'share';

function getCookieScope(services: Services, shareId: string) {
  return { path: getSharePath(services, shareId), secure: services.publicBaseUrl.startsWith('https:') };
}
