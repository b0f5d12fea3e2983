import type { Readable } from 'node:stream';

export interface FileStats {
  /** Lowercase letters, digits, dots and hyphens, the last two not first; optionally `folder/name`. */
  name: string;
  size: number;
  modifiedAt: Date;
  /** Of an object in a bucket; it changes with the content. */
  etag?: string | undefined;
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

/** Stores streams by name, each written once. @throws PROVIDER_UNAVAILABLE when full or not responding */
export interface FileStore {
  /** The folder of this machine that public files are in under their names; null for private ones and for a bucket. */
  readonly folder: string | null;
  /** Create what the store needs, once at the start. @throws when it cannot store files */
  prepare(): Promise<void>;
  /** Store durably, all or nothing; returns bytes. @throws FileExistsError and what `content` throws */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<number>;
  stat(name: string): Promise<FileStats | null>;
  /** Open a file, null when absent; a range beyond the end is shortened. The reader must end or destroy it. */
  open(name: string, range?: ByteRange): Promise<Readable | null>;
  /** Remove a file; an absent one is ignored. */
  remove(name: string): Promise<void>;
  /** Remove what writers of a file left that did not end; one that still writes fails. */
  removeUnfinished(name: string): Promise<void>;
  /** List in no order, with partial files for `removePartial`; concurrent changes may be missing. */
  list(): AsyncIterable<FileStats & { isPartial: boolean }>;
  removePartial(name: string): Promise<void>;
  close(): Promise<void>;
}
