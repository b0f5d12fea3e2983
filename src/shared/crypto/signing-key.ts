import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { parseKeySet } from './key-set.ts';

/** A public key (Ed25519) and the id by which a signature names it. */
export interface PublicKey {
  id: string;
  /** 32 bytes. */
  bytes: Buffer;
  key: KeyObject;
}

export interface SigningKey {
  publicKey: PublicKey;
  /** 64 bytes. */
  sign(message: Uint8Array): Buffer;
}

// What precedes the 32 bytes of a key of this algorithm in DER (RFC 8410).
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;

/** Reads an Ed25519 seed, 32 random bytes in base64. Throws an Error that repeats nothing of it. */
export function parseSigningKey(text: string): SigningKey {
  const seed = parseKeySet(`seed:${text}`).keys.get('seed')?.export() ?? Buffer.alloc(0);
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { publicKey: toPublicKey(createPublicKey(key)), sign: (message) => sign(null, message, key) };
}

/** Reads public keys, each 32 bytes in base64, separated by commas. Throws an Error for one that is none. */
export function parsePublicKeys(text: string): PublicKey[] {
  return text.split(',').map((part, index) => {
    const bytes = Buffer.from(part.trim(), 'base64');
    if (bytes.length !== KEY_BYTES) throw new Error(`key ${index + 1} is not 32 bytes in base64.`);
    return toPublicKey(
      createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bytes]), format: 'der', type: 'spki' }),
    );
  });
}

/** Reads public keys in PEM, one after another. Throws an Error where there is none, or one of another kind. */
export function parsePublicKeysPem(text: string): PublicKey[] {
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[\s\S]+?-----END PUBLIC KEY-----/g) ?? [];
  if (blocks.length === 0) throw new Error('There is no public key in PEM in it.');
  return blocks.map((block) => {
    const key = createPublicKey(block);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('A public key in it is not one of Ed25519.');
    return toPublicKey(key);
  });
}

/** Whether the signature is one of the key for exactly this message. */
export function isSignatureValid({ key }: PublicKey, message: Uint8Array, signature: Uint8Array): boolean {
  return verify(null, message, key, signature);
}

function toPublicKey(key: KeyObject): PublicKey {
  const bytes = key.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX.length);
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 16), bytes, key };
}
