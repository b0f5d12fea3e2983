import type { ConversationServices } from '../conversations/index.ts';
import type { DocumentShareServices } from '../documents/index.ts';
import type { PictureServices } from '../files/index.ts';
import type { GuestBookServices } from '../memory-tags/index.ts';
import type { ScanServices } from '../scans/index.ts';
import type { UrlPagePolicy } from './contact-links.rules.ts';

export interface CookieScope {
  path: string;
  secure: boolean;
}

export interface FinderServices
  extends ScanServices,
    ConversationServices,
    DocumentShareServices,
    GuestBookServices,
    PictureServices {
  urlPagePolicy: UrlPagePolicy;
}

/** The path may have the prefix of a proxy. */
export function getBasePath({ publicBaseUrl }: Pick<FinderServices, 'publicBaseUrl'>): string {
  return new URL(publicBaseUrl).pathname.replace(/\/+$/, '');
}

export function getFinderPath(services: Pick<FinderServices, 'publicBaseUrl'>): string {
  return `${getBasePath(services)}/s`;
}

export function getCodePath(services: Pick<FinderServices, 'publicBaseUrl'>, codeId: string): string {
  return `${getFinderPath(services)}/${codeId}`;
}

export function getCodeCookieScope(
  services: Pick<FinderServices, 'publicBaseUrl'>,
  codeId: string,
): CookieScope {
  return { path: getCodePath(services, codeId), secure: services.publicBaseUrl.startsWith('https:') };
}

export function getConversationPath(
  services: Pick<FinderServices, 'publicBaseUrl'>,
  { id, qrCodeId }: { id: string; qrCodeId: string },
): string {
  return `${getCodePath(services, qrCodeId)}/c/${id}`;
}

/** Get the link that opens a conversation without a cookie. */
export function getConversationLink(
  { publicBaseUrl }: Pick<FinderServices, 'publicBaseUrl'>,
  codeId: string,
  token: string,
): string {
  return `${publicBaseUrl}/s/${codeId}/c/${token}`;
}
