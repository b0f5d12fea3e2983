import { LIFETIMES } from '../../shared/lifetimes.ts';

/**
 * The cookies of a sign-in: `attempt` binds the way through the provider to the browser that began it, `code` the
 * one-time code to the browser that it was given to.
 */
type SignInCookie = 'attempt' | 'code';

const COOKIES = {
  /** Lax: the way back from the provider is a navigation that another site begins. */
  attempt: { name: 'sign-in', seconds: LIFETIMES.signInAttempt, sameSite: 'Lax' },
  /** Strict: only a page of the service's own origin changes the code. */
  code: { name: 'sign-in-code', seconds: LIFETIMES.signInCode, sameSite: 'Strict' },
} as const;

/** The Set-Cookie header (RFC 6265) that keeps a value for as long as what it binds. */
export function signInCookie(which: SignInCookie, value: string, secure: boolean): string {
  return cookie(which, value, COOKIES[which].seconds, secure);
}

/** The Set-Cookie header that takes it away: it serves once. */
export function noSignInCookie(which: SignInCookie, secure: boolean): string {
  return cookie(which, '', 0, secure);
}

/** The value of the cookie in a Cookie header; undefined without one. */
export function signInCookieOf(
  which: SignInCookie,
  header: string | undefined,
  secure: boolean,
): string | undefined {
  const prefix = `${nameOf(which, secure)}=`;
  const pair = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return pair?.slice(prefix.length);
}

function cookie(which: SignInCookie, value: string, seconds: number, secure: boolean): string {
  const { sameSite } = COOKIES[which];
  const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', `SameSite=${sameSite}`];
  return [`${nameOf(which, secure)}=${value}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}

/** `__Host-` keeps other hosts of the domain, and pages without https, from setting it (RFC 6265bis). */
function nameOf(which: SignInCookie, secure: boolean): string {
  const { name } = COOKIES[which];
  return secure ? `__Host-${name}` : name;
}
