import { createHash } from 'node:crypto';

/** Hash a code, state or token with SHA-256. They are random or signed, so no key is needed. */
export function hashProof(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(text).digest());
}
