import { formatSetCookie, parseCookies } from '../../../shared/cookies.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

/**
 * The cookies of a sign-in: `attempt` binds the way through the provider to the browser that began it, `code` the
 * one-time code to the browser that it was given to.
 */
type SignInCookieKind = 'attempt' | 'code';

const SIGN_IN_COOKIES = {
  /** Lax: the way back from the provider is a navigation that another site begins. */
  attempt: { name: 'sign-in', seconds: LIFETIMES_SECONDS.signInAttempt, sameSite: 'lax' },
  /** Strict: only a page of the service's own origin changes the code. */
  code: { name: 'sign-in-code', seconds: LIFETIMES_SECONDS.signInCode, sameSite: 'strict' },
} as const;

/** The Set-Cookie header (RFC 6265) that keeps a value for as long as what it binds. */
export function formatSignInCookie(kind: SignInCookieKind, value: string, secure: boolean): string {
  return formatCookie(kind, value, SIGN_IN_COOKIES[kind].seconds, secure);
}

/** The Set-Cookie header that takes it away: it serves once. */
export function formatExpiredSignInCookie(kind: SignInCookieKind, secure: boolean): string {
  return formatCookie(kind, '', 0, secure);
}

/** The value of the cookie in a Cookie header; undefined without one. */
export function parseSignInCookie(
  kind: SignInCookieKind,
  header: string | undefined,
  secure: boolean,
): string | undefined {
  return parseCookies(header)[getCookieName(kind, secure)];
}

function formatCookie(kind: SignInCookieKind, value: string, seconds: number, secure: boolean): string {
  const { sameSite } = SIGN_IN_COOKIES[kind];
  return formatSetCookie(getCookieName(kind, secure), value, {
    path: '/',
    maxAgeSeconds: seconds,
    sameSite,
    secure,
  });
}

/** `__Host-` keeps other hosts of the domain, and pages without https, from setting it (RFC 6265bis). */
function getCookieName(kind: SignInCookieKind, secure: boolean): string {
  const { name } = SIGN_IN_COOKIES[kind];
  return secure ? `__Host-${name}` : name;
}
