import type { TypingTracker } from '../../platform/realtime/typing.ts';
import { getBasePath } from '../../shared/base-path.ts';
import type { Brand } from '../../shared/brand.ts';
import type { ConversationServices } from '../conversations/index.ts';
import type { DocumentShareServices } from '../documents/index.ts';
import type { PictureServices } from '../files/index.ts';
import type { GuestBookServices } from '../memory-tags/index.ts';
import type { ScanServices } from '../scans/index.ts';
import type { UrlInterstitialPolicy } from './contact-links.rules.ts';

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
  brand: Brand;
  typing: Pick<TypingTracker, 'isTyping'>;
  urlPagePolicy: UrlInterstitialPolicy;
  isEnterpriseEnforced: boolean;
  /** Null without pages for owners. */
  ownerPagesUrl: string | null;
}

export function getFinderBasePath({ publicBaseUrl }: Pick<FinderServices, 'publicBaseUrl'>): string {
  return `${getBasePath(publicBaseUrl)}/s`;
}

export function getCopyScriptPath(services: Pick<FinderServices, 'publicBaseUrl'>): string {
  return `${getFinderBasePath(services)}/copy.js`;
}

/** Scope of cookies for all pages. */
export function getFinderCookieScope(services: Pick<FinderServices, 'publicBaseUrl'>): CookieScope {
  return { path: getFinderBasePath(services), secure: services.publicBaseUrl.startsWith('https:') };
}

export function getQrCodePagePath(services: Pick<FinderServices, 'publicBaseUrl'>, codeId: string): string {
  return `${getFinderBasePath(services)}/${codeId}`;
}

export function getQrCodeCookieScope(
  services: Pick<FinderServices, 'publicBaseUrl'>,
  codeId: string,
): CookieScope {
  return { path: getQrCodePagePath(services, codeId), secure: services.publicBaseUrl.startsWith('https:') };
}

export function getConversationPath(
  services: Pick<FinderServices, 'publicBaseUrl'>,
  { id, qrCodeId }: { id: string; qrCodeId: string },
): string {
  return `${getQrCodePagePath(services, qrCodeId)}/c/${id}`;
}

/** Get the link that opens a conversation without a cookie. */
export function getConversationLink(
  { publicBaseUrl }: Pick<FinderServices, 'publicBaseUrl'>,
  codeId: string,
  token: string,
): string {
  return `${publicBaseUrl}/s/${codeId}/c/${token}`;
}

/** Get the path of the page that an owner's mailed link leads to. */
export function getOwnerLinkPath(
  services: Pick<FinderServices, 'publicBaseUrl'>,
  notificationId: string,
): string {
  return `${getFinderBasePath(services)}/o/${notificationId}`;
}

export function getOwnerLinkCookieScope(
  services: Pick<FinderServices, 'publicBaseUrl'>,
  notificationId: string,
): CookieScope {
  const path = getOwnerLinkPath(services, notificationId);
  return { path, secure: services.publicBaseUrl.startsWith('https:') };
}
