import { createHash } from 'node:crypto';

/** An audit entry as it is sealed and exported: every column of it, as text. Hashes are in hexadecimal. */
export interface TrailEntry {
  id: string;
  action: string;
  severity: string;
  resourceType: string;
  resourceId: string | null;
  actorReference: string | null;
  subjectReference: string | null;
  outcome: string;
  operation: string;
  ipHash: string | null;
  userAgentHash: string | null;
  requestId: string;
  changes: readonly (string | null)[];
  /** ISO 8601 in UTC with milliseconds. */
  createdAt: string;
}

/** What was sealed together. Bytes are in hexadecimal. */
export interface AuditBatch {
  firstSequence: number;
  lastSequence: number;
  lastHash: string;
  /** 20 bytes an entry: its id, and the first 8 bytes of its seal. */
  members: string;
  signedAt: string;
}

/** What the trail was at a moment, told outside the database. */
export interface AuditCheckpoint {
  sequence: number;
  sealHash: string;
  /** Entries up to the sequence that had not been dropped then. */
  entries: number;
  at: string;
  /** Which database it was: another one in its place has another name. */
  database: string;
  /** How many transactions that database's server had begun: fewer later on mean that it is an older copy. */
  transaction: string;
}

/** A statement with the id of the key that signed it and the signature, in hexadecimal. */
export type SignedStatement<Statement> = Statement & { keyId: string; signature: string };

/** The seal before the first one. */
export const GENESIS_SEAL_HASH = '00'.repeat(32);

type CanonicalValue = string | null | readonly (string | null)[];

/**
 * The seal of an entry at its place: SHA-256 over the 32 bytes of the seal before and the canonical form.
 * @param previous and the answer: 64 hexadecimal digits
 */
export function computeSeal(previous: string, sequence: number, entry: TrailEntry): string {
  return createHash('sha256')
    .update(previous, 'hex')
    .update(encodeCanonicalEntry(sequence, entry))
    .digest('hex');
}

/** The bytes that stand for an entry at its place in the chain; docs/security/audit-trail.md defines them. */
export function encodeCanonicalEntry(sequence: number, entry: TrailEntry): Buffer {
  return encodeCanonicalValues([
    'qr-profile-service/audit-entry/v1',
    String(sequence),
    entry.id,
    entry.action,
    entry.severity,
    entry.resourceType,
    entry.resourceId,
    entry.actorReference,
    entry.subjectReference,
    entry.outcome,
    entry.operation,
    entry.ipHash,
    entry.userAgentHash,
    entry.requestId,
    entry.changes,
    entry.createdAt,
  ]);
}

/** The bytes that are signed for a batch. */
export function encodeBatchMessage(batch: AuditBatch & { keyId: string }): Buffer {
  return encodeCanonicalValues([
    'qr-profile-service/audit-batch/v1',
    String(batch.firstSequence),
    String(batch.lastSequence),
    batch.lastHash,
    batch.members,
    batch.signedAt,
    batch.keyId,
  ]);
}

/** The bytes that are signed for a checkpoint. */
export function encodeCheckpointMessage(checkpoint: AuditCheckpoint & { keyId: string }): Buffer {
  return encodeCanonicalValues([
    'qr-profile-service/audit-checkpoint/v1',
    String(checkpoint.sequence),
    checkpoint.sealHash,
    String(checkpoint.entries),
    checkpoint.at,
    checkpoint.database,
    checkpoint.transaction,
    checkpoint.keyId,
  ]);
}

/** What a batch keeps of one entry, 40 hexadecimal digits. */
export function formatBatchMember(entryId: string, sealHash: string): string {
  return entryId + sealHash.slice(0, 16);
}

/** The entry at a place of a batch, as `memberOf` wrote it. */
export function parseBatchMember(batch: AuditBatch, sequence: number): { entryId: string; seal: string } {
  const at = (sequence - batch.firstSequence) * 40;
  return { entryId: batch.members.slice(at, at + 24), seal: batch.members.slice(at + 24, at + 40) };
}

/** Values one after another so that no two lists of them are the same bytes. */
function encodeCanonicalValues(values: readonly CanonicalValue[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.reduce((size: number, value) => size + getEncodedSize(value), 0));
  values.reduce((at: number, value) => writeCanonicalValue(bytes, at, value), 0);
  return bytes;
}

function getEncodedSize(value: CanonicalValue): number {
  if (value === null) return 1;
  if (typeof value === 'string') return 5 + Buffer.byteLength(value);
  return value.reduce((size: number, item) => size + getEncodedSize(item), 5);
}

/** 00 for null; 01, length, UTF-8 for a text; 02, number, items for a list. Numbers are 4 bytes, big-endian. */
function writeCanonicalValue(bytes: Buffer, at: number, value: CanonicalValue): number {
  if (value === null) return bytes.writeUInt8(0, at);
  if (typeof value === 'string') {
    bytes.writeUInt8(1, at);
    const length = bytes.write(value, at + 5);
    bytes.writeUInt32BE(length, at + 1);
    return at + 5 + length;
  }
  bytes.writeUInt8(2, at);
  bytes.writeUInt32BE(value.length, at + 1);
  return value.reduce((next: number, item) => writeCanonicalValue(bytes, next, item), at + 5);
}
