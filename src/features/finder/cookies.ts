import type { FastifyReply } from 'fastify';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { formatSetCookieHeader, parseCookieHeader } from '../../shared/cookies.ts';
import { CONTEXT, defineSignedToken } from '../../shared/crypto/signed-token.ts';
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
import { findAccessEpoch } from '../identity/index.ts';
import { isQrCodeOpen } from '../scans/index.ts';
import {
  type CookieScope,
  type FinderServices,
  getFinderBasePath,
  getFinderCookieScope,
} from './finder-services.ts';

/** RFC 6265. */
function serializeCookie(name: string, value: string, seconds: number, scope: CookieScope): string {
  return formatSetCookieHeader(prefixCookieName(scope, name), value, {
    ...scope,
    maxAgeSeconds: seconds,
    sameSite: 'lax',
  });
}

/** The value is untrusted. */
function readCookie(header: string | undefined, name: string, scope: CookieScope): string | null {
  return parseCookieHeader(header)[prefixCookieName(scope, name)] ?? null;
}

/** `__Secure-` prevents overwriting from an HTTP page (RFC 6265bis); `__Host-` would require the path /. */
function prefixCookieName({ secure }: CookieScope, name: string): string {
  return secure ? `__Secure-${name}` : name;
}

const OWNER_PHONE_COOKIE = 'own-phone';

/** `revokeUserAccess` invalidates it. */
const ownerPhoneToken = defineSignedToken({
  purpose: 'own-phone',
  parts: { accountId: isId, accessEpoch: CONTEXT },
  lifetimeSeconds: LIFETIMES_SECONDS.ownerPhone,
});

/** Create the signed cookie of an owner's phone: scans of their own codes notify nobody. */
export function createOwnerPhoneCookie(
  fieldCipher: FieldCipher,
  owner: { accountId: string; accessEpoch: number },
  scope: CookieScope,
): string {
  const token = ownerPhoneToken.create(fieldCipher, owner);
  return serializeCookie(OWNER_PHONE_COOKIE, token, LIFETIMES_SECONDS.ownerPhone, scope);
}

/**
 * Verify the cookie and return its owner; null if invalid, expired or revoked. `findEpoch` runs only for a well-formed
 * cookie, so that other requests cost no query.
 */
export async function readAccountIdFromPhoneCookie(
  fieldCipher: FieldCipher,
  header: string | undefined,
  scope: CookieScope,
  findEpoch: (accountId: string) => Promise<number | null>,
): Promise<string | null> {
  const token = readCookie(header, OWNER_PHONE_COOKIE, scope);
  const parsed = ownerPhoneToken.parse(token);
  const accessEpoch = parsed && (await findEpoch(parsed.accountId));
  if (accessEpoch === null) return null;
  return ownerPhoneToken.verify(fieldCipher, token, { accessEpoch })?.accountId ?? null;
}

/** The owner who marked the phone of a request as theirs; null for other phones. */
export async function findPhoneAccountId(
  services: Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>,
  cookies: string | undefined,
): Promise<string | null> {
  return readAccountIdFromPhoneCookie(services.fieldCipher, cookies, getFinderCookieScope(services), (id) =>
    findAccessEpoch(services.database.client, id),
  );
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
