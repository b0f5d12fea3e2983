import { chmod } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { formatKeyFile, type KeyFileEntry, parseKeyFile } from '../../shared/crypto/key-file.ts';
import {
  createPrivateFile,
  createPrivateFolder,
  readFileIfExists,
  writePrivateFile,
} from '../private-file.ts';
import { SecretsMissingError } from '../secrets-file.ts';

/** Where the file of keys is; null where the variable ENCRYPTION_KEYS holds them. */
export function getKeyFilePath(
  config: Pick<Config, 'secrets' | 'encryptionKeysFile' | 'dataDir'>,
): string | null {
  if (config.secrets.ENCRYPTION_KEYS) return null;
  return config.encryptionKeysFile ?? join(config.dataDir, 'encryption-keys.json');
}

/** The keys of a file, or undefined where there is none. Throws SecretsMissingError for a damaged one. */
export async function readKeyFile(path: string): Promise<KeyFileEntry[] | undefined> {
  const text = await readFileIfExists(path);
  if (text === undefined) return undefined;
  try {
    return parseKeyFile(text);
  } catch (error) {
    throw new SecretsMissingError(
      path,
      `is damaged (${error instanceof Error ? error.message : 'unreadable'})`,
    );
  }
}

/** Replaces the file of keys, mode 0600: a kill or a loss of power leaves the old one or the new one. */
export async function writeKeyFile(path: string, keys: readonly KeyFileEntry[]): Promise<void> {
  await writePrivateFile(path, formatKeyFile(keys));
}

/** Makes the file of keys where there is none, and answers what is in it: another process may have been first. */
export async function createKeyFile(path: string, keys: readonly KeyFileEntry[]): Promise<KeyFileEntry[]> {
  await createPrivateFolder(resolve(dirname(path)));
  const made = await createPrivateFile(path, formatKeyFile(keys));
  if (!made) await chmod(path, 0o600);
  return (await readKeyFile(path)) ?? [];
}
