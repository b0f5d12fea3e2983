import type { Readable } from 'node:stream';

/** What a store says of a file. */
export interface FileStats {
  /** Lower-case letters, digits, dots and hyphens, of which the last two are not first; may lie in one folder: `folder/name`. */
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

/** There is a file of that name already; nothing was changed. */
export class FileExistsError extends Error {
  constructor(options?: ErrorOptions) {
    super('There is a file of that name.', options);
    this.name = 'FileExistsError';
  }
}

/**
 * Keeps files under names, streamed in and out and never whole in memory. A name is written once and not changed.
 * A store that is full or does not answer throws ServiceError PROVIDER_UNAVAILABLE.
 */
export interface FileStore {
  /** The folder of this machine that public files are in under their names; null for private ones and for a bucket. */
  readonly folder: string | null;
  /** Makes what the store needs. Throws where files could not be kept; called once, at a start. */
  prepare(): Promise<void>;
  /**
   * Stores what comes under a new name, and answers its size in bytes. When this resolves the whole is safe from a loss
   * of power; until then there is nothing under that name, and of what fails or is stopped nothing stays. Throws what
   * `content` throws, and FileExistsError.
   */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<number>;
  /** What is known of a file; null where there is none. */
  stat(name: string): Promise<FileStats | null>;
  /**
   * Opens a file, or a range of it; null where there is none. Of a file that ends before the range does there is what it
   * has. The reader ends or destroys the stream.
   */
  open(name: string, range?: ByteRange): Promise<Readable | null>;
  /** Removes a file for good; nothing happens when it is gone already. */
  remove(name: string): Promise<void>;
  /**
   * Every file in no order, and what a stop left of one that was being written, under a name that only `removePartial`
   * takes. What is stored or removed meanwhile may be among them or not.
   */
  list(): AsyncIterable<FileStats & { isPartial: boolean }>;
  /** Removes what a stop left of a file that was being written. */
  removePartial(name: string): Promise<void>;
  close(): Promise<void>;
}
