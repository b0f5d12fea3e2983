import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createDiskFileStore } from './disk/disk-file-store.ts';
import { FileExistsError, type FileStore } from './files.port.ts';
import type { S3Settings } from './s3/s3-connection.ts';
import { createS3FileStore } from './s3/s3-file-store.ts';

/** One try within the time of a check. */
const S3_LIMITS = { tries: 1, requestTimeout: 4_000, stallTimeout: 4_000 };

export type FileStoreProbeResult = 'USABLE' | 'ALTERED' | 'REPLACES_FILES';

/** Open a folder for probes only: in its root, so that a probe creates no folder. */
export function openProbeFolder(folder: string): FileStore {
  return createDiskFileStore({ folder, isPrivate: false });
}

export function openProbeBucket(settings: S3Settings, prefix: 'public/' | 'private/'): FileStore {
  return createS3FileStore({ ...settings, prefix }, S3_LIMITS);
}

/** Write, read, list and remove a small file. @throws what the store throws */
export async function probeFileStore(store: FileStore): Promise<FileStoreProbeResult> {
  const name = `doctor-${randomBytes(12).toString('hex')}`;
  const content = randomBytes(64);
  await store.put(name, toChunks(content));
  try {
    // Names are unique by this refusal, also where instances write at the same time.
    const isReplaced = await store.put(name, toChunks(content)).then(
      () => true,
      (error) => {
        if (error instanceof FileExistsError) return false;
        throw error;
      },
    );
    if (isReplaced) return 'REPLACES_FILES';
    const body = await store.open(name);
    const isSame = body !== null && Buffer.concat(await readChunks(body)).equals(content);
    // The first page needs the right to list.
    for await (const _file of store.list()) break;
    return isSame ? 'USABLE' : 'ALTERED';
  } finally {
    await store.remove(name);
  }
}

async function* toChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function readChunks(body: Readable): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks;
}
