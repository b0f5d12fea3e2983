import { type KeyFileEntry, parseKeyVariable } from '../../shared/crypto/key-file.ts';
import {
  readLegacyEncryptionKeys,
  removeLegacyEncryptionKeys,
  SecretsMissingError,
} from '../secrets-file.ts';
import { createKeyFile, readKeyFile, writeKeyFile } from './key-file-store.ts';

/** Move keys of earlier versions to the key file; a kill loses none. @throws SecretsMissingError for a conflict */
export async function moveKeysToKeyFile(dataDir: string, path: string): Promise<void> {
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
