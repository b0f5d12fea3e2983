import { createHash } from 'node:crypto';

/** An audit entry as it is sealed and exported: every column as text, hashes in hexadecimal. */
export interface AuditTrailEntry {
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
  /** Of the account that the actor acted for. An entry that has none is of version 1. */
  accountReference?: string | null;
}

/** Entries that were sealed together; bytes are in hexadecimal. */
export interface AuditBatch {
  firstSequence: number;
  lastSequence: number;
  lastHash: string;
  /** 20 bytes an entry: its id, and the first 8 bytes of its seal. */
  members: string;
  signedAt: string;
}

/** State of the trail at a moment, stored outside the database. */
export interface AuditCheckpoint {
  sequence: number;
  sealHash: string;
  /** Entries up to the sequence that had not been dropped. */
  entries: number;
  at: string;
  /** Identity of the database; a replacement has another one. */
  database: string;
  /** Transaction counter of the server: a lower one later means an older copy. */
  transaction: string;
}

/** The signature is in hexadecimal. */
export type SignedAuditStatement<Statement> = Statement & { keyId: string; signature: string };

/** The seal before the first one. */
export const GENESIS_AUDIT_SEAL_HASH = '00'.repeat(32);

type CanonicalValue = string | null | readonly (string | null)[];

/**
 * Compute the seal of an entry: SHA-256 over the 32 bytes of the previous seal and the canonical form. Both seals are
 * 64 hexadecimal digits.
 */
export function computeAuditSeal(previous: string, sequence: number, entry: AuditTrailEntry): string {
  return createHash('sha256')
    .update(previous, 'hex')
    .update(encodeCanonicalAuditEntry(sequence, entry))
    .digest('hex');
}

/** Encode an entry as docs/security/audit-trail.md defines it. */
function encodeCanonicalAuditEntry(sequence: number, entry: AuditTrailEntry): Buffer {
  const { accountReference = null } = entry;
  return encodeCanonicalValues([
    `qr-profile-service/audit-entry/${accountReference === null ? 'v1' : 'v2'}`,
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
    ...(accountReference === null ? [] : [accountReference]),
  ]);
}

export function encodeAuditBatchMessage(batch: AuditBatch & { keyId: string }): Buffer {
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

export function encodeAuditCheckpointMessage(checkpoint: AuditCheckpoint & { keyId: string }): Buffer {
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

/** Format a member of a batch, 40 hexadecimal digits. */
export function formatAuditBatchMember(entryId: string, sealHash: string): string {
  return entryId + sealHash.slice(0, 16);
}

export function parseAuditBatchMember(
  batch: AuditBatch,
  sequence: number,
): { entryId: string; seal: string } {
  const offset = (sequence - batch.firstSequence) * 40;
  return {
    entryId: batch.members.slice(offset, offset + 24),
    seal: batch.members.slice(offset + 24, offset + 40),
  };
}

/** Encode values so that no two lists have the same bytes. */
function encodeCanonicalValues(values: readonly CanonicalValue[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.reduce((size: number, value) => size + getEncodedSize(value), 0));
  values.reduce((offset: number, value) => writeCanonicalValue(bytes, offset, value), 0);
  return bytes;
}

function getEncodedSize(value: CanonicalValue): number {
  if (value === null) return 1;
  if (typeof value === 'string') return 5 + Buffer.byteLength(value);
  return value.reduce((size: number, item) => size + getEncodedSize(item), 5);
}

/** 00 for null; 01, length, UTF-8 for a text; 02, number, items for a list. Numbers are 4 bytes, big-endian. */
function writeCanonicalValue(bytes: Buffer, offset: number, value: CanonicalValue): number {
  if (value === null) return bytes.writeUInt8(0, offset);
  if (typeof value === 'string') {
    bytes.writeUInt8(1, offset);
    const length = bytes.write(value, offset + 5);
    bytes.writeUInt32BE(length, offset + 1);
    return offset + 5 + length;
  }
  bytes.writeUInt8(2, offset);
  bytes.writeUInt32BE(value.length, offset + 1);
  return value.reduce((next: number, item) => writeCanonicalValue(bytes, next, item), offset + 5);
}
