import { createHash } from 'node:crypto';

/** Verification of ID tokens tolerates 30 s of clock skew. */
const CLOCK_TOLERANCE_MS = 60_000;

/** No key is needed: codes, states and tokens are random or signed. */
export function hashSignInProof(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(text).digest());
}

/** Proof that an ID token was used. Hashes what the signature covers: a signature has several encodings. */
export function createIdTokenProof(idToken: string, expiresAt: Date) {
  return {
    kind: 'ID_TOKEN' as const,
    hash: hashSignInProof(idToken.slice(0, idToken.lastIndexOf('.'))),
    expiresAt: new Date(expiresAt.getTime() + CLOCK_TOLERANCE_MS),
  };
}
