import { createHash } from 'node:crypto';

/** The stored form (SHA-256) of a code, a state or a token, which are of chance or signed: no key is needed. */
export function hashProof(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(text).digest());
}
