import { randomBytes } from 'node:crypto';
import { formatSetCookieHeader, parseCookieHeader } from '../shared/cookies.ts';
import { defineSignedToken } from '../shared/crypto/signed-token.ts';
import { isId } from '../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../shared/lifetimes.ts';
import type { FieldCipher } from './field-cipher.ts';

/** What the cookie of a signed-in browser has. Only the secret gives access; the ids say what a request counts for. */
export interface SessionCookie {
  secret: string;
  sessionId: string;
  userId: string;
}

/** Signed, so that a forged one is recognized without the database. Ends with its session. */
const sessionToken = defineSignedToken({
  purpose: 'session-cookie',
  parts: { secret: /^[\w-]{43}$/, sessionId: isId, userId: isId },
  lifetimeSeconds: null,
});

/** 256 bits. */
export function generateSessionCookieSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function hashSessionCookieSecret(fieldCipher: FieldCipher, secret: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('session-cookie-secret', secret);
}

export function createSessionCookieValue(fieldCipher: FieldCipher, cookie: SessionCookie): string {
  return sessionToken.create(fieldCipher, { ...cookie });
}

/** Null for none, and for one that is malformed or forged. */
export function parseSessionCookie(
  fieldCipher: FieldCipher,
  header: string | undefined,
  secure: boolean,
): SessionCookie | null {
  const value = parseCookieHeader(header)[getHostCookieName('session', secure)];
  return value === undefined ? null : sessionToken.verify(fieldCipher, value, {});
}

/** The row of the session says when it ends. */
export function formatSessionCookie(value: string, secure: boolean): string {
  return formatHostCookie('session', value, LIFETIMES_SECONDS.maxSession, secure);
}

export function formatExpiredSessionCookie(secure: boolean): string {
  return formatHostCookie('session', '', 0, secure);
}

/** `__Host-` prevents sibling hosts and pages without HTTPS from setting a cookie (RFC 6265bis). */
export function getHostCookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name;
}

/** Lax: links in emails lead to pages that need the cookie. */
export function formatHostCookie(name: string, value: string, seconds: number, secure: boolean): string {
  return formatSetCookieHeader(getHostCookieName(name, secure), value, {
    path: '/',
    maxAgeSeconds: seconds,
    sameSite: 'lax',
    secure,
  });
}
