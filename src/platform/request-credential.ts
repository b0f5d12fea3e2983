import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasApiKeyTokenMac, isApiKeyToken } from '../shared/api-key-token.ts';
import type { AccessTokenClaims } from './access-token.ts';
import type { FieldCipher } from './field-cipher.ts';
import { hashSessionCookieSecret, parseSessionCookie } from './session-cookie.ts';

/** What the Authorization header, or the cookie of a page, holds: genuine in form, not yet looked up. */
export type RequestCredential =
  | ({ type: 'session' } & AccessTokenClaims)
  | { type: 'cookie'; userId: string; sessionId: string; secretHash: Buffer<ArrayBuffer> }
  | { type: 'api-key'; tokenHash: Buffer<ArrayBuffer>; hasMac: boolean };

declare module 'fastify' {
  interface FastifyRequest {
    /** Parse the credential once a request; null for none, and for one that is forged or expired. */
    parseCredential(): RequestCredential | null;
    parsedCredential: RequestCredential | null | undefined;
  }
}

/**
 * Decorate requests with the parser of credentials (RFC 6750). Routes that take a cookie take nothing else, and all others
 * never do: a form of another site sends cookies.
 */
export function registerCredentialParser(
  app: FastifyInstance,
  fieldCipher: FieldCipher,
  secure: boolean,
): void {
  app.decorateRequest('parsedCredential', undefined);
  app.decorateRequest('parseCredential', function (this: FastifyRequest) {
    if (this.parsedCredential === undefined)
      this.parsedCredential = takesSessionCookie(this)
        ? parseCookieCredential(fieldCipher, this.headers.cookie, secure)
        : parseCredential(app, fieldCipher, this.headers.authorization);
    return this.parsedCredential;
  });
}

/** Whether the session of a request is in a cookie, as its route declares. */
export function takesSessionCookie({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config?.access?.credentialIn === 'cookie';
}

function parseCookieCredential(
  fieldCipher: FieldCipher,
  header: string | undefined,
  secure: boolean,
): RequestCredential | null {
  const cookie = parseSessionCookie(fieldCipher, header, secure);
  if (!cookie) return null;
  const { secret, ...ids } = cookie;
  return { type: 'cookie', ...ids, secretHash: hashSessionCookieSecret(fieldCipher, secret) };
}

export function hashApiKeyToken(fieldCipher: FieldCipher, token: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('api-key', token);
}

function parseCredential(
  app: FastifyInstance,
  fieldCipher: FieldCipher,
  authorization: string | undefined,
): RequestCredential | null {
  const token = /^Bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) return null;
  if (isApiKeyToken(token)) {
    const hasMac = hasApiKeyTokenMac(fieldCipher.hash, token);
    return { type: 'api-key', tokenHash: hashApiKeyToken(fieldCipher, token), hasMac };
  }
  const claims = app.verifyAccessToken(token);
  return claims && { type: 'session', ...claims };
}
