import type { FastifyReply } from 'fastify';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { type CookieScope, readCookie, readCookiesByPrefix, serializeCookie } from './cookie.ts';

/** A conversation has a cookie of its own: two that are open beside each other do not take each other's place. */
const getCookieName = (conversationId: string) => `conversation-${conversationId}`;

/** Conversations about one code that a phone keeps the way to: every request for its pages carries them all. */
const MAX_CONVERSATIONS = 8;

/**
 * Has the phone keep the token of a conversation, as long as the conversation lasts; where it keeps too many about this
 * code, it forgets those that were begun first.
 */
export function setConversationCookie(reply: FastifyReply, token: string, scope: CookieScope): void {
  const [id = ''] = token.split('.');
  reply.header(
    'Set-Cookie',
    serializeCookie(getCookieName(id), token, LIFETIMES_SECONDS.conversation, scope),
  );
  // Ids begin with the time.
  const others = listConversationCookies(reply.request.headers.cookie, scope).map(([other]) => other);
  const oldestFirst = others.filter((other) => other !== id).sort();
  for (const old of oldestFirst.slice(0, 1 - MAX_CONVERSATIONS))
    reply.header('Set-Cookie', serializeCookie(getCookieName(old), '', 0, scope));
}

/** The token of a conversation in a Cookie header; null where there is none. It opens nothing by itself: compare it. */
export function readConversationToken(
  header: string | undefined,
  conversationId: string,
  scope: CookieScope,
): string | null {
  const token = readCookie(header, getCookieName(conversationId), scope);
  return token?.startsWith(`${conversationId}.`) ? token : null;
}

/** Every conversation that a Cookie header names, and its token, which is to be compared. */
export function listConversationCookies(
  header: string | undefined,
  scope: CookieScope,
): [id: string, token: string][] {
  return readCookiesByPrefix(header, getCookieName(''), scope).filter(([id]) => isId(id));
}
