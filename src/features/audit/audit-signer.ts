import {
  isSignatureValid,
  type PublicKey,
  parsePublicKeys,
  parseSigningKey,
} from '../../shared/crypto/signing-key.ts';
import {
  type AuditBatch,
  type AuditCheckpoint,
  encodeBatchMessage,
  encodeCheckpointMessage,
  type SignedStatement,
} from './trail-format.rules.ts';

/** Trusted public keys by id. */
export type PublicKeysById = ReadonlyMap<string, PublicKey>;

export interface AuditSigner {
  signBatch(batch: AuditBatch): SignedStatement<AuditBatch>;
  signCheckpoint(checkpoint: AuditCheckpoint): SignedStatement<AuditCheckpoint>;
  publicKeys: PublicKeysById;
}

/** Create the signer from AUDIT_SIGNING_KEY and AUDIT_PUBLIC_KEYS. @throws Error for an invalid key */
export function createAuditSigner(signingKey: string, earlierKeys: string | undefined): AuditSigner {
  const { publicKey, sign } = parseSigningKey(signingKey);
  const keyId = publicKey.id;
  const signature = (message: Buffer) => sign(message).toString('hex');
  return {
    signBatch: (batch) => ({
      ...batch,
      keyId,
      signature: signature(encodeBatchMessage({ ...batch, keyId })),
    }),
    signCheckpoint: (checkpoint) => ({
      ...checkpoint,
      keyId,
      signature: signature(encodeCheckpointMessage({ ...checkpoint, keyId })),
    }),
    publicKeys: indexPublicKeys([publicKey, ...(earlierKeys ? parsePublicKeys(earlierKeys) : [])]),
  };
}

export function indexPublicKeys(keys: readonly PublicKey[]): PublicKeysById {
  return new Map(keys.map((key) => [key.id, key]));
}

/** Describe what is wrong with a signature; null if it is valid. */
export function findBatchSignatureProblem(
  keys: PublicKeysById,
  batch: SignedStatement<AuditBatch>,
): string | null {
  return findSignatureProblem(keys, batch, encodeBatchMessage(batch));
}

export function findCheckpointSignatureProblem(
  keys: PublicKeysById,
  checkpoint: SignedStatement<AuditCheckpoint>,
): string | null {
  return findSignatureProblem(keys, checkpoint, encodeCheckpointMessage(checkpoint));
}

function findSignatureProblem(
  keys: PublicKeysById,
  signed: SignedStatement<object>,
  message: Buffer,
): string | null {
  const key = keys.get(signed.keyId);
  if (!key) return `it names the key ${signed.keyId}, which is not a trusted public key`;
  return isSignatureValid(key, message, Buffer.from(signed.signature, 'hex'))
    ? null
    : 'its signature is invalid';
}
