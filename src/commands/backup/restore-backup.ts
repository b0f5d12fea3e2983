import { type Config, loadConfig } from '../../config.ts';
import { verifyDatabaseAuditTrail } from '../../features/audit/index.ts';
import { checkStoredFileConsistency } from '../../features/system/index.ts';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import { openFileStores } from '../../providers/files/open-file-stores.ts';
import type { Services } from '../../services.ts';
import type { DatabaseServer } from '../../start/open-database.ts';
import { COMMAND_LOG, runWithDatabaseServer, runWithServicesOnServer } from '../command-context.ts';
import { formatCountWithNoun } from '../format-count.ts';
import { createCommandProgress } from '../progress.ts';
import type { BackupFileEntry, FileStores } from './backup-files.ts';
import {
  type BackupKeys,
  findMissingKeys,
  getEffectiveKeys,
  getKeyPaths,
  readBackupKeys,
  readEncryptedKeys,
  writeKeyFiles,
} from './backup-keys.ts';
import {
  type BackupManifest,
  FILE_LIST,
  getTableFile,
  RestoreRefusedError,
  readManifest,
  verifyMac,
} from './manifest.ts';
import { verifyPart } from './part-file.ts';
import { assertDatabaseRestorable, restoreDatabase } from './restore-database.ts';
import { assertFileStoresEmpty, compareBucket, restoreFiles } from './restore-files.ts';

interface RestoreOptions {
  from: string;
  identity: string | undefined;
  /** The file of the encrypted keys. */
  keys: string;
  withoutKeys: boolean;
  /** Whether to accept a backup without a MAC. */
  unverified: boolean;
  signal: AbortSignal;
}

interface Restore extends RestoreOptions {
  config: Config;
  manifest: BackupManifest;
  stores: FileStores;
  /** To be written into the data folder. */
  restoredKeys: BackupKeys | null;
  missingKeys: string[];
  problems: string[];
}

/** Restore a backup after all checks that change nothing, then verify it; returns the exit code. */
export async function restoreBackup(options: RestoreOptions): Promise<number> {
  const config = loadConfig(process.env);
  const manifest = await readManifest(options.from);
  await verifyParts(options, manifest);
  const { publicFiles, privateFiles, closeFiles } = openFileStores(config);
  try {
    const keys = await prepareKeys(options, config, manifest);
    const restore: Restore = {
      ...options,
      config,
      manifest,
      stores: { public: publicFiles, private: privateFiles },
      restoredKeys: keys.restoredKeys,
      missingKeys: keys.missingKeys,
      problems: findMacProblems(options, manifest, keys.hashSecret),
    };
    return await runWithDatabaseServer(config, { canCreateDatabase: true }, (address) =>
      restoreToServer(restore, address),
    );
  } finally {
    await closeFiles();
  }
}

async function verifyParts({ from, signal }: RestoreOptions, manifest: BackupManifest): Promise<void> {
  const progress = createCommandProgress(process.stderr, 'checks');
  const parts = [
    ...manifest.database.tables.map((table) => ({ file: getTableFile(table), part: table.part })),
    { file: FILE_LIST, part: manifest.files.part },
  ];
  const total = parts.reduce((sum, { part }) => sum + part.bytes, 0);
  let done = 0;
  for (const { file, part } of parts) {
    await verifyPart(from, file, part, signal);
    done += part.bytes;
    progress.step(done, total);
  }
  progress.end();
}

/** @throws RestoreRefusedError where keys are missing */
async function prepareKeys(
  { identity, keys: path, withoutKeys }: RestoreOptions,
  config: Config,
  manifest: BackupManifest,
): Promise<Pick<Restore, 'restoredKeys' | 'missingKeys'> & { hashSecret: string | null }> {
  if (identity !== undefined && config.production)
    throw new RestoreRefusedError(
      'In production the keys are settings: decrypt them with --keys-to, then restore without --identity.',
    );
  const restoredKeys = identity === undefined ? null : await readEncryptedKeys(path, identity);
  const usedKeys = restoredKeys ? getEffectiveKeys(config, restoredKeys) : await readBackupKeys(config);
  const missingKeys = findMissingKeys(manifest.keys, usedKeys);
  if (missingKeys.length > 0 && !withoutKeys)
    throw new RestoreRefusedError(
      [
        'Keys of the backup are missing. What they encrypt cannot be read without them.',
        ...missingKeys.map((problem) => `  ${problem}`),
        'Use --identity, or set them. Without settings they are in secrets.json and encryption-keys.json of DATA_DIR: copy both into the new one. --without-keys restores the rest.',
      ].join('\n'),
    );
  const hashSecret = missingKeys.length === 0 ? (usedKeys?.secrets.HASH_SECRET ?? null) : null;
  return { restoredKeys, missingKeys, hashSecret };
}

