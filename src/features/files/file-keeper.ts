import { createSecretKey, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Database, Db, Tx } from '../../platform/database.ts';
import { reasonOf } from '../../platform/error-reason.ts';
import type { Jobs } from '../../platform/jobs.ts';
import type { Vault } from '../../platform/vault.ts';
import type { ByteRange, FileStore } from '../../providers/files/files.port.ts';
import {
  chunkRange,
  DamagedFileError,
  decryptChunks,
  encryptChunks,
  type FileKey,
} from '../../shared/crypto/chunked-cipher.ts';
import { ServiceError } from '../../shared/errors.ts';
import { newId, randomName } from '../../shared/ids.ts';
import { createTurns } from '../../shared/turns.ts';
import { REMOVE_FILES_QUEUE } from './remove-files.job.ts';
import {
  findStored,
  insertFile,
  markRemoved,
  markStored,
  markUnnamedRemoved,
} from './stored-file.repository.ts';

const KEY_BYTES = 32;
const NAME_LENGTH = 32;

/** A file whose bytes are safe, and that nothing names yet. */
export interface KeptFile {
  id: string;
  /** Bytes of the content. */
  size: number;
}

/** Keeps private files, encrypted, each with a row; streams them in and out. */
export interface FileKeeper {
  /**
   * Takes a content. Then either `settle` it in the transaction that comes to name it, or `drop` it. Throws
   * PAYLOAD_TOO_LARGE above `maxBytes`, and what `content` throws; nothing stays of either.
   */
  keep(ownerId: string, content: AsyncIterable<Uint8Array>, limits: { maxBytes: number }): Promise<KeptFile>;
  /** Has a file stay, in the transaction that names it. */
  settle(tx: Tx, file: KeptFile): Promise<void>;
  /** Removes a file that nothing came to name; one that something names by now stays. */
  drop(file: KeptFile): Promise<void>;
  /** Gives files up, in the transaction that stops naming them: nothing opens them once it is committed. */
  discard(tx: Tx, ids: readonly string[]): Promise<void>;
  /**
   * The content of a file, or a range that lies within it; null where there is none any more. Throws DATA_INTEGRITY where
   * its beginning does not open; what does not open further on ends the stream with the same error.
   */
  open(db: Db, id: string, range?: ByteRange): Promise<Readable | null>;
}

/** The keeper over a store and the keys of the vault. */
export function createFileKeeper(services: {
  database: Database;
  vault: Vault;
  jobs: Jobs;
  privateFiles: FileStore;
  log: { warn(details: object, message: string): void };
}): FileKeeper {
  const { database, vault, jobs, privateFiles, log } = services;

  const enqueueRemovals = (tx: Tx, ids: readonly string[]) =>
    jobs.enqueueAll(
      tx,
      REMOVE_FILES_QUEUE,
      ids.map((fileId) => ({ fileId })),
    );

  return {
    async keep(ownerId, content, { maxBytes }) {
      const file = { id: newId(), ownerId, name: randomName(NAME_LENGTH) };
      const key = randomBytes(KEY_BYTES);
      const fileKey = vault.seal(placeOf(file), key.toString('base64'));
      await insertFile(database.client, { ...file, fileKey });
      let size = 0;
      async function* counted() {
        for await (const piece of content) {
          size += piece.length;
          if (size > maxBytes) throw new ServiceError('PAYLOAD_TOO_LARGE');
          yield piece;
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

    async settle(tx, { id, size }) {
      // Only a clean-up long after the last byte can have come before.
      if (!(await markStored(tx, id, size))) throw new Error('The file was given up before it was stored.');
    },

    drop: ({ id }) => forget(id),

    async discard(tx, ids) {
      if (ids.length > 0) await enqueueRemovals(tx, await markRemoved(tx, ids));
    },

    async open(db, id, range) {
      const file = await findStored(db, id);
      if (!file) return null;
      const { size } = file;
      const key = createSecretKey(Buffer.from(vault.open<string>(placeOf(file), file.fileKey), 'base64'));
      const wanted = chunkRange(size, range ?? { first: 0, last: size - 1 });
      const sealed = await privateFiles.open(file.name, wanted);
      // A row of a file that is not there is damage, unless the file was given up a moment ago.
      if (!sealed) {
        if (!(await findStored(db, id))) return null;
        throw damaged(id);
      }
      return begun(plainOf({ key, fileId: id }, size, wanted, sealed));
    },
  };

  /** Gives up a file that nothing names; where the database is away, the clean-up does. */
  async function forget(id: string): Promise<void> {
    await database
      .transaction(async (tx) => enqueueRemovals(tx, await markUnnamedRemoved(tx, id)))
      .catch((error: unknown) =>
        log.warn(
          { fileId: id },
          `files: one could not be given up, left to the clean-up (${reasonOf(error)})`,
        ),
      );
  }
}

function placeOf({ id, ownerId }: { id: string; ownerId: string }) {
  return { table: 'stored_files', column: 'file_key', rowId: id, ownerId };
}

async function* plainOf(
  fileKey: FileKey,
  size: number,
  wanted: ReturnType<typeof chunkRange>,
  sealed: Readable,
): AsyncGenerator<Buffer> {
  const turn = createTurns();
  try {
    for await (const piece of decryptChunks(fileKey, size, wanted, stored(sealed))) {
      await turn();
      yield piece;
    }
  } catch (error) {
    throw error instanceof DamagedFileError ? damaged(fileKey.fileId) : error;
  } finally {
    sealed.destroy();
  }
}

/** What the store gives. Throws PROVIDER_UNAVAILABLE where it breaks off. */
async function* stored(sealed: Readable): AsyncGenerator<Buffer> {
  try {
    yield* sealed;
  } catch (cause) {
    throw new ServiceError('PROVIDER_UNAVAILABLE', { retryAfterSeconds: 5, cause });
  }
}

/** The stream, once its first piece is there: what does not open must not become an answer that says 200. */
async function begun(plain: AsyncGenerator<Buffer>): Promise<Readable> {
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

function damaged(id: string): ServiceError {
  return new ServiceError('DATA_INTEGRITY', {
    damaged: { table: 'stored_files', column: 'file_key', rowId: id },
  });
}
