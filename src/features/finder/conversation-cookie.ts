import { LIFETIMES } from '../../shared/lifetimes.ts';
import { type CookieScope, cookieIn, setCookie } from './cookie.ts';

const NAME = 'conversation';

/** The cookie that keeps the token of a conversation on the phone that opened it; its scope is the page of the code. */
export function conversationCookie(token: string, scope: CookieScope): string {
  return setCookie(NAME, token, LIFETIMES.conversation, scope);
}

/** The token in a Cookie header; null where there is none. It opens nothing by itself: compare it. */
export function conversationTokenOf(header: string | undefined, scope: CookieScope): string | null {
  return cookieIn(header, NAME, scope);
}
