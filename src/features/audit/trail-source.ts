import type { AuditBatch, AuditCheckpoint, SignedStatement, TrailEntry } from './trail-format.rules.ts';

/** An entry at its place in the chain. */
export interface SealedAuditEntry {
  sequence: number;
  entryId: string;
  /** As stored: 64 hexadecimal digits. */
  sealHash: string;
  /** Null where the entry is not there. */
  entry: TrailEntry | null;
}

/** A range that was dropped because of its age, with the checkpoint of its end. */
export interface DroppedAuditRange {
  firstSequence: number;
  lastSequence: number;
  checkpoint: SignedStatement<AuditCheckpoint>;
}

/** Where a trail is read from: the database, or an exported file. Everything comes in order, in one pass. */
export interface TrailSource {
  listDroppedRanges(): Promise<DroppedAuditRange[]>;
  /** The signed batches after a place. */
  streamBatches(after: number): AsyncIterable<SignedStatement<AuditBatch>>;
  /** The sealed entries after a place. */
  streamSealedEntries(after: number): AsyncIterable<SealedAuditEntry>;
  /** Whether there is an entry of this id, wherever it stands. */
  hasEntry(entryId: string): Promise<boolean>;
  /** Whether any batch says that it sealed this entry. */
  isInBatch(entryId: string): Promise<boolean>;
  /** Which database this is now, or was at the end of a file, to compare with checkpoints; null for a file without an end. */
  getState(): Promise<Pick<AuditCheckpoint, 'database' | 'transaction'> | null>;
}
