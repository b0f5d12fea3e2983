/** Stores signed checkpoints of the audit trail outside the database, one per line. */
export interface CheckpointFile {
  /** Append a line durably: it survives a power loss. */
  append(line: string): Promise<void>;
  readLines(): Promise<string[]>;
}

/** Send a checkpoint to an external service; rejects when it is not accepted. */
export type SendCheckpoint = (line: string) => Promise<void>;
