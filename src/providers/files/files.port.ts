import type { Readable } from 'node:stream';

/** What a store says of a file. */
export interface FileFacts {
  /** Letters, digits, dots and hyphens; no folders. */
  name: string;
  /** Bytes as they are stored. */
  size: number;
  modifiedAt: Date;
}

/** Bytes of a file, the first and the last included, as HTTP counts them. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Keeps files under names, streamed in and out and never whole in memory. A name is written once and not changed.
 * A store that does not answer throws ServiceError UNAVAILABLE.
 */
export interface FileStore {
  /**
   * Stores what comes under a new name, and answers its size in bytes. When this resolves the whole is safe from a loss
   * of power; until then there is nothing under that name, and of what fails or is stopped nothing stays. Throws what
   * `content` throws.
   */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<number>;
  /** What is known of a file; null where there is none. */
  stat(name: string): Promise<FileFacts | null>;
  /** Opens a file, or a range that lies within it; null where there is none. The reader ends or destroys the stream. */
  open(name: string, range?: ByteRange): Promise<Readable | null>;
  /** Removes a file for good; nothing happens when it is gone already. */
  remove(name: string): Promise<void>;
  /** Every file in the order of names, and what a stop left of one that was being written. */
  list(): AsyncIterable<FileFacts & { isPartial: boolean }>;
  /** Removes what a stop left of a file that was being written. */
  removePartial(name: string): Promise<void>;
  close(): Promise<void>;
}
