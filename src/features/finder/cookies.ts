import type { FastifyReply } from 'fastify';
import { formatSetCookieHeader, parseCookieHeader } from '../../shared/cookies.ts';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { findPublicQrCode } from '../codes/index.ts';
import {
  createShareLinkCookie,
  findSharedDocument,
  getShareLinkCookieMaxAgeSeconds,
  isShareLinkCookieValid,
  parseShareLinkCookieOrigin,
  type SharedDocument,
  type ShareOrigin,
} from '../documents/index.ts';
import { isQrCodeOpen } from '../scans/index.ts';
import { type CookieScope, type FinderServices, getFinderBasePath } from './finder-services.ts';

/** RFC 6265. */
export function serializeCookie(name: string, value: string, seconds: number, scope: CookieScope): string {
  return formatSetCookieHeader(prefixCookieName(scope, name), value, {
    ...scope,
    maxAgeSeconds: seconds,
    sameSite: 'lax',
  });
}

/** The value is untrusted. */
export function readCookie(header: string | undefined, name: string, scope: CookieScope): string | null {
  return parseCookieHeader(header)[prefixCookieName(scope, name)] ?? null;
}

/** `__Secure-` prevents overwriting from an HTTP page (RFC 6265bis); `__Host-` would require the path /. */
function prefixCookieName({ secure }: CookieScope, name: string): string {
  return secure ? `__Secure-${name}` : name;
}

/** One cookie for each conversation, so that two open at the same time do not replace each other. */
const getCookieName = (conversationId: string) => `conversation-${conversationId}`;

/** Bounds the Cookie header: requests for pages of a code carry all of them. */
const MAX_CONVERSATIONS = 8;

/** After the token of a conversation that this browser began; whoever opens a link gets none. */
const BEGUN_MARK = '.begun';

interface ConversationCookie {
  id: string;
  /** Not verified. */
  token: string;
  isBegunHere: boolean;
}

/** Set the cookie of a conversation, and delete the oldest beyond the maximum. */
export function setConversationCookie(
  reply: FastifyReply,
  { id, token }: { id: string; token: string },
  scope: CookieScope,
  { isBegunHere = false, maxAgeSeconds = LIFETIMES_SECONDS.conversation } = {},
): void {
  const cookies = parseConversationCookies(reply.request.headers.cookie, scope);
  const isMarked = isBegunHere || cookies.some((other) => other.id === id && other.isBegunHere);
  const value = isMarked ? token + BEGUN_MARK : token;
  reply.header('Set-Cookie', serializeCookie(getCookieName(id), value, maxAgeSeconds, scope));
  // Ids sort by creation time.
  const oldestFirst = cookies
    .map((other) => other.id)
    .filter((other) => other !== id)
    .sort();
  for (const old of oldestFirst.slice(0, 1 - MAX_CONVERSATIONS))
    reply.header('Set-Cookie', serializeCookie(getCookieName(old), '', 0, scope));
}

/** The token is not verified. */
export function readConversationTokenFromCookie(
  header: string | undefined,
  conversationId: string,
  scope: CookieScope,
): string | null {
  const cookies = parseConversationCookies(header, scope);
  return cookies.find(({ id }) => id === conversationId)?.token ?? null;
}

export function parseConversationCookies(
  header: string | undefined,
  scope: CookieScope,
): ConversationCookie[] {
  const prefix = prefixCookieName(scope, getCookieName(''));
  return Object.entries(parseCookieHeader(header)).flatMap(([name, value = '']) => {
    const id = name.slice(prefix.length);
    if (!name.startsWith(prefix) || !isId(id) || !value.startsWith(`${id}.`)) return [];
    const isBegunHere = value.endsWith(BEGUN_MARK);
    return [{ id, token: isBegunHere ? value.slice(0, -BEGUN_MARK.length) : value, isBegunHere }];
  });
}

/** The cookie path distinguishes shares. */
const SHARE_COOKIE = 'share';

type Services = Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>;

export function getDocumentSharePath(services: Pick<Services, 'publicBaseUrl'>, shareId: string): string {
  return `${getFinderBasePath(services)}/d/${shareId}`;
}

export function serializeShareLinkCookie(
  services: Services,
  shareId: string,
  accessMethod: ShareOrigin,
): string {
  return serializeCookie(
    SHARE_COOKIE,
    createShareLinkCookie(services.fieldCipher, shareId, accessMethod),
    getShareLinkCookieMaxAgeSeconds(accessMethod),
    getCookieScope(services, shareId),
  );
}

/** Find the share in a path, whatever its state, if the browser has its cookie. */
export async function findDocumentShareByCookie(
  services: Services,
  shareId: string,
  cookies: string | undefined,
): Promise<SharedDocument | null> {
  const { database, fieldCipher } = services;
  const cookieValue = readCookie(cookies, SHARE_COOKIE, getCookieScope(services, shareId));
  const by = cookieValue && parseShareLinkCookieOrigin(cookieValue);
  if (!by) return null;
  if (by === 'link')
    return isShareLinkCookieValid(fieldCipher, cookieValue, shareId, { by })
      ? findSharedDocument(database.client, shareId)
      : null;
  const share = await findSharedDocument(database.client, shareId);
  const code = share?.qrCodeId ? await findPublicQrCode(database.client, share.qrCodeId) : null;
  if (!share || !code || !isQrCodeOpen(code)) return null;
  return isShareLinkCookieValid(fieldCipher, cookieValue, shareId, {
    by,
    codeId: code.id,
    version: code.version,
  })
    ? share
    : null;
}

function getCookieScope(services: Services, shareId: string): CookieScope {
  return {
    path: getDocumentSharePath(services, shareId),
    secure: services.publicBaseUrl.startsWith('https:'),
  };
}

/** The cookie path distinguishes links. */
const OWNER_LINK_COOKIE = 'owner-link';

export function serializeOwnerLinkCookie(token: string, scope: CookieScope): string {
  return serializeCookie(OWNER_LINK_COOKIE, token, LIFETIMES_SECONDS.ownerLinkCookie, scope);
}

/** The token is not verified. */
export function readOwnerLinkCookie(header: string | undefined, scope: CookieScope): string | null {
  return readCookie(header, OWNER_LINK_COOKIE, scope);
}
