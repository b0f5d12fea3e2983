import { formatSetCookieHeader, parseCookieHeader } from '../../../shared/cookies.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

/**
 * `attempt` binds the authorization to its browser, `code` the one-time code. `target` is the page that a sign-in of the
 * pages for owners leads to, `pageCode` its code with what binds it. `link` marks an authorization that links an identity.
 */
type SignInCookieKind = 'attempt' | 'code' | 'target' | 'pageCode' | 'link';

const SIGN_IN_COOKIES = {
  /** Lax: the provider redirects back by a cross-site navigation. */
  attempt: { name: 'sign-in', seconds: LIFETIMES_SECONDS.signInAttempt, sameSite: 'lax' },
  /** Strict: only pages of the service's own origin exchange the code. */
  code: { name: 'sign-in-code', seconds: LIFETIMES_SECONDS.signInCode, sameSite: 'strict' },
  target: { name: 'sign-in-target', seconds: LIFETIMES_SECONDS.signInAttempt, sameSite: 'lax' },
  /** Lax: the provider's redirect leads to the pages that read these. */
  link: { name: 'sign-in-link', seconds: LIFETIMES_SECONDS.signInAttempt, sameSite: 'lax' },
  pageCode: { name: 'sign-in-page-code', seconds: LIFETIMES_SECONDS.signInCode, sameSite: 'lax' },
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
  return parseCookieHeader(header)[getCookieName(kind, secure)];
}

function formatCookie(kind: SignInCookieKind, value: string, seconds: number, secure: boolean): string {
  const { sameSite } = SIGN_IN_COOKIES[kind];
  return formatSetCookieHeader(getCookieName(kind, secure), value, {
    path: '/',
    maxAgeSeconds: seconds,
    sameSite,
    secure,
  });
}

/** `__Host-` prevents sibling hosts and pages without HTTPS from setting the cookie (RFC 6265bis). */
function getCookieName(kind: SignInCookieKind, secure: boolean): string {
  const { name } = SIGN_IN_COOKIES[kind];
  return secure ? `__Host-${name}` : name;
}
