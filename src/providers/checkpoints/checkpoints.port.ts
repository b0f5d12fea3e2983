/** Keeps signed checkpoints of the audit trail outside the database, a line each. */
export interface CheckpointFile {
  /** Adds a line; when it resolves, the line survives a loss of power. */
  append(line: string): Promise<void>;
  /** All lines, oldest first; none where there is no file. */
  readLines(): Promise<string[]>;
}

/** Sends a checkpoint to somebody else's machine. Rejects when it was not taken. */
export type SendCheckpoint = (line: string) => Promise<void>;
