/** Stores signed checkpoints of the audit trail outside the database, one per line. */
export interface AuditCheckpointFile {
  /** Append a line durably: it survives a power loss. */
  append(line: string): Promise<void>;
  readLines(): Promise<string[]>;
}

export type AuditCheckpointSender = (line: string) => Promise<void>;
