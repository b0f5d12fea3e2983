import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import { deriveKey } from './derive-key.ts';
import type { KeySet } from './key-set.ts';
import { addLengthPrefix, timingSafeEquals } from './keyed-hash.ts';

/** Where a value is stored, and whose it is. It is authenticated: the bytes open at this place and at no other. */
export interface FieldLocation {
  table: string;
  column: string;
  rowId: string;
  /** The person that the row belongs to, in the column that `platform/encrypted-columns.ts` names; '' where none does. */
  ownerId: string;
}

export type EnvelopeAlgorithm = 'GCM' | 'CBC_HMAC';

interface EnvelopeFormat {
  /** First byte of an envelope; names the algorithm and the layout of what follows the key id. */
  version: number;
  /** Whether the owner is part of the associated data. */
  bindsOwner: boolean;
  ivBytes: number;
  tagBytes: number;
  encrypt(input: CipherInput, plaintext: Uint8Array): Buffer[];
  /** Throws where the tag or the padding does not fit. */
  decrypt(input: CipherInput, ciphertext: Buffer, tag: Buffer): Buffer<ArrayBuffer>;
}

/** What both directions of a cipher take. */
interface CipherInput {
  version: number;
  master: KeyObject;
  iv: Buffer;
  associated: Buffer;
}

const GCM = { ivBytes: 12, tagBytes: 16, encrypt: encryptGcm, decrypt: decryptGcm };
const CBC_HMAC = { ivBytes: 16, tagBytes: 32, encrypt: encryptCbc, decrypt: decryptCbc };

/** The formats of docs/security/encryption.md; what is written there must hold as long as such rows exist. */
const FORMATS: readonly EnvelopeFormat[] = [
  { version: 1, bindsOwner: false, ...GCM },
  { version: 2, bindsOwner: false, ...CBC_HMAC },
  { version: 3, bindsOwner: true, ...GCM },
  { version: 4, bindsOwner: true, ...CBC_HMAC },
];

/** The version in which each algorithm is written today. */
const CURRENT_VERSIONS: Record<EnvelopeAlgorithm, number> = { GCM: 3, CBC_HMAC: 4 };

const MAX_ID_BYTES = 16;

/**
 * Encrypts a value for its place, under the primary key: AES-256-GCM, or AES-256-CBC with HMAC-SHA-256 over
 * the result. Layout in docs/security/encryption.md. Throws an Error when the primary key is not in the set.
 */
export function encryptField(
  keySet: KeySet,
  location: FieldLocation & { algorithm: EnvelopeAlgorithm },
  plaintext: Uint8Array,
): Buffer<ArrayBuffer> {
  const format = requireFormat(CURRENT_VERSIONS[location.algorithm]);
  const master = keySet.keys.get(keySet.primary);
  if (!master) throw new Error('The primary key is not in the set.');
  const iv = randomBytes(format.ivBytes);
  const aad = createAssociatedData(format, location, Buffer.from(keySet.primary, 'latin1'));
  const body = format.encrypt({ version: format.version, master, iv, associated: aad }, plaintext);
  return Buffer.concat([createEnvelopeHeader(location.algorithm, keySet.primary), iv, ...body]);
}

/**
 * Decrypts what `seal` made for the same place, under whichever key of the set it names.
 * Throws ServiceError DATA_INTEGRITY for everything else; the error says where it is, and never what did not fit.
 */
export function decryptField(
  keySet: KeySet,
  location: FieldLocation,
  bytes: Uint8Array,
): Buffer<ArrayBuffer> {
  try {
    const { format, keyId, iv, ciphertext, tag } = parseEnvelope(bytes);
    const master = keySet.keys.get(keyId.toString('latin1'));
    if (!master) throw new Error('unknown key');
    const aad = createAssociatedData(format, location, keyId);
    return format.decrypt({ version: format.version, master, iv, associated: aad }, ciphertext, tag);
  } catch {
    throw createIntegrityError(location);
  }
}

/** `seal` for a value that JSON can hold. Throws TypeError for one it cannot, such as undefined. */
export function encryptJson(
  keySet: KeySet,
  location: FieldLocation & { algorithm: EnvelopeAlgorithm },
  value: unknown,
): Buffer<ArrayBuffer> {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError('The value has no JSON.');
  return encryptField(keySet, location, Buffer.from(text, 'utf8'));
}

