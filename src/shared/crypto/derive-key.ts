import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;

/** Derived keys live as long as their master key. Purposes are constants, so they are few. */
const derivedKeys = new WeakMap<KeyObject, Map<string, KeyObject>>();

/** Derive a 32-byte key for a purpose by HKDF-SHA-256 (RFC 5869) without salt; memoized. */
export function deriveKey(master: KeyObject, purpose: string): KeyObject {
  const keysByPurpose = derivedKeys.get(master) ?? new Map<string, KeyObject>();
  let key = keysByPurpose.get(purpose);
  if (!key) {
    key = createSecretKey(Buffer.from(hkdfSync('sha256', master, '', purpose, KEY_BYTES)));
    keysByPurpose.set(purpose, key);
    derivedKeys.set(master, keysByPurpose);
  }
  return key;
}
