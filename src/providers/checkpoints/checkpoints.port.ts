/** Stores signed checkpoints of the audit trail outside the database, one per line. */
export interface CheckpointFile {
  /** Append a line durably: it survives a power loss. */
  append(line: string): Promise<void>;
  readLines(): Promise<string[]>;
}

export type SendCheckpoint = (line: string) => Promise<void>;
