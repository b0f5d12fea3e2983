import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { WebPushSubscription } from '../push.port.ts';

const CURVE = 'prime256v1';
const PUBLIC_KEY_BYTES = 65;
const AUTH_BYTES = 16;
const TAG_BYTES = 16;
const RECORD_BYTES = 4096;

/** Push services accept messages of 4,096 bytes (RFC 8030, 7.2): header, text, delimiter and tag. */
export const MAX_PAYLOAD_BYTES = RECORD_BYTES - (16 + 4 + 1 + PUBLIC_KEY_BYTES) - 1 - TAG_BYTES;

/** Marks the last record (RFC 8188, 2). */
const LAST_RECORD_DELIMITER = Buffer.of(2);

/** Whether something can be encrypted for these keys. */
export function areSubscriptionKeysValid({
  p256dh,
  auth,
}: Pick<WebPushSubscription, 'p256dh' | 'auth'>): boolean {
  const point = decodeBase64Url(p256dh);
  if (point.length !== PUBLIC_KEY_BYTES || decodeBase64Url(auth).length !== AUTH_BYTES) return false;
  try {
    // Fails for a point that is not on the curve.
    const ecdh = createECDH(CURVE);
    ecdh.generateKeys();
    ecdh.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

/**
 * Encrypt the payload of a push for one browser: Message Encryption for Web Push (RFC 8291), in one record of the content
 * encoding aes128gcm (RFC 8188).
 * @param fixed key and salt of a test vector; both have to be new for each message
 */
export function encryptPushPayload(
  payload: Uint8Array,
  { p256dh, auth }: Pick<WebPushSubscription, 'p256dh' | 'auth'>,
  fixed?: { privateKey: Uint8Array; salt: Uint8Array },
): Buffer<ArrayBuffer> {
  const ecdh = createECDH(CURVE);
  if (fixed) ecdh.setPrivateKey(fixed.privateKey);
  else ecdh.generateKeys();
  const salt = fixed?.salt ?? randomBytes(16);
  const receiverKey = decodeBase64Url(p256dh);
  const senderKey = ecdh.getPublicKey();
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey]);
  const secret = ecdh.computeSecret(receiverKey);
  const keyMaterial = deriveBytes(secret, decodeBase64Url(auth), keyInfo, 32);
  const key = deriveBytes(keyMaterial, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = deriveBytes(keyMaterial, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const recordSize = Buffer.alloc(4);
  recordSize.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([
    salt,
    recordSize,
    Buffer.of(PUBLIC_KEY_BYTES),
    senderKey,
    cipher.update(payload),
    cipher.update(LAST_RECORD_DELIMITER),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

export function decodeBase64Url(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(text, 'base64url');
}

function deriveBytes(material: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', material, salt, info, bytes));
}
