import {
  isSignatureValid,
  parseBase64PublicKeys,
  parseSigningKey,
  type SigningPublicKey,
} from '../../shared/crypto/signing-key.ts';
import {
  type AuditBatch,
  type AuditCheckpoint,
  encodeAuditBatchMessage,
  encodeAuditCheckpointMessage,
  type SignedAuditStatement,
} from './trail-format.rules.ts';

/** Trusted public keys by id. */
export type PublicKeysById = ReadonlyMap<string, SigningPublicKey>;

export interface AuditSigner {
  signBatch(batch: AuditBatch): SignedAuditStatement<AuditBatch>;
  signCheckpoint(checkpoint: AuditCheckpoint): SignedAuditStatement<AuditCheckpoint>;
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
      signature: signature(encodeAuditBatchMessage({ ...batch, keyId })),
    }),
    signCheckpoint: (checkpoint) => ({
      ...checkpoint,
      keyId,
      signature: signature(encodeAuditCheckpointMessage({ ...checkpoint, keyId })),
    }),
    publicKeys: indexPublicKeysById([publicKey, ...(earlierKeys ? parseBase64PublicKeys(earlierKeys) : [])]),
  };
}

export function indexPublicKeysById(keys: readonly SigningPublicKey[]): PublicKeysById {
  return new Map(keys.map((key) => [key.id, key]));
}

/** Describe what is wrong with a signature; null if it is valid. */
export function findAuditBatchSignatureProblem(
  keys: PublicKeysById,
  batch: SignedAuditStatement<AuditBatch>,
): string | null {
  return findSignatureProblem(keys, batch, encodeAuditBatchMessage(batch));
}

export function findAuditCheckpointSignatureProblem(
  keys: PublicKeysById,
  checkpoint: SignedAuditStatement<AuditCheckpoint>,
): string | null {
  return findSignatureProblem(keys, checkpoint, encodeAuditCheckpointMessage(checkpoint));
}

function findSignatureProblem(
  keys: PublicKeysById,
  signed: SignedAuditStatement<object>,
  message: Buffer,
): string | null {
  const key = keys.get(signed.keyId);
  if (!key) return `it names the key ${signed.keyId}, which is not a trusted public key`;
  return isSignatureValid(key, message, Buffer.from(signed.signature, 'hex'))
    ? null
    : 'its signature is invalid';
}
