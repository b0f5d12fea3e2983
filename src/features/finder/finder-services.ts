import type { ConversationServices } from '../conversations/index.ts';
import type { DocumentShareServices } from '../documents/index.ts';
import type { PictureServices } from '../files/index.ts';
import type { GuestBookServices } from '../memory-tags/index.ts';
import type { ScanServices } from '../scans/index.ts';
import type { CookieScope } from './cookie.ts';
import type { UrlPagePolicy } from './url-redirect.rules.ts';

/** What the finder's pages work with; put together in services.ts. */
export interface FinderServices
  extends ScanServices,
    ConversationServices,
    DocumentShareServices,
    GuestBookServices,
    PictureServices {
  urlPagePolicy: UrlPagePolicy;
}

/** The path of the service as browsers see it: a proxy may have put a prefix before it. */
export function getBasePath({ publicBaseUrl }: Pick<FinderServices, 'publicBaseUrl'>): string {
  return new URL(publicBaseUrl).pathname.replace(/\/+$/, '');
}

/** The path of the pages as browsers see it. */
export function getFinderPath(services: Pick<FinderServices, 'publicBaseUrl'>): string {
  return `${getBasePath(services)}/s`;
}

/** The path of the page of one code, as browsers see it. */
export function getCodePath(services: Pick<FinderServices, 'publicBaseUrl'>, codeId: string): string {
  return `${getFinderPath(services)}/${codeId}`;
}

/** Where the cookies of the pages of one code are sent. */
export function getCodeCookieScope(
  services: Pick<FinderServices, 'publicBaseUrl'>,
  codeId: string,
): CookieScope {
  return { path: getCodePath(services, codeId), secure: services.publicBaseUrl.startsWith('https:') };
}

/** The path of a conversation's page, for whoever's phone keeps its token. */
export function getConversationPath(
  services: Pick<FinderServices, 'publicBaseUrl'>,
  { id, qrCodeId }: { id: string; qrCodeId: string },
): string {
  return `${getCodePath(services, qrCodeId)}/c/${id}`;
}

/** The link by which one side opens a conversation from anywhere. */
export function getConversationLink(
  { publicBaseUrl }: Pick<FinderServices, 'publicBaseUrl'>,
  codeId: string,
  token: string,
): string {
  return `${publicBaseUrl}/s/${codeId}/c/${token}`;
}
