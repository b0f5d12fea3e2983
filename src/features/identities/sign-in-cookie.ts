import { LIFETIMES } from '../../shared/lifetimes.ts';

/** The Set-Cookie header (RFC 6265) that binds a sign-in to the browser that began it. */
export function signInCookie(value: string, secure: boolean): string {
  return cookie(value, LIFETIMES.signInAttempt, secure);
}

/** The Set-Cookie header that takes it away: it serves once. */
export function noSignInCookie(secure: boolean): string {
  return cookie('', 0, secure);
}

/** The value of the cookie in a Cookie header; undefined without one. */
export function signInCookieOf(header: string | undefined, secure: boolean): string | undefined {
  const prefix = `${nameOf(secure)}=`;
  const pair = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return pair?.slice(prefix.length);
}

/** Lax: the way back from the provider is a navigation that another site begins. */
function cookie(value: string, seconds: number, secure: boolean): string {
  const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax'];
  return [`${nameOf(secure)}=${value}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}

/** `__Host-` keeps other hosts of the domain, and pages without https, from setting it (RFC 6265bis). */
function nameOf(secure: boolean): string {
  return secure ? '__Host-sign-in' : 'sign-in';
}
