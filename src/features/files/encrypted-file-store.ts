import { createSecretKey, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { defineColumnCipher } from '../../platform/column-cipher.ts';
import type { Database, Db, Tx } from '../../platform/database.ts';
import { getErrorCodeOrName } from '../../platform/error-reason.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import type { ByteRange, FileStore } from '../../providers/files/files.port.ts';
import { createChunkScheduler } from '../../shared/chunk-scheduler.ts';
import {
  decryptChunks,
  encryptChunks,
  type FileEncryptionKey,
  FileIntegrityError,
  getEncryptedChunkRange,
} from '../../shared/crypto/chunked-cipher.ts';
import { type IntegrityFailure, ServiceError } from '../../shared/errors.ts';
import { generateId, generateRandomAlphanumeric } from '../../shared/ids.ts';
import { filesCatalogue } from './catalogue.ts';
import { REMOVE_FILES_QUEUE } from './remove-files.job.ts';
import {
  findPendingFile,
  findStoredFile,
  insertStoredFile,
  markFileStored,
  markFilesRemoved,
  markUnstoredFileRemoved,
  type StoredFile,
} from './stored-file.repository.ts';

const FILE_KEY = defineColumnCipher(filesCatalogue, 'stored_files.file_key').of<string>();

const FILE_KEY_BYTES = 32;
const FILE_NAME_LENGTH = 32;

/** A stored file without a reference; `commit` or `discardPending` it. */
export interface PendingFile {
  id: string;
  accountId: string;
  name: string;
  size: number;
}

interface StoreOptions {
  maxBytes: number;
  /** Reference the file before its first byte, so that what a killed writer leaves can be found. */
  reference?(tx: Tx, id: string): Promise<void>;
}

/** The bytes of a stored file are missing. */
export class StoredFileMissingError extends ServiceError {
  constructor(id: string) {
    super('DATA_INTEGRITY', { integrityFailure: getFileIntegrityFailure(id) });
  }
}

/** Stores private files encrypted, each with a row, as streams. */
export interface EncryptedFileStore {
  /**
   * Store content; then `commit` it in the transaction that references it, or `discardPending` it. Nothing is
   * stored on an error.
   * @throws PAYLOAD_TOO_LARGE above `maxBytes`, and what `content` throws
   */
  store(accountId: string, content: AsyncIterable<Uint8Array>, options: StoreOptions): Promise<PendingFile>;
  /** Keep a file, in the transaction that references it. */
  commit(tx: Tx, file: PendingFile): Promise<void>;
  /** Remove a file that nothing references. */
  discardPending(file: PendingFile): Promise<void>;
  /** Remove files, in the transaction that deletes their references. */
  remove(tx: Tx, ids: readonly string[]): Promise<void>;
  /**
   * Open the content of a file of an account, or a range within it; null when absent.
   * @throws DATA_INTEGRITY for an invalid first chunk; a later one ends the stream with the same error.
   * StoredFileMissingError if the bytes are missing
   */
  open(db: Db, accountId: string, id: string, range?: ByteRange): Promise<Readable | null>;
  /** Open a range of the content of a file without a reference. @throws as `open` */
  openPending(file: PendingFile, range: ByteRange): Promise<Readable | null>;
}

export function createEncryptedFileStore(services: {
  database: Database;
  fieldCipher: FieldCipher;
  jobs: JobScheduler;
  privateFiles: FileStore;
  log: { warn(details: object, message: string): void };
}): EncryptedFileStore {
  const { database, fieldCipher, jobs, privateFiles, log } = services;

  const enqueueRemovals = (tx: Tx, ids: readonly string[]) =>
    jobs.enqueueAll(
      tx,
      REMOVE_FILES_QUEUE,
      ids.map((fileId) => ({ fileId })),
    );

  return {
    async store(accountId, content, { maxBytes, reference }) {
      const file = { id: generateId(), accountId, name: generateRandomAlphanumeric(FILE_NAME_LENGTH) };
      const key = randomBytes(FILE_KEY_BYTES);
      const fileKey = FILE_KEY.encrypt(fieldCipher, file, key.toString('base64'));
      if (reference)
        await database.transaction(async (tx) => {
          await insertStoredFile(tx, { ...file, fileKey });
          await reference(tx, file.id);
        });
      else await insertStoredFile(database.client, { ...file, fileKey });
      let size = 0;
      async function* counted() {
        for await (const chunk of content) {
          size += chunk.length;
          if (size > maxBytes) throw new ServiceError('PAYLOAD_TOO_LARGE');
          yield chunk;
        }
      }
      try {
        const bytes = encryptChunks({ key: createSecretKey(key), fileId: file.id }, counted());
        await privateFiles.put(file.name, bytes);
      } catch (error) {
        await removeUnreferenced(file);
        throw error;
      }
      return { id: file.id, accountId, name: file.name, size };
    },

    async commit(tx, { id, accountId, size }) {
      // False only when the cleanup ran long after the last byte.
      if (!(await markFileStored(tx, accountId, id, size)))
        throw new Error('The file was removed before it was stored.');
    },

    discardPending: (file) => removeUnreferenced(file),

    async remove(tx, ids) {
      if (ids.length > 0) await enqueueRemovals(tx, await markFilesRemoved(tx, ids));
    },

    async open(db, accountId, id, range) {
      const file = await findStoredFile(db, accountId, id);
      if (!file) return null;
      const content = await openContent(file, range ?? { first: 0, last: file.size - 1 });
      // A missing file with a row is an integrity failure, unless it was removed a moment ago.
      if (!content && (await findStoredFile(db, accountId, id))) throw new StoredFileMissingError(id);
      return content;
    },

    async openPending({ id, accountId, size }, range) {
      const file = await findPendingFile(database.client, accountId, id);
      return file && openContent({ ...file, size }, range);
    },
  };

  /** Null if the bytes are missing. */
  async function openContent(file: StoredFile, range: ByteRange): Promise<Readable | null> {
    const { id, size } = file;
    const key = createSecretKey(Buffer.from(FILE_KEY.decrypt(fieldCipher, file), 'base64'));
    const encryptedRange = getEncryptedChunkRange(size, range);
    const encrypted = await privateFiles.open(file.name, encryptedRange);
    return (
      encrypted &&
      streamAfterFirstChunk(decryptFileStream({ key, fileId: id }, size, encryptedRange, encrypted))
    );
  }

  /** Remove an unreferenced file; without a database the cleanup does it. */
  async function removeUnreferenced({ id, accountId, name }: Omit<PendingFile, 'size'>): Promise<void> {
    try {
      const isPending = await database.transaction(async (tx) => {
        const ids = await markUnstoredFileRemoved(tx, accountId, id);
        await enqueueRemovals(tx, ids);
        return ids.length > 0;
      });
      // An erasure may have deleted the row, and what was there of the file, before its last byte.
      if (!isPending && !(await findStoredFile(database.client, accountId, id)))
        await privateFiles.remove(name);
    } catch (error) {
      log.warn({ fileId: id }, `files: removal failed, left to the cleanup (${getErrorCodeOrName(error)})`);
    }
  }
}

async function* decryptFileStream(
  fileKey: FileEncryptionKey,
  size: number,
  encryptedRange: ReturnType<typeof getEncryptedChunkRange>,
  encrypted: Readable,
): AsyncGenerator<Buffer> {
  const waitForSlot = createChunkScheduler();
  try {
    for await (const chunk of decryptChunks(fileKey, size, encryptedRange, mapStoreErrors(encrypted))) {
      await waitForSlot();
      yield chunk;
    }
  } catch (error) {
    throw error instanceof FileIntegrityError ? createFileIntegrityError(fileKey.fileId) : error;
  } finally {
    encrypted.destroy();
  }
}

/** @throws PROVIDER_UNAVAILABLE when the store's stream fails */
async function* mapStoreErrors(encrypted: Readable): AsyncGenerator<Buffer> {
  try {
    yield* encrypted;
  } catch (cause) {
    throw new ServiceError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: 5, cause });
  }
}

/** Start the stream after its first chunk, so that an integrity failure cannot follow a 200 status. */
async function streamAfterFirstChunk(plain: AsyncGenerator<Buffer>): Promise<Readable> {
  const first = await plain.next();
  async function* whole() {
    if (first.done) return;
    yield first.value;
    yield* plain;
  }
  const stream = Readable.from(whole(), { objectMode: false, highWaterMark: 65_536 });
  // A reader that ends before its first read does not end the generator.
  stream.once('close', () => void plain.return(undefined));
  return stream;
}

function createFileIntegrityError(id: string): ServiceError {
  return new ServiceError('DATA_INTEGRITY', { integrityFailure: getFileIntegrityFailure(id) });
}

function getFileIntegrityFailure(id: string): IntegrityFailure {
  return { table: 'stored_files', column: 'file_key', rowId: id };
}
