import {
  isSignedBy,
  type PublicKey,
  readPublicKeys,
  readSigningKey,
} from '../../shared/crypto/signing-key.ts';
import {
  type Batch,
  batchMessage,
  type Checkpoint,
  checkpointMessage,
  type Signed,
} from './trail-format.rules.ts';

/** The public keys whose signatures count, by id. */
export type KnownKeys = ReadonlyMap<string, PublicKey>;

/** Signs for the audit trail with the key in use, and knows every public key that ever signed. */
export interface AuditKeys {
  signBatch(batch: Batch): Signed<Batch>;
  signCheckpoint(checkpoint: Checkpoint): Signed<Checkpoint>;
  known: KnownKeys;
}

/** Reads AUDIT_SIGNING_KEY and AUDIT_PUBLIC_KEYS. Throws an Error for a key that is none. */
export function openAuditKeys(signingKey: string, earlierKeys: string | undefined): AuditKeys {
  const { publicKey, sign } = readSigningKey(signingKey);
  const keyId = publicKey.id;
  const signature = (message: Buffer) => sign(message).toString('hex');
  return {
    signBatch: (batch) => ({ ...batch, keyId, signature: signature(batchMessage({ ...batch, keyId })) }),
    signCheckpoint: (checkpoint) => ({
      ...checkpoint,
      keyId,
      signature: signature(checkpointMessage({ ...checkpoint, keyId })),
    }),
    known: knownKeys([publicKey, ...(earlierKeys ? readPublicKeys(earlierKeys) : [])]),
  };
}

/** The keys by their ids. */
export function knownKeys(keys: readonly PublicKey[]): KnownKeys {
  return new Map(keys.map((key) => [key.id, key]));
}

/** What is wrong with the signature of a batch, as a sentence; null when it is right. */
export function batchProblem(keys: KnownKeys, batch: Signed<Batch>): string | null {
  return problem(keys, batch, batchMessage(batch));
}

/** What is wrong with the signature of a checkpoint, as a sentence; null when it is right. */
export function checkpointProblem(keys: KnownKeys, checkpoint: Signed<Checkpoint>): string | null {
  return problem(keys, checkpoint, checkpointMessage(checkpoint));
}

function problem(keys: KnownKeys, signed: Signed<object>, message: Buffer): string | null {
  const key = keys.get(signed.keyId);
  if (!key) return `it names the key ${signed.keyId}, which is not among the public keys given`;
  return isSignedBy(key, message, Buffer.from(signed.signature, 'hex'))
    ? null
    : 'its signature is not that of the key it names';
}
