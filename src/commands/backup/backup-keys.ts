import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Config } from '../../config.ts';
import { decryptWithAgeIdentities, encryptToAgeRecipient } from '../../shared/crypto/age-encryption.ts';
import {
  formatKeyFile,
  type KeyFileEntry,
  parseKeyFile,
  parseKeyVariable,
  toKeySet,
} from '../../shared/crypto/key-file.ts';
import { parseObject } from '../../shared/parse-object.ts';
import { SECRET_VARIABLE_NAMES, type Secrets } from '../../shared/secret-names.ts';
import { findCheckValueProblems } from '../../start/check-keys.ts';
import { getKeyFilePath, readKeyFile } from '../../start/keys/key-file-store.ts';
import { readServiceSecrets } from '../../start/open-secrets.ts';
import { createPrivateFile, createPrivateFolder } from '../../start/private-file.ts';
import { getSecretsPath } from '../../start/secrets-file.ts';
import { type BackupManifest, InvalidBackupError, KEYS_FILE, RestoreRefusedError } from './manifest.ts';

/** The secrets without encryption keys, and the entries of a key file. */
export interface BackupKeys {
  secrets: Secrets;
  encryptionKeys: KeyFileEntry[];
}

const SECRET_NAMES = SECRET_VARIABLE_NAMES.filter((name) => name !== 'ENCRYPTION_KEYS');

/** Read the keys of this installation, creating none; null where some are missing. */
export async function readBackupKeys(config: Config): Promise<BackupKeys | null> {
  const found = await readServiceSecrets(config);
  const path = getKeyFilePath(config);
  const encryptionKeys =
    path === null
      ? parseKeyVariable(config.secrets.ENCRYPTION_KEYS ?? '', new Date(0))
      : await readKeyFile(path);
  if (found === null || encryptionKeys === undefined) return null;
  const { ENCRYPTION_KEYS: _inEntries, ...secrets } = found;
  return { secrets, encryptionKeys };
}

/** Find which keys of a database or backup are not among these; one message for each, which names no secret. */
export function findMissingKeys(checks: BackupManifest['keys'], keys: BackupKeys | null): string[] {
  if (keys === null) return ['The secrets and encryption keys are missing.'];
  const records = checks.encryption.map(({ retiredAt, ...check }) => ({
    ...check,
    retiredAt: retiredAt === null ? null : new Date(retiredAt),
  }));
  return findCheckValueProblems(
    { keys: records, secrets: checks.secrets },
    keys.secrets,
    toKeySet(keys.encryptionKeys),
  );
}

/** Write the keys into the folder of a backup, encrypted. */
export async function writeEncryptedKeys(folder: string, keys: BackupKeys, recipient: string): Promise<void> {
  const { secrets, encryptionKeys } = keys;
  const text = JSON.stringify({ secrets, encryptionKeys: formatKeyFile(encryptionKeys) });
  const encrypted = await buffer(await encryptToAgeRecipient(recipient, Readable.from([Buffer.from(text)])));
  await writeFile(join(folder, KEYS_FILE), encrypted, { flag: 'wx', mode: 0o600, flush: true });
}

/** @throws InvalidBackupError; an error with a code where a file cannot be read */
export async function readEncryptedKeys(path: string, identityPath: string): Promise<BackupKeys> {
  const encrypted = await readFile(path);
  const identity = await readFile(identityPath, 'utf8');
  const text = await decryptWithAgeIdentities(identity, encrypted).catch((error: Error) => {
    throw new InvalidBackupError(error.message);
  });
  const { secrets, encryptionKeys } = parseObject(text);
  if (!isSecrets(secrets) || typeof encryptionKeys !== 'string')
    throw new InvalidBackupError(`${path} does not have the keys of a backup.`);
  return { secrets, encryptionKeys: parseKeyFile(encryptionKeys) };
}

/** Get the keys that a start would use after the restored ones are in their files: those of variables come first. */
export function getEffectiveKeys(config: Config, restored: BackupKeys): BackupKeys {
  const { ENCRYPTION_KEYS: variable, ...configured } = config.secrets;
  return {
    secrets: { ...restored.secrets, ...configured },
    encryptionKeys: variable ? parseKeyVariable(variable, new Date(0)) : restored.encryptionKeys,
  };
}

/** Get the files of an installation that does not have its keys in variables. */
export function getKeyPaths(config: Config): KeyPaths {
  return { secrets: getSecretsPath(config.dataDir), encryptionKeys: getKeyFilePath(config) };
}

interface KeyPaths {
  secrets: string;
  /** Null where a variable has them. */
  encryptionKeys: string | null;
}

/** Write the keys into files with mode 0600. @throws RestoreRefusedError where a file exists with other keys */
export async function writeKeyFiles(paths: KeyPaths, keys: BackupKeys): Promise<void> {
  await createKeyFile(paths.secrets, `${JSON.stringify(keys.secrets, null, 2)}\n`);
  if (paths.encryptionKeys !== null)
    await createKeyFile(paths.encryptionKeys, formatKeyFile(keys.encryptionKeys));
}

async function createKeyFile(path: string, text: string): Promise<void> {
  await createPrivateFolder(dirname(path));
  const isWritten = await createPrivateFile(path, text);
  if (!isWritten && (await readFile(path, 'utf8')) !== text)
    throw new RestoreRefusedError(`${path} exists and has other keys. Move it away first.`);
}

function isSecrets(value: unknown): value is Secrets {
  if (typeof value !== 'object' || value === null) return false;
  return SECRET_NAMES.every((name) => typeof Reflect.get(value, name) === 'string');
}
