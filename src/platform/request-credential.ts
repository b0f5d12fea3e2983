import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasApiKeyTokenMac, isApiKeyToken } from '../shared/api-key-token.ts';
import type { AccessTokenClaims } from './access-token.ts';
import type { FieldCipher } from './field-cipher.ts';

/** What the Authorization header holds: genuine in form, not yet looked up. */
export type RequestCredential =
  | ({ type: 'session' } & AccessTokenClaims)
  | { type: 'api-key'; tokenHash: Buffer<ArrayBuffer>; hasMac: boolean };

declare module 'fastify' {
  interface FastifyRequest {
    /** Parse the credential once a request; null for none, and for one that is forged or expired. */
    parseCredential(): RequestCredential | null;
    parsedCredential: RequestCredential | null | undefined;
  }
}

/** Decorate requests with the parser of credentials (RFC 6750). */
export function registerCredentialParser(app: FastifyInstance, fieldCipher: FieldCipher): void {
  app.decorateRequest('parsedCredential', undefined);
  app.decorateRequest('parseCredential', function (this: FastifyRequest) {
    if (this.parsedCredential === undefined)
      this.parsedCredential = parseCredential(app, fieldCipher, this.headers.authorization);
    return this.parsedCredential;
  });
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
