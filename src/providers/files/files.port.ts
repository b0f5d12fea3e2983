import type { Readable } from 'node:stream';

export interface FileStats {
  /**
   * Lowercase letters, digits, dots and hyphens, the last two not first; optionally in one folder:
   * `folder/name`.
   */
  name: string;
  size: number;
  modifiedAt: Date;
}

/** A byte range, both ends inclusive as in HTTP. */
export interface ByteRange {
  first: number;
  last: number;
}

export class FileExistsError extends Error {
  constructor(options?: ErrorOptions) {
    super('The file already exists.', options);
    this.name = 'FileExistsError';
  }
}

/**
 * Stores files by name as streams, never whole in memory. A name is written once.
 * @throws PROVIDER_UNAVAILABLE when the store is full or does not respond
 */
export interface FileStore {
  /** The folder of this machine that public files are in under their names; null for private ones and for a bucket. */
  readonly folder: string | null;
  /** Create what the store needs, once at the start. @throws when it cannot store files */
  prepare(): Promise<void>;
  /**
   * Store a stream under a new name and return its size in bytes. The file is durable when this resolves and
   * invisible before; nothing is left of a failed or aborted one.
   * @throws FileExistsError and what `content` throws
   */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<number>;
  stat(name: string): Promise<FileStats | null>;
  /**
   * Open a file or a range of it; null when absent. A range beyond the end is shortened. The reader must end
   * or destroy the stream.
   */
  open(name: string, range?: ByteRange): Promise<Readable | null>;
  /** Remove a file; an absent one is ignored. */
  remove(name: string): Promise<void>;
  /**
   * List all files in no order, and partial files of stopped writes by names that only `removePartial`
   * accepts. Concurrent changes may be missing.
   */
  list(): AsyncIterable<FileStats & { isPartial: boolean }>;
  removePartial(name: string): Promise<void>;
  close(): Promise<void>;
}
