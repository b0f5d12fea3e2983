import {
  decryptField,
  decryptJson,
  type EnvelopeAlgorithm,
  encryptField,
  encryptJson,
  type FieldLocation,
  readEnvelopeKeyId,
} from '../shared/crypto/envelope.ts';
import type { KeyRing } from '../shared/crypto/key-ring.ts';
import { createKeyedHash } from '../shared/crypto/keyed-hash.ts';

/** Encrypts and hashes with the keys of the service, so that nobody else has to hold them. */
export interface FieldCipher {
  /** Encrypts a value for its place (table, column, row, owner); MEDICAL content takes algorithm CBC_HMAC. */
  encrypt(location: FieldLocation, value: unknown, algorithm?: EnvelopeAlgorithm): Buffer<ArrayBuffer>;
  /** Decrypts what `encrypt` made for the same place. Throws DATA_INTEGRITY when it was altered or moved. */
  decrypt<Value>(location: FieldLocation, bytes: Uint8Array): Value;
  /** The same value for the same place, encrypted anew under the primary key. Throws DATA_INTEGRITY. */
  reencrypt(location: FieldLocation, bytes: Uint8Array, algorithm: EnvelopeAlgorithm): Buffer<ArrayBuffer>;
  /** A keyed hash of 32 bytes; each purpose has a key of its own. */
  hash(purpose: string, ...parts: (string | Uint8Array)[]): Buffer<ArrayBuffer>;
}

/** Builds the vault over the encryption keys and the secret of keyed hashes. */
export function createFieldCipher({
  keyRing,
  hashSecret,
}: {
  keyRing: KeyRing;
  hashSecret: string;
}): FieldCipher {
  const getKeySetFor = (bytes: Uint8Array) => {
    const id = readEnvelopeKeyId(bytes);
    return id === null ? keyRing.current() : keyRing.loadWithKey(id);
  };
  return {
    encrypt: (location, value, algorithm = 'GCM') =>
      encryptJson(keyRing.current(), { ...location, algorithm }, value),
    // What was sealed as a Value opens as one: the envelope is authenticated.
    decrypt: <Value>(location: FieldLocation, bytes: Uint8Array) =>
      decryptJson(getKeySetFor(bytes), location, bytes) as Value,
    reencrypt: (location, bytes, algorithm) =>
      encryptField(
        keyRing.current(),
        { ...location, algorithm },
        decryptField(getKeySetFor(bytes), location, bytes),
      ),
    hash: createKeyedHash(hashSecret),
  };
}
