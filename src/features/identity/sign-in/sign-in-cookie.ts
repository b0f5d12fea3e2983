import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

/**
 * `attempt` binds the authorization to the browser that started it, `code` the one-time code to the browser
 * that received it.
 */
type SignInCookieKind = 'attempt' | 'code';

const SIGN_IN_COOKIES = {
  /** Lax: the provider redirects back by a cross-site navigation. */
  attempt: { name: 'sign-in', seconds: LIFETIMES_SECONDS.signInAttempt, sameSite: 'Lax' },
  /** Strict: only pages of the service's own origin exchange the code. */
  code: { name: 'sign-in-code', seconds: LIFETIMES_SECONDS.signInCode, sameSite: 'Strict' },
} as const;

export function formatSignInCookie(kind: SignInCookieKind, value: string, secure: boolean): string {
  return formatCookie(kind, value, SIGN_IN_COOKIES[kind].seconds, secure);
}

export function formatExpiredSignInCookie(kind: SignInCookieKind, secure: boolean): string {
  return formatCookie(kind, '', 0, secure);
}

export function parseSignInCookie(
  kind: SignInCookieKind,
  header: string | undefined,
  secure: boolean,
): string | undefined {
  const prefix = `${getCookieName(kind, secure)}=`;
  const pair = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return pair?.slice(prefix.length);
}

function formatCookie(kind: SignInCookieKind, value: string, seconds: number, secure: boolean): string {
  const { sameSite } = SIGN_IN_COOKIES[kind];
  const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', `SameSite=${sameSite}`];
  return [`${getCookieName(kind, secure)}=${value}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}

/** `__Host-` prevents sibling hosts and pages without HTTPS from setting the cookie (RFC 6265bis). */
function getCookieName(kind: SignInCookieKind, secure: boolean): string {
  const { name } = SIGN_IN_COOKIES[kind];
  return secure ? `__Host-${name}` : name;
}
