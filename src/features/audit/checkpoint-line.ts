import { type Fields, isPlace, isText, parseFields } from './json-fields.ts';
import type { Checkpoint, Signed } from './trail-format.rules.ts';

/** A checkpoint as a line of a file, without its end. */
export function checkpointLine(checkpoint: Signed<Checkpoint>): string {
  return JSON.stringify({ type: 'checkpoint', version: 1, ...checkpoint });
}

/** The checkpoints among lines, and how many lines are none: a loss of power may leave one in the middle. */
export function readCheckpointLines(lines: readonly string[]): {
  checkpoints: Signed<Checkpoint>[];
  unreadable: number;
} {
  const checkpoints = lines.flatMap((line) => toCheckpoint(parseFields(line)) ?? []);
  return { checkpoints, unreadable: lines.length - checkpoints.length };
}

/** A value as a checkpoint where it has the form of one; its signature is not looked at. */
export function toCheckpoint(value: unknown): Signed<Checkpoint> | null {
  if (typeof value !== 'object' || value === null) return null;
  const { sequence, sealHash, entries, at, database, transaction, keyId, signature } = value as Fields;
  if (!isPlace(sequence) || !isPlace(entries)) return null;
  if (!isText(sealHash) || !isText(at) || !isText(database) || !isText(keyId) || !isText(signature))
    return null;
  if (!isText(transaction) || !/^\d+$/.test(transaction)) return null;
  return { sequence, sealHash, entries, at, database, transaction, keyId, signature };
}
