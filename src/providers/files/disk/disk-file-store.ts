import { close, constants, createReadStream, fstat, open } from 'node:fs';
import { access, chmod, lstat, mkdir, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { isValidFileName, requireValidFileName } from '../file-name.ts';
import type { ByteRange, FileStore } from '../files.port.ts';
import { fsyncStoreFolder, mapDiskErrors, nullIfFileMissing } from './disk-operations.ts';
import { findPartialFiles, isPartialFilePath, listFolderFiles } from './list-folder.ts';
import { writeNewFile } from './write-file.ts';

/** Create a store in a folder; private files are spread by the first two characters of their names. */
export function createDiskFileStore(settings: {
  folder: string;
  isPrivate: boolean;
  subfolders?: readonly string[];
}): FileStore {
  const root = resolve(settings.folder);
  const { isPrivate } = settings;
  const modes = isPrivate ? { file: 0o600, folder: 0o700 } : { file: 0o644, folder: null };
  const toPath = (name: string) => {
    requireValidFileName(name);
    return isPrivate ? join(root, name.slice(0, 2), name) : join(root, name);
  };

  async function remove(path: string): Promise<void> {
    if ((await nullIfFileMissing(unlink(path).then(() => true))) === null) return;
    await fsyncStoreFolder(dirname(path));
  }

  return {
    folder: isPrivate ? null : root,

    async prepare() {
      for (const folder of [root, ...(settings.subfolders ?? []).map((name) => join(root, name))]) {
        await mkdir(folder, { recursive: true, mode: modes.folder ?? 0o777 });
        // Also for an existing folder.
        if (modes.folder !== null) await chmod(folder, modes.folder);
        await access(folder, constants.W_OK);
      }
    },

    put: (name, content) => writeNewFile(toPath(name), content, modes),

    async stat(name) {
      const stats = await nullIfFileMissing(lstat(toPath(name)));
      return stats?.isFile() ? { name, size: stats.size, modifiedAt: stats.mtime } : null;
    },

    open: (name, range) => openFileForReading(toPath(name), range),

    remove: (name) => remove(toPath(name)),

    async removeUnfinished(name) {
      for (const path of await findPartialFiles(toPath(name))) await remove(path);
    },

    async *list() {
      for await (const { path, ...facts } of listFolderFiles(root)) {
        const name = isPrivate && !facts.isPartial ? path.split('/').at(-1) : path;
        if (name !== undefined && (facts.isPartial || isValidFileName(name))) yield { name, ...facts };
      }
    },

    async removePartial(name) {
      if (!isPartialFilePath(name)) throw new Error('Invalid name of a partial file.');
      await remove(join(root, name));
    },

    async close() {},
  };
}

/** A link could lead outside of the folder. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

const MAX_BUFFER_BYTES = 64 * 1024;

// A stream over a descriptor costs two thirds of one over a FileHandle.
const [openDescriptor, statDescriptor, closeDescriptor] = [
  promisify(open),
  promisify(fstat),
  promisify(close),
];

async function openFileForReading(path: string, range?: ByteRange): Promise<Readable | null> {
  const fd = await nullIfFileMissing(openDescriptor(path, READ_FLAGS), ['ELOOP']);
  if (fd === null) return null;
  try {
    const stats = await mapDiskErrors(statDescriptor(fd));
    if (stats.isFile())
      return createReadStream('', { fd, ...getReadOptions(range ?? { first: 0, last: stats.size - 1 }) });
  } catch (error) {
    await closeDescriptor(fd);
    throw error;
  }
  await closeDescriptor(fd);
  return null;
}

/** For small images the default buffer would be most of the memory used. */
function getReadOptions({ first, last }: ByteRange) {
  if (last < first) return {};
  return { start: first, end: last, highWaterMark: Math.min(MAX_BUFFER_BYTES, last - first + 1) };
}
