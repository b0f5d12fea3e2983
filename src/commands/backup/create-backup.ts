import type { Config } from '../../config.ts';
import { openFileStores } from '../../providers/files/open-file-stores.ts';
import { ConfigError } from '../../shared/config-error.ts';
import { SERVICE_VERSION } from '../../shared/version.ts';
import type { DatabaseServer } from '../../start/open-database.ts';
import { createCommandProgress } from '../progress.ts';
import { backUpDatabase } from './backup-database.ts';
import { copyFiles, type FileStores, listBucket, openBackupFileStores } from './backup-files.ts';
import { writeBackupFolder } from './backup-folder.ts';
import { type BackupKeys, findMissingKeys, readBackupKeys, writeEncryptedKeys } from './backup-keys.ts';
import { type BackupManifest, FILE_LIST, type ManifestContent, writeManifest } from './manifest.ts';
import { writePart } from './part-file.ts';

interface BackupOptions {
  to: string;
  recipient: string | undefined;
  signal: AbortSignal;
}

/** Write a complete backup into a new folder, or leave nothing. */
export async function createBackup(
  config: Config,
  address: DatabaseServer,
  options: BackupOptions,
): Promise<{ path: string; manifest: ManifestContent; hasMac: boolean }> {
  const { publicFiles, privateFiles, closeFiles } = openFileStores(config);
  const stores = { public: publicFiles, private: privateFiles };
  let written: { manifest: ManifestContent; hasMac: boolean } | undefined;
  try {
    const path = await writeBackupFolder(options.to, async (folder) => {
      const manifest = await writeParts(folder, config, address, stores, options);
      const keys = await findMatchingKeys(config, manifest.keys);
      await writeManifest(folder, manifest, keys?.secrets.HASH_SECRET ?? null);
      written = { manifest, hasMac: keys !== null };
    });
    if (!written) throw new Error('The backup has no manifest.');
    return { path, ...written };
  } finally {
    await closeFiles();
  }
}

async function writeParts(
  folder: string,
  config: Config,
  address: DatabaseServer,
  stores: FileStores,
  { recipient, signal }: BackupOptions,
): Promise<ManifestContent> {
  const counts = { count: 0, bytes: 0 };
  const bucket = config.s3?.bucket ?? null;
  const { part, result: database } = await writePart(folder, FILE_LIST, async (list) => {
    const backUp = () =>
      runWithProgress('rows', (progress) => backUpDatabase(folder, address.ownerUrl, { progress, signal }));
    if (bucket !== null) {
      const snapshot = await backUp();
      await listBucket(stores, list, { signal, counts });
      return snapshot;
    }
    const target = openBackupFileStores(folder);
    for (const store of Object.values(target)) await store.prepare();
    const copy = () =>
      runWithProgress('files', (progress) => copyFiles(stores, target, list, { progress, signal, counts }));
    // A file comes before its row and goes after it. So those of rows in the snapshot are copied, also where they come
    // or go while the first pass or the snapshot is under way.
    await copy();
    const snapshot = await backUp();
    await copy();
    return snapshot;
  });
  const areIncluded = recipient !== undefined;
  if (areIncluded) await backUpKeys(folder, config, { ...database.keys, areIncluded }, recipient);
  return {
    serviceVersion: SERVICE_VERSION,
    createdAt: database.createdAt,
    database: database.database,
    keys: { ...database.keys, areIncluded },
    files: { bucket, ...counts, part },
  };
}

async function backUpKeys(
  folder: string,
  config: Config,
  checks: BackupManifest['keys'],
  recipient: string,
): Promise<void> {
  const keys = await readBackupKeys(config);
  const problems = findMissingKeys(checks, keys);
  if (keys === null || problems.length > 0) throw new ConfigError(problems);
  await writeEncryptedKeys(folder, keys, recipient);
}

/** The keys of this machine; null where they are not those of the database or cannot be read. */
async function findMatchingKeys(config: Config, checks: BackupManifest['keys']): Promise<BackupKeys | null> {
  const keys = await readBackupKeys(config).catch(() => null);
  return findMissingKeys(checks, keys).length === 0 ? keys : null;
}

async function runWithProgress<Result>(
  name: string,
  work: (progress: ReturnType<typeof createCommandProgress>) => Promise<Result>,
): Promise<Result> {
  const progress = createCommandProgress(process.stderr, name);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}
