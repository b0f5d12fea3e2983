import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ByteRange, FileFacts, FileStore } from '../files.port.ts';

/** What a file is called until it is whole. */
const PARTIAL = '.part';

/** Files of a folder of this machine, which is there already. */
export function createDiskFiles({ folder }: { folder: string }): FileStore {
  const pathOf = (name: string) => join(folder, name);
  const factsOf = async (name: string): Promise<FileFacts | null> => {
    const stats = await stat(pathOf(name)).catch(() => null);
    return stats?.isFile() ? { name, size: stats.size, modifiedAt: stats.mtime } : null;
  };
  return {
    async put(name: string, content: AsyncIterable<Uint8Array>): Promise<number> {
      const partial = pathOf(`${name}${PARTIAL}`);
      try {
        await pipeline(
          Readable.from(content),
          createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }),
        );
        const { size } = await stat(partial);
        await rename(partial, pathOf(name));
        const directory = await open(folder, 'r');
        await directory.sync().finally(() => directory.close());
        return size;
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    stat: factsOf,
    async open(name: string, range?: ByteRange): Promise<Readable | null> {
      const file = await open(pathOf(name), 'r').catch((error: unknown) => {
        if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return null;
        throw error;
      });
      return file?.createReadStream(range ? { start: range.first, end: range.last } : {}) ?? null;
    },
    async remove(name: string) {
      await rm(pathOf(name), { force: true });
    },
    async *list() {
      for (const found of (await readdir(folder)).sort()) {
        const facts = await factsOf(found);
        const isPartial = found.endsWith(PARTIAL);
        if (facts) yield { ...facts, name: isPartial ? found.slice(0, -PARTIAL.length) : found, isPartial };
      }
    },
    async removePartial(name: string) {
      await rm(pathOf(`${name}${PARTIAL}`), { force: true });
    },
    async close() {},
  };
}
