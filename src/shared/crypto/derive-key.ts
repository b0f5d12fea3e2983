import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;

/** What was derived of a master key, for as long as somebody has that. Purposes are constants, so they are few. */
const derivedKeys = new WeakMap<KeyObject, Map<string, KeyObject>>();

/**
 * A key of 32 bytes for one purpose, derived from a master key by HKDF-SHA-256 (RFC 5869) without salt; once, since that
 * costs more than using it.
 */
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
