import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Database } from '../../platform/database.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { generateId, getMinIdAt } from '../../shared/ids.ts';
import {
  findLastArchivedScanId,
  findNextScanId,
  insertScanArchive,
  listScanArchiveLines,
} from './archive.repository.ts';

/** About 20 MB compressed, and half a minute. */
const MAX_FILE_SCANS = 1_000_000;

const PAGE_SIZE = 5_000;

interface ArchiveServices {
  database: Pick<Database, 'pool'>;
  privateFiles: FileStore;
}

interface ArchiveOptions {
  signal?: AbortSignal | undefined;
  maxFileScans?: number | undefined;
}

/**
 * Write the scans before a moment that are in no archive yet, file by file. False when stopped before the end; the next
 * call continues.
 */
export async function archiveScansBefore(
  services: ArchiveServices,
  before: Date,
  { signal, maxFileScans = MAX_FILE_SCANS }: ArchiveOptions = {},
): Promise<boolean> {
  const endId = getMinIdAt(before);
  while (!signal?.aborted) {
    const afterId = await findLastArchivedScanId(services.database.pool);
    const nextId = await findNextScanId(services.database.pool, afterId, endId);
    if (nextId === null) return true;
    if (!(await writeArchive(services, { afterId, nextId, endId, maxFileScans }))) return false;
  }
  return false;
}

async function writeArchive(
  { database, privateFiles }: ArchiveServices,
  range: { afterId: string; nextId: string; endId: string; maxFileScans: number },
): Promise<boolean> {
  const month = new Date(Number.parseInt(range.nextId.slice(0, 8), 16) * 1000);
  const nextMonthId = getMinIdAt(new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1)));
  const [endId = range.endId] = [nextMonthId, range.endId].sort();
  const name = `scans-${month.toISOString().slice(0, 7)}-${generateId()}.jsonl.gz`;
  const written = { scans: 0, lastId: range.afterId };

  async function* generateLines(): AsyncGenerator<string> {
    while (written.scans < range.maxFileScans) {
      const limit = Math.min(PAGE_SIZE, range.maxFileScans - written.scans);
      const rows = await listScanArchiveLines(database.pool, written.lastId, endId, limit);
      const last = rows.at(-1);
      if (!last) return;
      yield `${rows.map(({ line }) => line).join('\n')}\n`;
      written.scans += rows.length;
      written.lastId = last.id;
    }
  }

  const hash = createHash('sha256');
  const gzip = createGzip();
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of gzip) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const end = new AbortController();
  const [size] = await Promise.all([
    privateFiles.put(name, hashed()),
    pipeline(Readable.from(generateLines()), gzip, { signal: end.signal }),
  ]).finally(() => end.abort());
  const archive = { name, ...written, size, sha256: hash.digest('hex') };
  const isStored = await insertScanArchive(database.pool, archive, range.afterId);
  if (!isStored) await privateFiles.remove(name);
  return isStored;
}
