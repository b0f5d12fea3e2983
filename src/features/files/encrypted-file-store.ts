import { createSecretKey, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Database, Db, Tx } from '../../platform/database.ts';
import { getErrorReason } from '../../platform/error-reason.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import type { ByteRange, FileStore } from '../../providers/files/files.port.ts';
import { createChunkScheduler } from '../../shared/chunk-scheduler.ts';
import {
  decryptChunks,
  encryptChunks,
  FileIntegrityError,
  type FileKey,
  getChunkRange,
} from '../../shared/crypto/chunked-cipher.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateId, generateRandomName } from '../../shared/ids.ts';
import { REMOVE_FILES_QUEUE } from './remove-files.job.ts';
import {
  findStoredFile,
  insertStoredFile,
  markFileStored,
  markFilesRemoved,
  markUnstoredFileRemoved,
} from './stored-file.repository.ts';

const FILE_KEY_BYTES = 32;
const FILE_NAME_LENGTH = 32;

/** A file whose bytes are safe, and that nothing names yet. */
export interface PendingFile {
  id: string;
  /** Bytes of the content. */
  size: number;
}

/** Keeps private files, encrypted, each with a row; streams them in and out. */
export interface EncryptedFileStore {
  /**
   * Takes a content. Then either `commit` it in the transaction that comes to name it, or `discardPending` it. Throws
   * PAYLOAD_TOO_LARGE above `maxBytes`, and what `content` throws; nothing stays of either.
   */
  store(
    ownerId: string,
    content: AsyncIterable<Uint8Array>,
    limits: { maxBytes: number },
  ): Promise<PendingFile>;
  /** Has a file stay, in the transaction that names it. */
  commit(tx: Tx, file: PendingFile): Promise<void>;
  /** Removes a file that nothing came to name; one that something names by now stays. */
  discardPending(file: PendingFile): Promise<void>;
  /** Gives files up, in the transaction that stops naming them: nothing opens them once it is committed. */
  remove(tx: Tx, ids: readonly string[]): Promise<void>;
  /**
   * The content of a file, or a range that lies within it; null where there is none any more. Throws DATA_INTEGRITY where
   * its beginning does not open; what does not open further on ends the stream with the same error.
   */
  open(db: Db, id: string, range?: ByteRange): Promise<Readable | null>;
}

/** The keeper over a store and the keys of the vault. */
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
    async store(ownerId, content, { maxBytes }) {
      const file = { id: generateId(), ownerId, name: generateRandomName(FILE_NAME_LENGTH) };
      const key = randomBytes(FILE_KEY_BYTES);
      const fileKey = fieldCipher.encrypt(getFileKeyLocation(file), key.toString('base64'));
      await insertStoredFile(database.client, { ...file, fileKey });
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
        await forget(file.id);
        throw error;
      }
      return { id: file.id, size };
    },

    async commit(tx, { id, size }) {
      // Only a clean-up long after the last byte can have come before.
      if (!(await markFileStored(tx, id, size)))
        throw new Error('The file was given up before it was stored.');
    },

    discardPending: ({ id }) => forget(id),

    async remove(tx, ids) {
      if (ids.length > 0) await enqueueRemovals(tx, await markFilesRemoved(tx, ids));
    },

    async open(db, id, range) {
      const file = await findStoredFile(db, id);
      if (!file) return null;
      const { size } = file;
      const key = createSecretKey(
        Buffer.from(fieldCipher.decrypt<string>(getFileKeyLocation(file), file.fileKey), 'base64'),
      );
      const encryptedRange = getChunkRange(size, range ?? { first: 0, last: size - 1 });
      const encrypted = await privateFiles.open(file.name, encryptedRange);
      // A row of a file that is not there is damage, unless the file was given up a moment ago.
      if (!encrypted) {
        if (!(await findStoredFile(db, id))) return null;
        throw createFileIntegrityError(id);
      }
      return streamAfterFirstChunk(decryptFileStream({ key, fileId: id }, size, encryptedRange, encrypted));
    },
  };

  /** Gives up a file that nothing names; where the database is away, the clean-up does. */
  async function forget(id: string): Promise<void> {
    await database
      .transaction(async (tx) => enqueueRemovals(tx, await markUnstoredFileRemoved(tx, id)))
      .catch((error: unknown) =>
        log.warn(
          { fileId: id },
          `files: one could not be given up, left to the clean-up (${getErrorReason(error)})`,
        ),
      );
  }
}

function getFileKeyLocation({ id, ownerId }: { id: string; ownerId: string }) {
  return { table: 'stored_files', column: 'file_key', rowId: id, ownerId };
}

async function* decryptFileStream(
  fileKey: FileKey,
  size: number,
  encryptedRange: ReturnType<typeof getChunkRange>,
  encrypted: Readable,
): AsyncGenerator<Buffer> {
  const waitTurn = createChunkScheduler();
  try {
    for await (const chunk of decryptChunks(fileKey, size, encryptedRange, mapStoreErrors(encrypted))) {
      await waitTurn();
      yield chunk;
    }
  } catch (error) {
    throw error instanceof FileIntegrityError ? createFileIntegrityError(fileKey.fileId) : error;
  } finally {
    encrypted.destroy();
  }
}

/** What the store gives. Throws PROVIDER_UNAVAILABLE where it breaks off. */
async function* mapStoreErrors(encrypted: Readable): AsyncGenerator<Buffer> {
  try {
    yield* encrypted;
  } catch (cause) {
    throw new ServiceError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: 5, cause });
  }
}

/** The stream, once its first piece is there: what does not open must not become an answer that says 200. */
async function streamAfterFirstChunk(plain: AsyncGenerator<Buffer>): Promise<Readable> {
  const first = await plain.next();
  async function* whole() {
    if (first.done) return;
    yield first.value;
    yield* plain;
  }
  const stream = Readable.from(whole(), { objectMode: false, highWaterMark: 65_536 });
  // A reader that goes before it has read anything leaves the generator where it is.
  stream.once('close', () => void plain.return(undefined));
  return stream;
}

function createFileIntegrityError(id: string): ServiceError {
  return new ServiceError('DATA_INTEGRITY', {
    integrityFailure: { table: 'stored_files', column: 'file_key', rowId: id },
  });
}
