import type { FastifyReply } from 'fastify';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { type CookieScope, readCookie, readCookiesByPrefix, serializeCookie } from './cookie.ts';

/** One cookie for each conversation, so that two open at the same time do not replace each other. */
const getCookieName = (conversationId: string) => `conversation-${conversationId}`;

/** Bounds the Cookie header: requests for pages of a code carry all of them. */
const MAX_CONVERSATIONS = 8;

/** Set the cookie of a conversation for the lifetime of the conversation, and delete the oldest beyond the maximum. */
export function setConversationCookie(reply: FastifyReply, token: string, scope: CookieScope): void {
  const [id = ''] = token.split('.');
  reply.header(
    'Set-Cookie',
    serializeCookie(getCookieName(id), token, LIFETIMES_SECONDS.conversation, scope),
  );
  // Ids sort by creation time.
  const others = listConversationCookies(reply.request.headers.cookie, scope).map(([other]) => other);
  const oldestFirst = others.filter((other) => other !== id).sort();
  for (const old of oldestFirst.slice(0, 1 - MAX_CONVERSATIONS))
    reply.header('Set-Cookie', serializeCookie(getCookieName(old), '', 0, scope));
}

/** Read the token of a conversation from a Cookie header. The token is not verified. */
export function readConversationToken(
  header: string | undefined,
  conversationId: string,
  scope: CookieScope,
): string | null {
  const token = readCookie(header, getCookieName(conversationId), scope);
  return token?.startsWith(`${conversationId}.`) ? token : null;
}

/** List the conversation ids and tokens of a Cookie header. The tokens are not verified. */
export function listConversationCookies(
  header: string | undefined,
  scope: CookieScope,
): [id: string, token: string][] {
  return readCookiesByPrefix(header, getCookieName(''), scope).filter(([id]) => isId(id));
}
