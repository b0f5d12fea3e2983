import { randomBytes } from 'node:crypto';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../../shared/crypto/keyed-hash.ts';

/** Rotated tokens return the same successor again, for lost responses. */
export const REFRESH_TOKEN_ROTATION_GRACE_MS = 30_000;

const SECRET_BYTES = 32;

const SESSION_ID_BYTES = 12;

/** 72 bits: they choose what a request is counted for, and give no access. */
const MAC_BYTES = 9;

const SECRET_LENGTH = 43;

const TOKEN_LENGTH = 71;

export interface RefreshToken {
  /** All that gives access. */
  secret: string;
  /** Null for a token without a MAC. */
  sessionId: string | null;
}

/** 256 bits. */
export function generateRefreshTokenSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Not stored: repeats derive the same successor. */
export function deriveNextRefreshTokenSecret(fieldCipher: FieldCipher, secret: string): string {
  return fieldCipher.hash('refresh-rotation', secret).toString('base64url');
}

export function hashRefreshTokenSecret(fieldCipher: FieldCipher, secret: string): Buffer<ArrayBuffer> {
  return fieldCipher.hash('refresh-token', secret);
}

/** Format a token: its secret, then its session and the MAC of both, so that it is recognized without the database. */
export function formatRefreshToken(fieldCipher: FieldCipher, sessionId: string, secret: string): string {
  const session = Buffer.from(sessionId, 'hex');
  return secret + Buffer.concat([session, computeMac(fieldCipher, session, secret)]).toString('base64url');
}

/** Parse a token. Those made before there was a MAC, and forged ones, are a secret without a session. */
export function parseRefreshToken(fieldCipher: FieldCipher, token: string): RefreshToken {
  const secret = token.slice(0, SECRET_LENGTH);
  const sessionId = Buffer.from(token.slice(SECRET_LENGTH), 'base64url').toString('hex', 0, SESSION_ID_BYTES);
  const isGenuine =
    token.length === TOKEN_LENGTH &&
    timingSafeEquals(token, formatRefreshToken(fieldCipher, sessionId, secret));
  return isGenuine ? { secret, sessionId } : { secret: token, sessionId: null };
}

function computeMac(fieldCipher: FieldCipher, session: Buffer, secret: string): Buffer {
  return fieldCipher.hash('refresh-token-mac', session, secret).subarray(0, MAC_BYTES);
}
