import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { parseKeySet } from './key-set.ts';

export interface SigningPublicKey {
  id: string;
  bytes: Buffer;
  key: KeyObject;
}

export interface SigningKey {
  publicKey: SigningPublicKey;
  sign(message: Uint8Array): Buffer;
}

// DER prefix of a 32-byte key of this algorithm (RFC 8410).
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;

export function parseSigningKey(text: string): SigningKey {
  const seed = parseKeySet(`seed:${text}`).keys.get('seed')?.export() ?? Buffer.alloc(0);
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { publicKey: toPublicKey(createPublicKey(key)), sign: (message) => sign(null, message, key) };
}

export function parseBase64PublicKeys(text: string): SigningPublicKey[] {
  return text.split(',').map((part, index) => {
    const bytes = Buffer.from(part.trim(), 'base64');
    if (bytes.length !== KEY_BYTES) throw new Error(`key ${index + 1} is not 32 bytes in base64.`);
    return toPublicKey(
      createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bytes]), format: 'der', type: 'spki' }),
    );
  });
}

/** Parse concatenated PEM public keys; throws for none or one of another kind. */
export function parsePemPublicKeys(text: string): SigningPublicKey[] {
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[\s\S]+?-----END PUBLIC KEY-----/g) ?? [];
  if (blocks.length === 0) throw new Error('has no public key in PEM format.');
  return blocks.map((block) => {
    const key = createPublicKey(block);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('has a public key that is not Ed25519.');
    return toPublicKey(key);
  });
}

export function isSignatureValid(
  { key }: SigningPublicKey,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  return verify(null, message, key, signature);
}

function toPublicKey(key: KeyObject): SigningPublicKey {
  const bytes = key.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX.length);
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 16), bytes, key };
}
