import { formatSetCookie, parseCookies } from '../../shared/cookies.ts';

/** Where a cookie is sent, and whether over https alone. */
export interface CookieScope {
  path: string;
  secure: boolean;
}

/** The header that sets a cookie (RFC 6265) that no script reads and no other site sends; it lasts so many seconds. */
export function serializeCookie(name: string, value: string, seconds: number, scope: CookieScope): string {
  return formatSetCookie(prefixCookieName(scope, name), value, {
    ...scope,
    maxAgeSeconds: seconds,
    sameSite: 'lax',
  });
}

/** The value of a cookie in a Cookie header; null where there is none. Anybody can have set it. */
export function readCookie(header: string | undefined, name: string, scope: CookieScope): string | null {
  return parseCookies(header)[prefixCookieName(scope, name)] ?? null;
}

/** The cookies in a Cookie header whose names begin in the same way, by the rest of the name. Anybody can have set them. */
export function readCookiesByPrefix(
  header: string | undefined,
  namePrefix: string,
  scope: CookieScope,
): [rest: string, value: string][] {
  const prefix = prefixCookieName(scope, namePrefix);
  return Object.entries(parseCookies(header)).flatMap(([name, value]) =>
    name.startsWith(prefix) && value !== undefined
      ? [[name.slice(prefix.length), value] as [string, string]]
      : [],
  );
}

/** `__Secure-` keeps a page without https from setting it (RFC 6265bis); `__Host-` would need the path /. */
function prefixCookieName({ secure }: CookieScope, name: string): string {
  return secure ? `__Secure-${name}` : name;
}
