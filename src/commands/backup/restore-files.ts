import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { isValidFileName } from '../../providers/files/file-name.ts';
import { parseObject } from '../../shared/parse-object.ts';
import type { CommandProgress } from '../progress.ts';
import { type BackupFileEntry, type FileStores, openBackupFileStores } from './backup-files.ts';
import {
  type BackupManifest,
  type BackupPart,
  FILE_LIST,
  InvalidBackupError,
  RestoreRefusedError,
} from './manifest.ts';
import { hashChunks, readPart } from './part-file.ts';

const MAX_LINE_CHARACTERS = 10_000;

interface RestoreFilesOptions {
  progress: CommandProgress;
  signal: AbortSignal;
  onMissing(entry: BackupFileEntry, reason: string): void;
}

/** @throws RestoreRefusedError where the folders or the bucket have files */
export async function assertFileStoresEmpty(stores: FileStores): Promise<void> {
  for (const store of Object.values(stores))
    for await (const { isPartial, name } of store.list())
      if (!isPartial)
        throw new RestoreRefusedError(
          `There are files already, such as ${name}. Restore into new folders (UPLOADS_DIR, DATA_DIR) or a new bucket.`,
        );
}

/** Copy the files of the backup, each only if it is what was written. */
export async function restoreFiles(
  folder: string,
  { files }: BackupManifest,
  stores: FileStores,
  { progress, signal, onMissing }: RestoreFilesOptions,
): Promise<void> {
  const source = openBackupFileStores(folder);
  let done = 0;
  for await (const entry of readEntries(folder, files.part)) {
    signal.throwIfAborted();
    const { store, name, sha256 } = entry;
    const content = await source[store].open(name);
    if (content === null) onMissing(entry, 'missing in the backup');
    else {
      const isWhole = await stores[store].put(name, verifyChunks(content, sha256)).then(
        () => true,
        (error) => {
          if (error instanceof AlteredFileError) return false;
          throw error;
        },
      );
      if (!isWhole) onMissing(entry, 'altered in the backup');
    }
    done += 1;
    progress.step(done, files.count);
  }
}

/** Compare the bucket with the list of the backup. */
export async function compareBucket(
  folder: string,
  { files }: BackupManifest,
  stores: FileStores,
  { progress, signal, onMissing }: RestoreFilesOptions,
): Promise<void> {
  let done = 0;
  for await (const entry of readEntries(folder, files.part)) {
    signal.throwIfAborted();
    const { store, name, size, etag } = entry;
    const found = await stores[store].stat(name);
    if (found === null) onMissing(entry, 'missing');
    else if (found.size !== size || (etag !== undefined && found.etag !== undefined && found.etag !== etag))
      onMissing(entry, 'another content than at the time of the backup');
    done += 1;
    progress.step(done, files.count);
  }
}

class AlteredFileError extends Error {}

async function* verifyChunks(content: Readable, sha256: string | undefined): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  yield* hashChunks(content, hash);
  // The store keeps nothing of a content that fails.
  if (hash.digest('hex') !== sha256) throw new AlteredFileError();
}

async function* readEntries(folder: string, part: BackupPart): AsyncGenerator<BackupFileEntry> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of readPart(folder, FILE_LIST, part)) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS) break;
    for (const line of lines) yield parseEntry(line);
  }
  if (rest !== '') throw new InvalidBackupError(`${FILE_LIST} has an incomplete or too long line.`);
}

function parseEntry(line: string): BackupFileEntry {
  const { store, name, size, sha256, etag } = parseObject(line);
  const isValid =
    (store === 'public' || store === 'private') &&
    typeof name === 'string' &&
    isValidFileName(name) &&
    typeof size === 'number' &&
    (sha256 === undefined || typeof sha256 === 'string') &&
    (etag === undefined || typeof etag === 'string');
  if (!isValid) throw new InvalidBackupError(`${FILE_LIST} has a line that names no file.`);
  return { store, name, size, ...(sha256 ? { sha256 } : {}), ...(etag ? { etag } : {}) };
}
