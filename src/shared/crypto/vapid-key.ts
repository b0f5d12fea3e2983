import { createECDH, createPrivateKey, createSecretKey, sign } from 'node:crypto';
import { DAY_SECONDS } from '../durations.ts';
import { deriveKey } from './derive-key.ts';

/** Half of what RFC 8292 allows, for clocks that differ. */
const TOKEN_LIFETIME_SECONDS = DAY_SECONDS / 2;

/** The key by which push services know the sender (VAPID, RFC 8292). */
export interface VapidKey {
  /** Uncompressed point of P-256 in base64url. */
  publicKey: string;
  /** Create the header Authorization for a push service. */
  authorize(endpoint: string, contact: string, now?: number): string;
}

/** Parse a private key: 32 bytes in base64url, as `web-push generate-vapid-keys` prints it. @throws Error */
export function parseVapidKey(text: string): VapidKey {
  return createVapidKey(Buffer.from(text, 'base64url'));
}

/** Derive the key from a secret of the service, so that each instance has the same one. */
export function deriveVapidKey(secret: string): VapidKey {
  const master = createSecretKey(secret, 'utf8');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return createVapidKey(deriveKey(master, `qr-profile-service/vapid-key/v1/${attempt}`).export());
    } catch (error) {
      // One of 2^32 derived values is not a key of this curve.
      if (attempt === 2) throw error;
    }
  }
}

function createVapidKey(bytes: Uint8Array): VapidKey {
  const ecdh = createECDH('prime256v1');
  try {
    ecdh.setPrivateKey(bytes);
  } catch {
    throw new Error('is not a private key of P-256.');
  }
  const point = ecdh.getPublicKey();
  const publicKey = point.toString('base64url');
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: Buffer.from(bytes).toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  return {
    publicKey,
    authorize(endpoint, contact, now = Date.now()) {
      const exp = Math.floor(now / 1000) + TOKEN_LIFETIME_SECONDS;
      const claims = { aud: new URL(endpoint).origin, exp, sub: contact };
      const text = `${encodeJson({ typ: 'JWT', alg: 'ES256' })}.${encodeJson(claims)}`;
      const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
      return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`;
    },
  };
}

function encodeJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
