import { parseCookie, stringifySetCookie } from 'cookie';

export interface CookieAttributes {
  path: string;
  maxAgeSeconds: number;
  sameSite: 'lax' | 'strict';
  secure: boolean;
}

/** Values are sent as they are: those of the service need no encoding. */
const toSameText = (value: string) => value;

/** Format a Set-Cookie header (RFC 6265). @throws TypeError for an invalid name or value */
export function formatSetCookieHeader(name: string, value: string, attributes: CookieAttributes): string {
  const { path, maxAgeSeconds, sameSite, secure } = attributes;
  return stringifySetCookie(
    { name, value, path, maxAge: maxAgeSeconds, httpOnly: true, secure, sameSite },
    { encode: toSameText },
  );
}

/** Parse a Cookie header; of cookies with the same name the first counts. Anybody can have set them. */
export function parseCookieHeader(header: string | undefined): Record<string, string | undefined> {
  return parseCookie(header ?? '', { decode: toSameText });
}
