import {
  decryptField,
  decryptJsonField,
  type EnvelopeAlgorithm,
  encryptField,
  encryptJsonField,
  type FieldLocation,
  readEnvelopeKeyId,
} from '../shared/crypto/envelope.ts';
import type { KeyRing } from '../shared/crypto/key-ring.ts';
import { createKeyedHashFunction } from '../shared/crypto/keyed-hash.ts';

export interface FieldCipher {
  /** Encrypt a value for its location; MEDICAL content takes CBC_HMAC. */
  encrypt(location: FieldLocation, value: unknown, algorithm?: EnvelopeAlgorithm): Buffer<ArrayBuffer>;
  /** Decrypt a value; throws DATA_INTEGRITY when it was altered or moved. */
  decrypt<Value>(location: FieldLocation, bytes: Uint8Array): Value;
  reencrypt(location: FieldLocation, bytes: Uint8Array, algorithm: EnvelopeAlgorithm): Buffer<ArrayBuffer>;
  /** Compute a keyed hash of 32 bytes; each purpose has its own key. */
  hash(purpose: string, ...parts: (string | Uint8Array)[]): Buffer<ArrayBuffer>;
}

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
      encryptJsonField(keyRing.current(), { ...location, algorithm }, value),
    // The envelope is authenticated: what was encrypted as Value decrypts as Value.
    decrypt: <Value>(location: FieldLocation, bytes: Uint8Array) =>
      decryptJsonField(getKeySetFor(bytes), location, bytes) as Value,
    reencrypt: (location, bytes, algorithm) =>
      encryptField(
        keyRing.current(),
        { ...location, algorithm },
        decryptField(getKeySetFor(bytes), location, bytes),
      ),
    hash: createKeyedHashFunction(hashSecret),
  };
}
