import type { Database, Db } from '../../platform/database.ts';
import type { Vault } from '../../platform/vault.ts';
import type { FileFacts, FileStore } from '../../providers/files/files.port.ts';
import { redrawImageOf } from '../qrcodes/redraw-images.ts';
import {
  countNamingRows,
  knownPrivateFiles,
  listImageNames,
  listPictureNames,
  listStoredNames,
  type NamingRow,
  namedPublicFiles,
} from './file-names.repository.ts';

/** What rows and files do not agree in: a file that no row names, what a stop left of one, a row whose file is not there. */
export interface FileFinding {
  problem: 'UNNAMED' | 'UNFINISHED' | 'MISSING';
  file: string;
  /** The code or the person that names a missing file. */
  id: string | null;
  isMended: boolean;
}

export interface FileServices {
  database: Database;
  vault: Vault;
  publicBaseUrl: string;
  publicFiles: FileStore;
  privateFiles: FileStore;
}

interface Run {
  /** HARMLESS: what is unfinished is removed, images are drawn again. ALL: files that no row names are removed, too. */
  mend: 'NOTHING' | 'HARMLESS' | 'ALL';
  onFinding(finding: FileFinding): void;
  progress: { step(done: number, total: number): void };
  stopping: AbortSignal;
}

const AT_ONCE = 500;

/** Files that are asked for at the same time: the threads that look are those that hash passwords, too. */
const LOOKS = 4;

const HOUR = 60 * 60 * 1000;

/** Compares the files with the rows that name them, both ways, and mends what it may. What is a moment old is let be. */
export async function checkFiles(services: FileServices, run: Run): Promise<void> {
  const { client } = services.database;
  const rows = await countNamingRows(client);
  let done = 0;
  const step = (count: number) => {
    done += count;
    run.progress.step(Math.min(done, 2 * rows), 2 * rows);
  };
  for (const store of [publicOf(services), privateOf(services)])
    for await (const files of inBatches(store.files.list(), run.stopping)) {
      await checkStored(store, run, files);
      step(files.length);
    }
  for (const [store, list] of [
    [publicOf(services), listImageNames],
    [publicOf(services), listPictureNames],
    [privateOf(services), listStoredNames],
  ] as const)
    for await (const named of rowsOf(client, list, run.stopping)) {
      await checkNamed(store, run, named);
      step(named.length);
    }
}

/** A store, and what its rows say. */
interface Store {
  files: FileStore;
  /** Of these names, those that a row names. */
  named(names: readonly string[]): Promise<Set<string>>;
  /** Makes a file again that its row misses, where that can be done. */
  makeAgain(row: NamingRow): Promise<boolean>;
}

function publicOf(services: FileServices): Store {
  return {
    files: services.publicFiles,
    named: (names) => namedPublicFiles(services.database.client, names),
    makeAgain: async ({ id, file }) => file.startsWith('qrcodes/') && redrawImageOf(services, id),
  };
}

function privateOf({ privateFiles, database }: FileServices): Store {
  return {
    files: privateFiles,
    named: (names) => knownPrivateFiles(database.client, names),
    makeAgain: async () => false,
  };
}

type Listed = FileFacts & { isPartial: boolean };

async function checkStored(store: Store, run: Run, files: Listed[]): Promise<void> {
  await removeUnfinished(store.files, run, files);
  // The row of a public file is written after it.
  const settled = files.filter((file) => !file.isPartial && isOlder(file, HOUR)).map(({ name }) => name);
  const named = await store.named(settled);
  for (const file of settled.filter((name) => !named.has(name))) {
    const isMended = run.mend === 'ALL';
    if (isMended) await store.files.remove(file);
    run.onFinding({ problem: 'UNNAMED', file, id: null, isMended });
  }
}

/** An upload may take for hours. */
async function removeUnfinished(store: FileStore, run: Run, files: Listed[]): Promise<void> {
  for (const { name: file } of files.filter((one) => one.isPartial && isOlder(one, 24 * HOUR))) {
    const isMended = run.mend !== 'NOTHING';
    if (isMended) await store.removePartial(file);
    run.onFinding({ problem: 'UNFINISHED', file, id: null, isMended });
  }
}

async function checkNamed(store: Store, run: Run, rows: NamingRow[]): Promise<void> {
  const missing: NamingRow[] = [];
  for (let at = 0; at < rows.length; at += LOOKS)
    await Promise.all(
      rows.slice(at, at + LOOKS).map(async (row) => {
        if (!(await store.files.stat(row.file))) missing.push(row);
      }),
    );
  // Those that have another by now, or none any more, are not missing anything.
  const named = await store.named(missing.map(({ file }) => file));
  for (const row of missing.filter(({ file }) => named.has(file))) {
    const isMended = run.mend !== 'NOTHING' && (await store.makeAgain(row));
    run.onFinding({ problem: 'MISSING', file: row.file, id: row.id, isMended });
  }
}

function isOlder({ modifiedAt }: FileFacts, milliseconds: number): boolean {
  return Date.now() - modifiedAt.getTime() > milliseconds;
}

async function* inBatches(files: AsyncIterable<Listed>, stopping: AbortSignal): AsyncGenerator<Listed[]> {
  let batch: Listed[] = [];
  for await (const file of files) {
    if (stopping.aborted) return;
    if (batch.push(file) < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* rowsOf(
  db: Db,
  list: (db: Db, afterId: string, take: number) => Promise<NamingRow[]>,
  stopping: AbortSignal,
): AsyncGenerator<NamingRow[]> {
  for (let after = ''; !stopping.aborted; ) {
    const rows = await list(db, after, AT_ONCE);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.id;
  }
}
