import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { deriveKey } from './derive-key.ts';

/** HMAC-SHA-256 over parts, under the key of a purpose. */
export type KeyedHashFunction = (
  purpose: string,
  ...parts: readonly (string | Uint8Array)[]
) => Buffer<ArrayBuffer>;

/**
 * Keyed hashes of a secret, under a key of its own for each purpose (`deriveKey` of the secret).
 * Every part is preceded by its length, so that no two lists of parts are hashed as the same bytes.
 * `purpose` is a constant name such as `otp`; strings are taken as UTF-8. Answers 32 bytes.
 */
export function createKeyedHash(secret: string): KeyedHashFunction {
  const master = createSecretKey(secret, 'utf8');
  return (purpose, ...parts) => {
    const hmac = createHmac('sha256', deriveKey(master, `qr-profile-service/keyed-hash/v1/${purpose}`));
    for (const part of parts) hmac.update(addLengthPrefix(part));
    return Buffer.from(hmac.digest());
  };
}

/** Whether two values are the same, in a time that tells nothing of where they differ; only of their length. */
export function timingSafeEquals(a: string | Uint8Array, b: string | Uint8Array): boolean {
  const [left, right] = [toBytes(a), toBytes(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The bytes of a part preceded by their number in 4 bytes, big-endian. */
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
