import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database.ts';
import { findEncryptionKeyRecords, isDatabaseUnused } from '../../platform/encryption-keys.repository.ts';
import { ConfigError } from '../../shared/config-error.ts';
import {
  createKeyFileEntry,
  type KeyFileEntry,
  parseKeyVariable,
  promoteKeyFileEntry,
} from '../../shared/crypto/key-file.ts';
import { createFixedKeyRing, type KeyRing } from '../../shared/crypto/key-ring.ts';
import { excludeKeysFromSet, parseKeySet } from '../../shared/crypto/key-set.ts';
import type { ProcessLog } from '../../shared/process-log.ts';
import {
  readLegacyEncryptionKeys,
  removeLegacyEncryptionKeys,
  SecretsMissingError,
} from '../secrets-file.ts';
import { createFileKeyRing } from './file-key-ring.ts';
import { createKeyFile, getKeyFilePath, readKeyFile, writeKeyFile } from './key-file-store.ts';

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

/** Move keys of earlier versions to the key file; a kill loses none. @throws SecretsMissingError for a conflict */
async function moveKeysToKeyFile(dataDir: string, path: string): Promise<void> {
  const text = await readLegacyEncryptionKeys(dataDir);
  if (text === undefined) return;
  const movedKeys = parseKeyVariable(text, new Date());
  const fileKeys = (await readKeyFile(path)) ?? (await createKeyFile(path, movedKeys));
  const missingKeys = movedKeys.filter(({ id }) => !fileKeys.some((key) => key.id === id));
  const decryptKeys = missingKeys.map(
    (key): KeyFileEntry => ({ ...key, state: 'DECRYPT', createdAt: getOldestCreation(fileKeys) }),
  );
  if (missingKeys.length > 0) await writeKeyFile(path, [...fileKeys, ...decryptKeys]);
  const storedKeys = (await readKeyFile(path)) ?? [];
  for (const key of movedKeys) {
    const storedKey = storedKeys.find(({ id }) => id === key.id);
    if (!storedKey || (storedKey.state !== 'RETIRED' && storedKey.key !== key.key))
      throw new SecretsMissingError(path, `and secrets.json have different keys ${key.id}`);
  }
  await removeLegacyEncryptionKeys(dataDir);
}

/** Not later than the primary key, or they would count as pending. */
function getOldestCreation(keys: readonly KeyFileEntry[]): Date {
  return new Date(Math.min(...keys.map(({ createdAt }) => createdAt.getTime())));
}