/** `open` for what `sealJson` made. Throws ServiceError DATA_INTEGRITY as `open` does, also where it is not JSON. */
export function decryptJson(keySet: KeySet, location: FieldLocation, bytes: Uint8Array): unknown {
  const text = decryptField(keySet, location, bytes).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw createIntegrityError(location);
  }
}

/** The first bytes, in clear, of every envelope that is written today with an algorithm under a key. */
export function createEnvelopeHeader(algorithm: EnvelopeAlgorithm, keyId: string): Buffer<ArrayBuffer> {
  const id = Buffer.from(keyId, 'latin1');
  return Buffer.concat([Buffer.of(CURRENT_VERSIONS[algorithm], id.length), id]);
}

/** The id of the key that an envelope names, or null where it is too short to name one. It is not authenticated yet. */
export function readEnvelopeKeyId(bytes: Uint8Array): string | null {
  const length = bytes[1] ?? 0;
  if (length === 0 || length > MAX_ID_BYTES || bytes.length < 2 + length) return null;
  return Buffer.from(bytes.subarray(2, 2 + length)).toString('latin1');
}

function createIntegrityError({ table, column, rowId }: FieldLocation): ServiceError {
  return new ServiceError('DATA_INTEGRITY', { integrityFailure: { table, column, rowId } });
}

function requireFormat(version: number | undefined): EnvelopeFormat {
  const format = FORMATS.find((known) => known.version === version);
  if (!format) throw new Error('unknown version');
  return format;
}

function parseEnvelope(bytes: Uint8Array) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = requireFormat(buffer[0]);
  const keyIdLength = buffer[1];
  if (!keyIdLength || keyIdLength > MAX_ID_BYTES) throw new Error('not an envelope');
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

function createAssociatedData(
  { version, bindsOwner }: EnvelopeFormat,
  location: FieldLocation,
  keyId: Buffer,
): Buffer {
  const owner = bindsOwner ? [location.ownerId] : [];
  const parts = [location.table, location.column, location.rowId, ...owner, keyId].map(addLengthPrefix);
  return Buffer.concat([Buffer.of(version), ...parts]);
}

function encryptGcm({ version, master, iv, associated: aad }: CipherInput, plaintext: Uint8Array): Buffer[] {
  const key = deriveKey(master, getKeyPurpose(version, 'encrypt'));
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: GCM.tagBytes });
  cipher.setAAD(aad);
  return [cipher.update(plaintext), cipher.final(), cipher.getAuthTag()];
}

function decryptGcm({ version, master, iv, associated: aad }: CipherInput, ciphertext: Buffer, tag: Buffer) {
  const key = deriveKey(master, getKeyPurpose(version, 'encrypt'));
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: GCM.tagBytes });
  decipher.setAAD(aad);
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

function encryptCbc(input: CipherInput, plaintext: Uint8Array): Buffer[] {
  const key = deriveKey(input.master, getKeyPurpose(input.version, 'encrypt'));
  const cipher = createCipheriv('aes-256-cbc', key, input.iv);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return [ciphertext, computeCbcTag(input, ciphertext)];
}

function decryptCbc(input: CipherInput, ciphertext: Buffer, tag: Buffer) {
  // Before anything is decrypted: an answer that depended on the padding would give the plaintext away.
  if (!timingSafeEquals(computeCbcTag(input, ciphertext), tag)) throw new Error('tag');
  const key = deriveKey(input.master, getKeyPurpose(input.version, 'encrypt'));
  const decipher = createDecipheriv('aes-256-cbc', key, input.iv);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

function computeCbcTag({ version, master, iv, associated: aad }: CipherInput, ciphertext: Buffer): Buffer {
  const key = deriveKey(master, getKeyPurpose(version, 'mac'));
  return createHmac('sha256', key).update(addLengthPrefix(aad)).update(iv).update(ciphertext).digest();
}

function getKeyPurpose(version: number, use: 'encrypt' | 'mac'): string {
  return `qr-profile-service/envelope/v${version}/${use}`;
}
