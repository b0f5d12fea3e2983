import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database.ts';
import { findEncryptionKeyRecords, isDatabaseUnused } from '../../platform/encryption-keys.repository.ts';
import { ConfigError } from '../../shared/config-error.ts';
import { createKeyFileEntry, promoteKeyFileEntry } from '../../shared/crypto/key-file.ts';
import { createFixedKeyRing, type KeyRing } from '../../shared/crypto/key-ring.ts';
import { excludeKeysFromSet, parseKeySet } from '../../shared/crypto/key-set.ts';
import type { ProcessLog } from '../../shared/process-log.ts';
import { SecretsMissingError } from '../secrets-file.ts';
import { createFileKeyRing } from './file-key-ring.ts';
import { createKeyFile, getKeyFilePath, readKeyFile } from './key-file-store.ts';
import { moveKeysToKeyFile } from './move-keys.ts';

/** Open the encryption keys of the variable or the file, which is created for an unused database. */
export async function openEncryptionKeyRing(
  config: Config,
  database: Database,
  log: ProcessLog,
  mayMake = !config.production,
): Promise<KeyRing> {
  const path = getKeyFilePath(config);
  const stored = await findEncryptionKeyRecords(database.client);
  const retired = stored.flatMap(({ id, retiredAt }) => (retiredAt === null ? [] : [id]));
  if (path === null)
    return createFixedKeyRing(excludeKeysFromSet(parseKeySet(config.secrets.ENCRYPTION_KEYS ?? ''), retired));
  if (!config.production) await moveKeysToKeyFile(config.dataDir, path);
  if ((await readKeyFile(path)) === undefined) {
    if (!(await isDatabaseUnused(database.client))) throw new SecretsMissingError(path, 'is missing');
    if (!mayMake)
      throw new ConfigError([
        `ENCRYPTION_KEYS_FILE: ${path} is missing. The database is new: npm run keys -- add creates the file.`,
      ]);
    const first = createKeyFileEntry([], new Date());
    await createKeyFile(path, promoteKeyFileEntry([first], first.id));
  }
  return createFileKeyRing(path, retired, (error) => {
    log.error(
      { code: error instanceof Error ? Reflect.get(error, 'code') : undefined },
      `${path} cannot be read, keeping the current keys`,
    );
  });
}
