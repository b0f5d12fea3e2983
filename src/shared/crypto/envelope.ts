import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import { deriveKey, type KeySet } from './key-set.ts';
import { lengthPrefixed, sameBytes } from './keyed-hash.ts';

/** Where a value is stored. It is authenticated: the bytes open at this place and at no other. */
export interface Place {
  table: string;
  column: string;
  rowId: string;
}

export type EnvelopeAlgorithm = 'GCM' | 'CBC_HMAC';

interface Format {
  /** First byte of an envelope; names the algorithm and the layout of what follows the key id. */
  version: number;
  ivBytes: number;
  tagBytes: number;
  encrypt(master: KeyObject, iv: Buffer, associated: Buffer, plaintext: Uint8Array): Buffer[];
  /** Throws where the tag or the padding does not fit. */
  decrypt(
    master: KeyObject,
    iv: Buffer,
    associated: Buffer,
    ciphertext: Buffer,
    tag: Buffer,
  ): Buffer<ArrayBuffer>;
}

/** The formats of docs/encryption.md; what is written there must hold as long as such rows exist. */
const FORMATS: Record<EnvelopeAlgorithm, Format> = {
  GCM: { version: 1, ivBytes: 12, tagBytes: 16, encrypt: encryptGcm, decrypt: decryptGcm },
  CBC_HMAC: { version: 2, ivBytes: 16, tagBytes: 32, encrypt: encryptCbc, decrypt: decryptCbc },
};

/**
 * Encrypts a value for its place, under the primary key: AES-256-GCM, or AES-256-CBC with HMAC-SHA-256 over
 * the result. Layout in docs/encryption.md. Throws an Error when the primary key is not in the set.
 */
export function seal(
  keySet: KeySet,
  place: Place & { algorithm: EnvelopeAlgorithm },
  plaintext: Uint8Array,
): Buffer<ArrayBuffer> {
  const format = FORMATS[place.algorithm];
  const master = keySet.keys.get(keySet.primary);
  if (!master) throw new Error('The primary key is not in the set.');
  const keyId = Buffer.from(keySet.primary, 'latin1');
  const iv = randomBytes(format.ivBytes);
  const associated = associatedData(format.version, place, keyId);
  const body = format.encrypt(master, iv, associated, plaintext);
  return Buffer.concat([Buffer.of(format.version, keyId.length), keyId, iv, ...body]);
}

/**
 * Decrypts what `seal` made for the same place, under whichever key of the set it names.
 * Throws ServiceError DATA_INTEGRITY for everything else; the error never says what did not fit.
 */
export function open(keySet: KeySet, place: Place, bytes: Uint8Array): Buffer<ArrayBuffer> {
  try {
    const { format, keyId, iv, ciphertext, tag } = parse(bytes);
    const master = keySet.keys.get(keyId.toString('latin1'));
    if (!master) throw new Error('unknown key');
    return format.decrypt(master, iv, associatedData(format.version, place, keyId), ciphertext, tag);
  } catch {
    throw new ServiceError('DATA_INTEGRITY');
  }
}

/** `seal` for a value that JSON can hold. Throws TypeError for one it cannot, such as undefined. */
export function sealJson(
  keySet: KeySet,
  place: Place & { algorithm: EnvelopeAlgorithm },
  value: unknown,
): Buffer<ArrayBuffer> {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError('The value has no JSON.');
  return seal(keySet, place, Buffer.from(text, 'utf8'));
}

/** `open` for what `sealJson` made. Throws ServiceError DATA_INTEGRITY as `open` does, also where it is not JSON. */
export function openJson(keySet: KeySet, place: Place, bytes: Uint8Array): unknown {
  const text = open(keySet, place, bytes).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('DATA_INTEGRITY');
  }
}

function parse(bytes: Uint8Array) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = Object.values(FORMATS).find(({ version }) => version === buffer[0]);
  const keyIdLength = buffer[1];
  if (!format || !keyIdLength || keyIdLength > 16) throw new Error('not an envelope');
  const ivAt = 2 + keyIdLength;
  const ciphertextAt = ivAt + format.ivBytes;
  const tagAt = buffer.length - format.tagBytes;
  if (tagAt < ciphertextAt) throw new Error('too short');
  return {
    format,
    keyId: buffer.subarray(2, ivAt),
    iv: buffer.subarray(ivAt, ciphertextAt),
    ciphertext: buffer.subarray(ciphertextAt, tagAt),
    tag: buffer.subarray(tagAt),
  };
}

function associatedData(version: number, place: Place, keyId: Buffer): Buffer {
  const parts = [place.table, place.column, place.rowId, keyId].map(lengthPrefixed);
  return Buffer.concat([Buffer.of(version), ...parts]);
}

function encryptGcm(master: KeyObject, iv: Buffer, associated: Buffer, plaintext: Uint8Array): Buffer[] {
  const cipher = createCipheriv('aes-256-gcm', gcmKey(master), iv, { authTagLength: FORMATS.GCM.tagBytes });
  cipher.setAAD(associated);
  return [cipher.update(plaintext), cipher.final(), cipher.getAuthTag()];
}

function decryptGcm(master: KeyObject, iv: Buffer, associated: Buffer, ciphertext: Buffer, tag: Buffer) {
  const decipher = createDecipheriv('aes-256-gcm', gcmKey(master), iv, {
    authTagLength: FORMATS.GCM.tagBytes,
  });
  decipher.setAAD(associated);
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

function encryptCbc(master: KeyObject, iv: Buffer, associated: Buffer, plaintext: Uint8Array): Buffer[] {
  const cipher = createCipheriv('aes-256-cbc', cbcKey(master), iv);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return [ciphertext, cbcTag(master, iv, associated, ciphertext)];
}

function decryptCbc(master: KeyObject, iv: Buffer, associated: Buffer, ciphertext: Buffer, tag: Buffer) {
  // Before anything is decrypted: an answer that depended on the padding would give the plaintext away.
  if (!sameBytes(cbcTag(master, iv, associated, ciphertext), tag)) throw new Error('tag');
  const decipher = createDecipheriv('aes-256-cbc', cbcKey(master), iv);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

function cbcTag(master: KeyObject, iv: Buffer, associated: Buffer, ciphertext: Buffer): Buffer {
  const key = deriveKey(master, 'qr-profile-service/envelope/v2/mac');
  return createHmac('sha256', key).update(lengthPrefixed(associated)).update(iv).update(ciphertext).digest();
}

function gcmKey(master: KeyObject): KeyObject {
  return deriveKey(master, 'qr-profile-service/envelope/v1/encrypt');
}

function cbcKey(master: KeyObject): KeyObject {
  return deriveKey(master, 'qr-profile-service/envelope/v2/encrypt');
}
