import { hkdfSync, randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseKeySet } from '../shared/crypto/key-set.ts';
import { parseSigningKey } from '../shared/crypto/signing-key.ts';
import { parseObject } from '../shared/parse-object.ts';
import type { Secrets } from '../shared/secret-names.ts';
import {
  createPrivateFile,
  createPrivateFolder,
  readFileIfExists,
  writePrivateFile,
} from './private-file.ts';

const SECRETS_FILE_NAME = 'secrets.json';

/** The secrets file is missing or unreadable, and new secrets would make stored data unreadable. */
export class SecretsMissingError extends Error {
  constructor(path: string, reason: string) {
    super(
      `${path} ${reason}. Data in the database may be readable only with its secrets: ` +
        'restore the file from a backup of the data folder, or set the secrets in the environment.',
    );
    this.name = 'SecretsMissingError';
  }
}

export function getSecretsPath(dataDir: string): string {
  return join(dataDir, SECRETS_FILE_NAME);
}

/**
 * Load the secrets of `secrets.json` (mode 0600) but encryption keys, or create them; existing ones never change.
 * @param options.mayGenerate only while the database is empty
 * @throws SecretsMissingError
 */
export async function loadOrCreateStoredSecrets(options: {
  dataDir: string;
  mayGenerate: boolean;
}): Promise<Secrets> {
  const path = getSecretsPath(options.dataDir);
  const text = await readFileIfExists(path);
  if (text !== undefined) {
    await chmod(path, 0o600);
    return parseSecrets(path, await addSigningKeyIfMissing(path, text));
  }
  if (!options.mayGenerate) throw new SecretsMissingError(path, 'is missing');
  await createPrivateFolder(resolve(options.dataDir));
  await createPrivateFile(path, `${JSON.stringify(generateSecrets(), null, 2)}\n`);
  // Read back: another process may have been first.
  return parseSecrets(path, (await readFileIfExists(path)) ?? '');
}

/** Read the secrets of `secrets.json` without creating or changing anything; null where it is missing. */
export async function readStoredSecrets(dataDir: string): Promise<Secrets | null> {
  const path = getSecretsPath(dataDir);
  const text = await readFileIfExists(path);
  return text === undefined ? null : parseSecrets(path, text);
}

/** Read keys that earlier versions stored in `secrets.json`, in the format of their variable. */
export async function readLegacyEncryptionKeys(dataDir: string): Promise<string | undefined> {
  const path = getSecretsPath(dataDir);
  const stored = parseObject((await readFileIfExists(path)) ?? '');
  return 'ENCRYPTION_KEYS' in stored ? readKeySetVariable(path, stored, 'ENCRYPTION_KEYS') : undefined;
}

/** Remove the encryption keys from `secrets.json`. Only once they are safe elsewhere. */
export async function removeLegacyEncryptionKeys(dataDir: string): Promise<void> {
  const path = getSecretsPath(dataDir);
  const { ENCRYPTION_KEYS: _moved, ...rest } = parseObject((await readFileIfExists(path)) ?? '');
  await writePrivateFile(path, `${JSON.stringify(rest, null, 2)}\n`);
}

function generateSecrets(): Secrets {
  return {
    JWT_SECRET: generateKey(),
    HASH_SECRET: generateKey(),
    PASSWORD_PEPPERS: `k1:${generateKey()}`,
    AUDIT_SIGNING_KEY: generateKey(),
  };
}

/** Add a missing signing key, derived from a secret so that parallel processes write the same. */
async function addSigningKeyIfMissing(path: string, text: string): Promise<string> {
  const stored = parseObject(text);
  const { HASH_SECRET: secret } = stored;
  if ('AUDIT_SIGNING_KEY' in stored || typeof secret !== 'string' || secret === '') return text;
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'qr-profile-service/audit-signing-key/v1', 32));
  const completed = `${JSON.stringify({ ...stored, AUDIT_SIGNING_KEY: key.toString('base64') }, null, 2)}\n`;
  await writePrivateFile(path, completed);
  return completed;
}

function generateKey(): string {
  return randomBytes(32).toString('base64');
}

function parseSecrets(path: string, text: string): Secrets {
  const stored = parseObject(text);
  return {
    JWT_SECRET: readSecret(path, stored, 'JWT_SECRET'),
    HASH_SECRET: readSecret(path, stored, 'HASH_SECRET'),
    PASSWORD_PEPPERS: readKeySetVariable(path, stored, 'PASSWORD_PEPPERS'),
    AUDIT_SIGNING_KEY: readKeySetVariable(path, stored, 'AUDIT_SIGNING_KEY'),
  };
}

function readSecret(path: string, stored: Record<string, unknown>, name: keyof Secrets): string {
  const value = stored[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new SecretsMissingError(path, `is invalid (no ${name})`);
}

function readKeySetVariable(
  path: string,
  stored: Record<string, unknown>,
  name: 'PASSWORD_PEPPERS' | 'ENCRYPTION_KEYS' | 'AUDIT_SIGNING_KEY',
): string {
  const value = readSecret(path, stored, name);
  try {
    if (name === 'AUDIT_SIGNING_KEY') parseSigningKey(value);
    else parseKeySet(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    throw new SecretsMissingError(path, `is invalid (${name}: ${reason})`);
  }
  return value;
}
