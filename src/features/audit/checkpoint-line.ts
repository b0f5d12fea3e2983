import { isNonNegativeInteger, isString, type JsonObject, parseJsonObject } from './json-object.ts';
import type { AuditCheckpoint, SignedAuditStatement } from './trail-format.rules.ts';

export function formatAuditCheckpointLine(checkpoint: SignedAuditStatement<AuditCheckpoint>): string {
  return JSON.stringify({ type: 'checkpoint', version: 1, ...checkpoint });
}

/** Parse checkpoint lines and count unreadable ones; a power failure may truncate a line. */
export function parseAuditCheckpointLines(lines: readonly string[]): {
  checkpoints: SignedAuditStatement<AuditCheckpoint>[];
  unreadableLines: number;
} {
  const checkpoints = lines.flatMap((line) => parseSignedAuditCheckpoint(parseJsonObject(line)) ?? []);
  return { checkpoints, unreadableLines: lines.length - checkpoints.length };
}

/** Validate the shape of a checkpoint; its signature is not verified. */
export function parseSignedAuditCheckpoint(value: unknown): SignedAuditStatement<AuditCheckpoint> | null {
  if (typeof value !== 'object' || value === null) return null;
  const { sequence, sealHash, entries, at, database, transaction, keyId, signature } = value as JsonObject;
  if (!isNonNegativeInteger(sequence) || !isNonNegativeInteger(entries)) return null;
  if (!isString(sealHash) || !isString(at) || !isString(database) || !isString(keyId) || !isString(signature))
    return null;
  if (!isString(transaction) || !/^\d+$/.test(transaction)) return null;
  return { sequence, sealHash, entries, at, database, transaction, keyId, signature };
}
