import type { Database, Db } from '../../../platform/database.ts';
import type { FileStats, FileStore } from '../../../providers/files/files.port.ts';
import { HOUR_MS } from '../../../shared/durations.ts';
import {
  countFileReferences,
  type FileReferenceRow,
  findReferencedPrivateFiles,
  findReferencedPublicFiles,
  listProfilePictureReferences,
  listScanArchiveReferences,
  listStoredFileReferences,
} from './file-references.repository.ts';

/** UNNAMED: a file without a row. UNFINISHED: a partial file. MISSING: a row without its file, which images of codes may be. */
export interface FileCheckFinding {
  problem: 'UNNAMED' | 'UNFINISHED' | 'MISSING';
  file: string;
  /** The code, user or stored file of a missing file. */
  id: string | null;
  isRepaired: boolean;
}

export interface FileCheckServices {
  database: Database;
  publicFiles: FileStore;
  privateFiles: FileStore;
}

interface FileCheckOptions {
  /** HARMLESS removes partial files. ALL also removes files without a row. */
  repair: 'NOTHING' | 'HARMLESS' | 'ALL';
  onFinding(finding: FileCheckFinding): void;
  progress: { step(done: number, total: number): void };
  signal: AbortSignal;
}

const FILE_BATCH_SIZE = 500;

/** Low, because these calls share the thread pool with password hashing. */
const STAT_CONCURRENCY = 4;

/**
 * Compare files with the rows that reference them in both directions and repair as allowed. Recent files are skipped.
 */
export async function checkStoredFileConsistency(
  services: FileCheckServices,
  options: FileCheckOptions,
): Promise<void> {
  const { client } = services.database;
  const rows = await countFileReferences(client);
  let done = 0;
  const reportProgress = (count: number) => {
    done += count;
    options.progress.step(Math.min(done, 2 * rows), 2 * rows);
  };
  for (const store of [createPublicStoreCheck(services), createPrivateStoreCheck(services)])
    for await (const files of batchFiles(store.files.list(), options.signal)) {
      await checkStoredFiles(store, options, files);
      reportProgress(files.length);
    }
  for (const [store, list] of [
    [createPublicStoreCheck(services), listProfilePictureReferences],
    [createPrivateStoreCheck(services), listStoredFileReferences],
    [createPrivateStoreCheck(services), listScanArchiveReferences],
  ] as const)
    for await (const referenced of iterateReferences(client, list, options.signal)) {
      await checkReferencedFiles(store, options, referenced);
      reportProgress(referenced.length);
    }
}

interface CheckedStore {
  files: FileStore;
  findReferenced(names: readonly string[]): Promise<Set<string>>;
}

function createPublicStoreCheck(services: FileCheckServices): CheckedStore {
  return {
    files: services.publicFiles,
    findReferenced: (names) => findReferencedPublicFiles(services.database.client, names),
  };
}

function createPrivateStoreCheck({ privateFiles, database }: FileCheckServices): CheckedStore {
  return {
    files: privateFiles,
    findReferenced: (names) => findReferencedPrivateFiles(database.client, names),
  };
}

type ListedFile = FileStats & { isPartial: boolean };

async function checkStoredFiles(
  store: CheckedStore,
  options: FileCheckOptions,
  files: ListedFile[],
): Promise<void> {
  await removeUnfinishedFiles(store.files, options, files);
  // The row of a public file is written after the file.
  const settledNames = files
    .filter((file) => !file.isPartial && isOlderThan(file, HOUR_MS))
    .map(({ name }) => name);
  const referenced = await store.findReferenced(settledNames);
  for (const file of settledNames.filter((name) => !referenced.has(name))) {
    const isRepaired = options.repair === 'ALL';
    if (isRepaired) await store.files.remove(file);
    options.onFinding({ problem: 'UNNAMED', file, id: null, isRepaired });
  }
}

/** An upload may take hours. */
async function removeUnfinishedFiles(
  store: FileStore,
  options: FileCheckOptions,
  files: ListedFile[],
): Promise<void> {
  for (const { name: file } of files.filter((one) => one.isPartial && isOlderThan(one, 24 * HOUR_MS))) {
    const isRepaired = options.repair !== 'NOTHING';
    if (isRepaired) await store.removePartial(file);
    options.onFinding({ problem: 'UNFINISHED', file, id: null, isRepaired });
  }
}

async function checkReferencedFiles(
  store: CheckedStore,
  options: FileCheckOptions,
  rows: FileReferenceRow[],
): Promise<void> {
  const missing: FileReferenceRow[] = [];
  for (let at = 0; at < rows.length; at += STAT_CONCURRENCY)
    await Promise.all(
      rows.slice(at, at + STAT_CONCURRENCY).map(async (row) => {
        if (!(await store.files.stat(row.file))) missing.push(row);
      }),
    );
  // Rows may have changed in the meantime.
  const referenced = await store.findReferenced(missing.map(({ file }) => file));
  for (const row of missing.filter(({ file }) => referenced.has(file)))
    options.onFinding({ problem: 'MISSING', file: row.file, id: row.id, isRepaired: false });
}

function isOlderThan({ modifiedAt }: FileStats, milliseconds: number): boolean {
  return Date.now() - modifiedAt.getTime() > milliseconds;
}

async function* batchFiles(
  files: AsyncIterable<ListedFile>,
  signal: AbortSignal,
): AsyncGenerator<ListedFile[]> {
  let batch: ListedFile[] = [];
  for await (const file of files) {
    if (signal.aborted) return;
    if (batch.push(file) < FILE_BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* iterateReferences(
  db: Db,
  list: (db: Db, afterId: string, take: number) => Promise<FileReferenceRow[]>,
  signal: AbortSignal,
): AsyncGenerator<FileReferenceRow[]> {
  for (let after = ''; !signal.aborted; ) {
    const rows = await list(db, after, FILE_BATCH_SIZE);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}
