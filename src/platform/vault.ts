import {
  type EnvelopeAlgorithm,
  keyIdOf,
  open,
  openJson,
  type Place,
  seal,
  sealJson,
} from '../shared/crypto/envelope.ts';
import type { KeyRing } from '../shared/crypto/key-ring.ts';
import { keyedHasher } from '../shared/crypto/keyed-hash.ts';

/** Encrypts and hashes with the keys of the service, so that nobody else has to hold them. */
export interface Vault {
  /** Encrypts a value for its place (table, column, row, owner); MEDICAL content takes algorithm CBC_HMAC. */
  seal(place: Place, value: unknown, algorithm?: EnvelopeAlgorithm): Buffer<ArrayBuffer>;
  /** Decrypts what `seal` made for the same place. Throws DATA_INTEGRITY when it was altered or moved. */
  open<Value>(place: Place, bytes: Uint8Array): Value;
  /** The same value for the same place, encrypted anew under the primary key. Throws DATA_INTEGRITY. */
  renew(place: Place, bytes: Uint8Array, algorithm: EnvelopeAlgorithm): Buffer<ArrayBuffer>;
  /** A keyed hash of 32 bytes; each purpose has a key of its own. */
  hash(purpose: string, ...parts: (string | Uint8Array)[]): Buffer<ArrayBuffer>;
}

/** Builds the vault over the encryption keys and the secret of keyed hashes. */
export function createVault({ keyRing, hashSecret }: { keyRing: KeyRing; hashSecret: string }): Vault {
  const keysFor = (bytes: Uint8Array) => {
    const id = keyIdOf(bytes);
    return id === null ? keyRing.current() : keyRing.having(id);
  };
  return {
    seal: (place, value, algorithm = 'GCM') => sealJson(keyRing.current(), { ...place, algorithm }, value),
    // What was sealed as a Value opens as one: the envelope is authenticated.
    open: <Value>(place: Place, bytes: Uint8Array) => openJson(keysFor(bytes), place, bytes) as Value,
    renew: (place, bytes, algorithm) =>
      seal(keyRing.current(), { ...place, algorithm }, open(keysFor(bytes), place, bytes)),
    hash: keyedHasher(hashSecret),
  };
}
