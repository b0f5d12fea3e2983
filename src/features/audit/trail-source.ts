import type {
  AuditBatch,
  AuditCheckpoint,
  AuditTrailEntry,
  SignedAuditStatement,
} from './trail-format.rules.ts';

export interface SealedAuditEntry {
  sequence: number;
  entryId: string;
  sealHash: string;
  /** Null if the entry is missing. */
  entry: AuditTrailEntry | null;
}

/** A range dropped by retention, with the checkpoint of its end. */
export interface DroppedAuditRange {
  firstSequence: number;
  lastSequence: number;
  checkpoint: SignedAuditStatement<AuditCheckpoint>;
}

/** Source of a trail: the database or an exported file. Reads in order, in one pass. */
export interface AuditTrailSource {
  listDroppedRanges(): Promise<DroppedAuditRange[]>;
  streamBatches(after: number): AsyncIterable<SignedAuditStatement<AuditBatch>>;
  streamSealedEntries(after: number): AsyncIterable<SealedAuditEntry>;
  hasEntry(entryId: string): Promise<boolean>;
  /** Whether any batch contains this entry. */
  isInBatch(entryId: string): Promise<boolean>;
  /** State to compare with checkpoints; null for a file without an end. */
  getState(): Promise<Pick<AuditCheckpoint, 'database' | 'transaction'> | null>;
}
