import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { FileStore } from '../../providers/files/files.port.ts';
import { openProbeBucket, openProbeFolder, probeFileStore } from '../../providers/files/probe-file-store.ts';
import { loadS3Libraries } from '../../providers/files/s3/s3-connection.ts';
import { type Check, createOk, createProblem, createWarning, type Finding } from './check.ts';

const MIB = 1_048_576;

const MIN_FREE_BYTES = 100 * MIB;
const MIN_RECOMMENDED_FREE_BYTES = 1_024 * MIB;

/** Checks of the bucket or the folders of files, and of the disk. */
export function createFileChecks(config: Config): Check[] {
  const folders = config.s3
    ? [config.dataDir]
    : [...new Set([config.dataDir, join(config.dataDir, 'files'), config.uploadsDir])];
  return [
    ...listStoreChecks(config),
    {
      name: 'disk space',
      advice: 'Check the disks of DATA_DIR and UPLOADS_DIR.',
      run: () => checkDiskSpace(folders),
    },
  ];
}

function listStoreChecks({ s3, uploadsDir, dataDir }: Config): Check[] {
  if (s3)
    return (['public/', 'private/'] as const).map((prefix) => ({
      name: `bucket ${prefix}`,
      advice:
        'Check S3_ENDPOINT, S3_BUCKET, S3_REGION and the rights of the key: list, read, write and delete.',
      prepare: loadS3Libraries,
      run: () => checkBucket(openProbeBucket(s3, prefix)),
    }));
  return [
    { name: 'public files', setting: 'UPLOADS_DIR', folder: uploadsDir },
    { name: 'private files', setting: 'DATA_DIR', folder: join(dataDir, 'files') },
  ].map(({ name, setting, folder }) => {
    const advice = `Check ${setting}, its owner and its disk: this user must be able to write ${folder}.`;
    return { name, advice, run: () => checkFolder(folder, advice) };
  });
}

async function checkBucket(store: FileStore): Promise<Finding> {
  await store.prepare();
  return checkStore(store).finally(() => store.close());
}

async function checkFolder(folder: string, advice: string): Promise<Finding> {
  const stats = await stat(folder).catch(() => null);
  if (!stats) return createWarning(`${folder} does not exist`, 'The start of the service creates it.');
  if (!stats.isDirectory()) return createProblem(`${folder} is not a folder`, advice);
  return checkStore(openProbeFolder(folder));
}

async function checkStore(store: FileStore): Promise<Finding> {
  switch (await probeFileStore(store)) {
    case 'USABLE':
      return createOk('a file was written, read and deleted');
    case 'ALTERED':
      return createProblem(
        'a file was read with another content',
        'Check what answers in place of the store.',
      );
    case 'REPLACES_FILES':
      return createProblem(
        'an existing file was replaced',
        'Use a server with conditional writes (If-None-Match): files would overwrite each other.',
      );
  }
}

/** A folder that does not exist yet has no disk; the checks of files name it. */
async function checkDiskSpace(folders: readonly string[]): Promise<Finding | null> {
  const disks = await Promise.all(folders.map((folder) => findFreeSpace(folder)));
  const [smallest] = disks.filter((disk) => disk !== null).toSorted((a, b) => a.freeBytes - b.freeBytes);
  if (!smallest) return null;
  const { folder, freeBytes } = smallest;
  const found = `${Math.floor(freeBytes / MIB)} MiB free for ${folder}`;
  const advice = 'Free space or use a larger disk: uploads fail with 503 when it is full.';
  if (freeBytes < MIN_FREE_BYTES) return createProblem(found, advice);
  return freeBytes < MIN_RECOMMENDED_FREE_BYTES ? createWarning(found, advice) : createOk(found);
}

async function findFreeSpace(folder: string): Promise<{ folder: string; freeBytes: number } | null> {
  const stats = await statfs(folder).catch(() => null);
  return stats && { folder, freeBytes: stats.bavail * stats.bsize };
}
