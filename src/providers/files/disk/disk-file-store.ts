import { access, chmod, constants, lstat, mkdir, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isValidFileName, requireValidFileName } from '../file-name.ts';
import type { FileStore } from '../files.port.ts';
import { fsyncStoreFolder, nullIfFileMissing } from './disk-operations.ts';
import { findPartialFiles, isPartialFilePath, listFolderFiles } from './list-folder.ts';
import { openFileForReading } from './open-file.ts';
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
