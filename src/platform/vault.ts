import { openJson, type Place, sealJson } from '../shared/crypto/envelope.ts';
import { type KeySet, parseKeySet } from '../shared/crypto/key-set.ts';
import { keyedHash } from '../shared/crypto/keyed-hash.ts';

/** Encrypts and hashes with the keys of the service, so that nobody else has to hold them. */
export interface Vault {
  /** Encrypts a value for its place (table, column, row); MEDICAL content takes algorithm CBC_HMAC. */
  seal(place: Place, value: unknown, algorithm?: 'GCM' | 'CBC_HMAC'): Buffer<ArrayBuffer>;
  /** Decrypts what `seal` made for the same place. Throws DATA_INTEGRITY when it was altered or moved. */
  open<Value>(place: Place, bytes: Uint8Array): Value;
  /** A keyed hash of 32 bytes; each purpose has a key of its own. */
  hash(purpose: string, ...parts: (string | Uint8Array)[]): Buffer<ArrayBuffer>;
}

/** Builds the vault from the secrets. Throws an Error that lists what is wrong with a key set. */
export function createVault(secrets: {
  ENCRYPTION_KEYS: string;
  HASH_SECRET: string;
}): Vault & { keys: KeySet } {
  const keys = parseKeySet(secrets.ENCRYPTION_KEYS);
  return {
    keys,
    seal: (place, value, algorithm = 'GCM') => sealJson(keys, { ...place, algorithm }, value),
    // What was sealed as a Value opens as one: the envelope is authenticated.
    open: <Value>(place: Place, bytes: Uint8Array) => openJson(keys, place, bytes) as Value,
    hash: (purpose, ...parts) => keyedHash(secrets.HASH_SECRET, purpose, ...parts),
  };
}
