import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import { deriveKey } from './derive-key.ts';
import type { KeySet } from './key-set.ts';
import { addLengthPrefix, timingSafeEquals } from './keyed-hash.ts';

/** Where a value is stored and whose it is. Authenticated: the bytes decrypt only here. */
export interface FieldLocation {
  table: string;
  column: string;
  rowId: string;
  /** The owner in the column declared in the catalogue; '' without one. */
  ownerId: string;
}

export type EnvelopeAlgorithm = 'GCM' | 'CBC_HMAC';

interface EnvelopeFormat {
  /** First byte of an envelope: the algorithm, and the layout after the key id. */
  version: number;
  bindsOwner: boolean;
  ivBytes: number;
  tagBytes: number;
  encrypt(input: CipherInput, plaintext: Uint8Array): Buffer[];
  /** @throws Error where tag or padding is invalid */
  decrypt(input: CipherInput, ciphertext: Buffer, tag: Buffer): Buffer<ArrayBuffer>;
}

interface CipherInput {
  version: number;
  master: KeyObject;
  iv: Buffer;
  associated: Buffer;
}

const GCM = { ivBytes: 12, tagBytes: 16, encrypt: encryptGcm, decrypt: decryptGcm };
const CBC_HMAC = { ivBytes: 16, tagBytes: 32, encrypt: encryptCbc, decrypt: decryptCbc };

/** Formats of docs/security/encryption.md; must stay readable as long as such rows exist. */
const FORMATS: readonly EnvelopeFormat[] = [
  { version: 1, bindsOwner: false, ...GCM },
  { version: 2, bindsOwner: false, ...CBC_HMAC },
  { version: 3, bindsOwner: true, ...GCM },
  { version: 4, bindsOwner: true, ...CBC_HMAC },
];

const CURRENT_VERSIONS: Record<EnvelopeAlgorithm, number> = { GCM: 3, CBC_HMAC: 4 };

const MAX_ID_BYTES = 16;

/** Encrypt a value for its location (docs/security/encryption.md). @throws Error when the primary key is missing */
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

/** Decrypt a value of the same location; throws DATA_INTEGRITY naming the location, never the cause. */
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

/** Encrypt a JSON value; throws TypeError for values that JSON cannot express. */
export function encryptJsonField(
  keySet: KeySet,
  location: FieldLocation & { algorithm: EnvelopeAlgorithm },
  value: unknown,
): Buffer<ArrayBuffer> {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError('The value cannot be expressed as JSON.');
  return encryptField(keySet, location, Buffer.from(text, 'utf8'));
}

/** Decrypt a JSON value; throws DATA_INTEGRITY. */
export function decryptJsonField(keySet: KeySet, location: FieldLocation, bytes: Uint8Array): unknown {
  const text = decryptField(keySet, location, bytes).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw createIntegrityError(location);
  }
}

export function createEnvelopeHeader(algorithm: EnvelopeAlgorithm, keyId: string): Buffer<ArrayBuffer> {
  const id = Buffer.from(keyId, 'latin1');
  return Buffer.concat([Buffer.of(CURRENT_VERSIONS[algorithm], id.length), id]);
}

/** Read the key id of an envelope, not authenticated; null where it is too short. */
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
  // Before decrypting: a response that depends on the padding would reveal the plaintext.
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
