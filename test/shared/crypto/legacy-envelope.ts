import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { EnvelopeAlgorithm, FieldLocation } from '../../../src/shared/crypto/envelope.ts';
import { addLengthPrefix } from '../../../src/shared/crypto/keyed-hash.ts';

/** Encrypt as versions 1 and 2, before owners were bound. */
export function encryptLegacyField(
  key: { id: string; bytes: Uint8Array },
  place: FieldLocation & { algorithm: EnvelopeAlgorithm },
  plaintext: Uint8Array,
): Buffer<ArrayBuffer> {
  const version = place.algorithm === 'GCM' ? 1 : 2;
  const derive = (use: string) =>
    Buffer.from(hkdfSync('sha256', key.bytes, '', `qr-profile-service/envelope/v${version}/${use}`, 32));
  const parts = [place.table, place.column, place.rowId, key.id].map(addLengthPrefix);
  const associated = Buffer.concat([Buffer.of(version), ...parts]);
  const head = Buffer.concat([Buffer.of(version, key.id.length), Buffer.from(key.id)]);
  if (version === 1) {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', derive('encrypt'), iv).setAAD(associated);
    return Buffer.concat([head, iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  }
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', derive('encrypt'), iv);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  const authenticated = Buffer.concat([addLengthPrefix(associated), iv, ciphertext]);
  const tag = createHmac('sha256', derive('mac')).update(authenticated).digest();
  return Buffer.concat([head, iv, ciphertext, tag]);
}
