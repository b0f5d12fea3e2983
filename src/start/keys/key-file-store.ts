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

export function getKeyFilePath(
  config: Pick<Config, 'secrets' | 'encryptionKeysFile' | 'dataDir'>,
): string | null {
  if (config.secrets.ENCRYPTION_KEYS) return null;
  return config.encryptionKeysFile ?? join(config.dataDir, 'encryption-keys.json');
}

export async function readKeyFile(path: string): Promise<KeyFileEntry[] | undefined> {
  const text = await readFileIfExists(path);
  if (text === undefined) return undefined;
  try {
    return parseKeyFile(text);
  } catch (error) {
    throw new SecretsMissingError(
      path,
      `is invalid (${error instanceof Error ? error.message : 'unreadable'})`,
    );
  }
}

/** Replace the key file atomically, mode 0600. */
export async function writeKeyFile(path: string, keys: readonly KeyFileEntry[]): Promise<void> {
  await writePrivateFile(path, formatKeyFile(keys));
}

export async function createKeyFile(path: string, keys: readonly KeyFileEntry[]): Promise<KeyFileEntry[]> {
  await createPrivateFolder(resolve(dirname(path)));
  const isCreated = await createPrivateFile(path, formatKeyFile(keys));
  if (!isCreated) await chmod(path, 0o600);
  return (await readKeyFile(path)) ?? [];
}
