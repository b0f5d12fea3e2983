import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { deriveKey } from './derive-key.ts';

export type KeyedHashFunction = (
  purpose: string,
  ...parts: readonly (string | Uint8Array)[]
) => Buffer<ArrayBuffer>;

/** Create keyed hashes (HMAC-SHA-256); parts are length-prefixed, so that different lists never hash equal bytes. */
export function createKeyedHashFunction(secret: string): KeyedHashFunction {
  const master = createSecretKey(secret, 'utf8');
  return (purpose, ...parts) => {
    const hmac = createHmac('sha256', deriveKey(master, `qr-profile-service/keyed-hash/v1/${purpose}`));
    for (const part of parts) hmac.update(addLengthPrefix(part));
    return Buffer.from(hmac.digest());
  };
}

/** Compare in constant time; only the length can leak. */
export function timingSafeEquals(a: string | Uint8Array, b: string | Uint8Array): boolean {
  const [left, right] = [toBytes(a), toBytes(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Prefix bytes with their length (4 bytes, big-endian). */
export function addLengthPrefix(part: string | Uint8Array): Buffer<ArrayBuffer> {
  const length = typeof part === 'string' ? Buffer.byteLength(part, 'utf8') : part.length;
  const prefixed = Buffer.allocUnsafe(4 + length);
  prefixed.writeUInt32BE(length);
  if (typeof part === 'string') prefixed.write(part, 4, 'utf8');
  else prefixed.set(part, 4);
  return prefixed;
}

function toBytes(value: string | Uint8Array): Uint8Array {
  return typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
}