/** Returns what to report about a MAC that was not verified. @throws InvalidBackupError, RestoreRefusedError */
function findMacProblems(
  { unverified }: RestoreOptions,
  manifest: BackupManifest,
  hashSecret: string | null,
): string[] {
  if (manifest.mac === undefined) {
    if (unverified) return [];
    throw new RestoreRefusedError(
      'The backup has no MAC: it was written without the keys or by an earlier version, or it was altered. If you know that nobody could alter it, use --unverified.',
    );
  }
  if (hashSecret === null) return ['The MAC of the backup was not verified: that needs the keys.'];
  verifyMac(manifest, hashSecret);
  return [];
}

async function restoreToServer(restore: Restore, address: DatabaseServer): Promise<number> {
  const { from, config, manifest, stores, restoredKeys, missingKeys, problems, signal } = restore;
  const isInBucket = manifest.files.bucket !== null;
  await assertDatabaseRestorable(address.ownerUrl, manifest);
  if (!isInBucket) await assertFileStoresEmpty(stores);
  if (restoredKeys) await writeKeyFiles(getKeyPaths(config), restoredKeys);
  for (const store of Object.values(stores)) await store.prepare();

  const files = createCommandProgress(process.stderr, 'files');
  const missingFiles = new Set<string>();
  const onMissing = ({ name }: BackupFileEntry, reason: string) => {
    missingFiles.add(name);
    problems.push(`${name}: ${reason}`);
  };
  await (isInBucket ? compareBucket : restoreFiles)(from, manifest, stores, {
    progress: files,
    signal,
    onMissing,
  });
  files.end();
  const rows = createCommandProgress(process.stderr, 'rows');
  const missingTables = await restoreDatabase(from, address.ownerUrl, manifest, {
    progress: rows,
    signal,
    log: COMMAND_LOG,
  });
  rows.end();
  problems.push(...missingTables.map((name) => `table ${name}: not in this version of the service`));

  const restored = manifest.database.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`Restored ${formatCountWithNoun(restored, 'row')} as of ${manifest.createdAt}.`);
  console.log(
    `${isInBucket ? 'Found' : 'Restored'} ${manifest.files.count - missingFiles.size} of ${formatCountWithNoun(manifest.files.count, 'file')}.`,
  );
  if (missingKeys.length === 0)
    await runWithServicesOnServer(config, address, {}, (services) =>
      verifyRestored(restore, services, missingFiles),
    );
  else
    problems.push(
      ...missingKeys,
      'The audit trail was not verified, and the service does not start like this.',
    );
  for (const problem of problems) console.error(problem);
  return problems.length === 0 ? 0 : 1;
}

/** Verify files against rows, and the audit trail. */
async function verifyRestored(
  { problems, signal }: Restore,
  services: Services,
  missingFiles: ReadonlySet<string>,
): Promise<void> {
  const files = createCommandProgress(process.stderr, 'files of rows');
  await checkStoredFileConsistency(services, {
    repair: 'NOTHING',
    onFinding: ({ problem, file }) => {
      if (problem === 'MISSING' && !missingFiles.has(file))
        problems.push(`${file}: a row refers to it, and it is missing`);
    },
    progress: files,
    signal,
  });
  files.end();
  const trail = createCommandProgress(process.stderr, 'audit trail');
  const verification = await verifyDatabaseAuditTrail(services.audit, { onProgress: trail.step, signal });
  trail.end();
  const { finding, sequence, droppedThrough } = verification;
  if (finding) problems.push(`The audit trail is invalid: ${finding.kind}. ${finding.meaning}`);
  else
    console.log(
      `The audit trail is valid: ${formatCountWithNoun(sequence - droppedThrough, 'sealed entry', 'sealed entries')}.`,
    );
  await insertAuditEntry(services.database.client, {
    action: 'DATABASE_RESTORED',
    outcome: problems.length === 0 ? 'SUCCESS' : 'FAILURE',
    operation: 'restore',
    requestId: 'command',
  });
}
