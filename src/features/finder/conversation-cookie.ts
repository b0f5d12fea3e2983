import { LIFETIMES } from '../../shared/lifetimes.ts';
import type { CookieScope } from './owner-phone-cookie.ts';

/** The cookie that keeps the token of a conversation on the phone that opened it; its scope is the page of the code. */
export function conversationCookie(token: string, scope: CookieScope): string {
  const attributes = [`Path=${scope.path}`, `Max-Age=${LIFETIMES.conversation}`, 'HttpOnly', 'SameSite=Lax'];
  return [`${nameOf(scope)}=${token}`, ...attributes, ...(scope.secure ? ['Secure'] : [])].join('; ');
}

/** The token in a Cookie header; null where there is none. It opens nothing by itself: compare it. */
export function conversationTokenOf(header: string | undefined, scope: CookieScope): string | null {
  const prefix = `${nameOf(scope)}=`;
  const pair = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return pair?.slice(prefix.length) ?? null;
}

function nameOf({ secure }: CookieScope): string {
  return secure ? '__Secure-conversation' : 'conversation';
}
