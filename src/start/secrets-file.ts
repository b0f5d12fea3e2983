import { hkdfSync, randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseKeySet } from '../shared/crypto/key-set.ts';
import { parseSigningKey } from '../shared/crypto/signing-key.ts';
import type { Secrets } from '../shared/secret-names.ts';
import {
  createPrivateFile,
  createPrivateFolder,
  readFileIfExists,
  writePrivateFile,
} from './private-file.ts';

const SECRETS_FILE_NAME = 'secrets.json';

/** The file of secrets is missing or unreadable, and new ones would make what is stored unreadable. */
export class SecretsMissingError extends Error {
  constructor(path: string, why: string) {
    super(
      `${path} ${why}, and the database holds data that only the secrets in it can read. ` +
        'Put the file back from your copy of the data folder, or give the secrets in the environment.',
    );
    this.name = 'SecretsMissingError';
  }
}

/**
 * The secrets of a data folder but for its encryption keys, made once and kept in `secrets.json` (mode 0600). What is
 * in it is never changed; a file from before there was a signing key gets one.
 * @param options.mayGenerate whether new ones may be made: only while the database is empty
 * @throws SecretsMissingError
 */
export async function loadSecrets(options: { dataDir: string; mayGenerate: boolean }): Promise<Secrets> {
  const path = join(options.dataDir, SECRETS_FILE_NAME);
  const text = await readFileIfExists(path);
  if (text !== undefined) {
    await chmod(path, 0o600);
    return parseSecrets(path, await addSigningKeyIfMissing(path, text));
  }
  if (!options.mayGenerate) throw new SecretsMissingError(path, 'is missing');
  await createPrivateFolder(resolve(options.dataDir));
  await createPrivateFile(path, `${JSON.stringify(generateSecrets(), null, 2)}\n`);
  // Read back: another process may have been first, and then its secrets count.
  return parseSecrets(path, (await readFileIfExists(path)) ?? '');
}

/**
 * The encryption keys in `secrets.json`, where an earlier version kept them, as their variable has them; undefined
 * where there are none. Throws SecretsMissingError when they are damaged.
 */
export async function readStoredKeys(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, SECRETS_FILE_NAME);
  const stored = parseObject((await readFileIfExists(path)) ?? '');
  return 'ENCRYPTION_KEYS' in stored ? readKeySetVariable(path, stored, 'ENCRYPTION_KEYS') : undefined;
}

/** Takes the encryption keys out of `secrets.json` and leaves all else. Only once they are safe somewhere else. */
export async function removeStoredKeys(dataDir: string): Promise<void> {
  const path = join(dataDir, SECRETS_FILE_NAME);
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

/**
 * Adds the signing key to a file that has none. It is derived from a secret of the file, so that two processes that
 * do this at once write the same.
 */
async function addSigningKeyIfMissing(path: string, text: string): Promise<string> {
  const stored = parseObject(text);
  const { HASH_SECRET: secret } = stored;
  if ('AUDIT_SIGNING_KEY' in stored || typeof secret !== 'string' || secret === '') return text;
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'qr-profile-service/audit-signing-key/v1', 32));
  const added = `${JSON.stringify({ ...stored, AUDIT_SIGNING_KEY: key.toString('base64') }, null, 2)}\n`;
  await writePrivateFile(path, added);
  return added;
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
  throw new SecretsMissingError(path, `is damaged (no ${name})`);
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
    const why = error instanceof Error ? error.message : 'unreadable';
    throw new SecretsMissingError(path, `is damaged (${name}: ${why})`);
  }
  return value;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
