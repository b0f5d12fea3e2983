import { formatSetCookie, parseCookies } from '../../shared/cookies.ts';

export interface CookieScope {
  path: string;
  secure: boolean;
}

/** Serialize a Set-Cookie header (RFC 6265) with HttpOnly and SameSite=Lax. */
export function serializeCookie(name: string, value: string, seconds: number, scope: CookieScope): string {
  return formatSetCookie(prefixCookieName(scope, name), value, {
    ...scope,
    maxAgeSeconds: seconds,
    sameSite: 'lax',
  });
}

/** Read a cookie from a Cookie header. The value is untrusted. */
export function readCookie(header: string | undefined, name: string, scope: CookieScope): string | null {
  return parseCookies(header)[prefixCookieName(scope, name)] ?? null;
}

/** Read all cookies whose names have a prefix, by the rest of the name. The values are untrusted. */
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

/** `__Secure-` prevents overwriting from an HTTP page (RFC 6265bis); `__Host-` would require the path /. */
function prefixCookieName({ secure }: CookieScope, name: string): string {
  return secure ? `__Secure-${name}` : name;
}
