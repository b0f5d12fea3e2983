import { createHash } from 'node:crypto';

/** No key is needed: codes, states and tokens are random or signed. */
export function hashSignInProof(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(text).digest());
}
