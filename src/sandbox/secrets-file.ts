import { hkdfSync, randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseKeySet } from '../shared/crypto/key-set.ts';
import { readSigningKey } from '../shared/crypto/signing-key.ts';
import type { Secrets } from '../shared/secret-names.ts';
import { createPrivateFile, makePrivateFolder, readIfThere, writePrivateFile } from './private-file.ts';

const FILE = 'secrets.json';

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
 * The secrets of a data folder, made once and kept in `secrets.json` (mode 0600). What is in it is never
 * changed; a file from before there was a signing key gets one.
 * @param options.mayGenerate whether new ones may be made: only while the database is empty
 * @throws SecretsMissingError
 */
export async function loadSecrets(options: { dataDir: string; mayGenerate: boolean }): Promise<Secrets> {
  const path = join(options.dataDir, FILE);
  const text = await readIfThere(path);
  if (text !== undefined) {
    await chmod(path, 0o600);
    return parseSecrets(path, await withSigningKey(path, text));
  }
  if (!options.mayGenerate) throw new SecretsMissingError(path, 'is missing');
  await makePrivateFolder(resolve(options.dataDir));
  await createPrivateFile(path, `${JSON.stringify(generateSecrets(), null, 2)}\n`);
  // Read back: another process may have been first, and then its secrets count.
  return parseSecrets(path, (await readIfThere(path)) ?? '');
}

function generateSecrets(): Secrets {
  return {
    JWT_SECRET: randomKey(),
    HASH_SECRET: randomKey(),
    PASSWORD_PEPPERS: `k1:${randomKey()}`,
    ENCRYPTION_KEYS: `k1:${randomKey()}`,
    AUDIT_SIGNING_KEY: randomKey(),
  };
}

/**
 * Adds the signing key to a file that has none. It is derived from a secret of the file, so that two processes that
 * do this at once write the same.
 */
async function withSigningKey(path: string, text: string): Promise<string> {
  const stored = parseObject(text);
  const { HASH_SECRET: secret } = stored;
  if ('AUDIT_SIGNING_KEY' in stored || typeof secret !== 'string' || secret === '') return text;
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'qr-profile-service/audit-signing-key/v1', 32));
  const added = `${JSON.stringify({ ...stored, AUDIT_SIGNING_KEY: key.toString('base64') }, null, 2)}\n`;
  await writePrivateFile(path, added);
  return added;
}

function randomKey(): string {
  return randomBytes(32).toString('base64');
}

function parseSecrets(path: string, text: string): Secrets {
  const stored = parseObject(text);
  const read = (name: keyof Secrets) => {
    const value = stored[name];
    if (typeof value === 'string' && value !== '') return value;
    throw new SecretsMissingError(path, `is damaged (no ${name})`);
  };
  const readKeys = (name: 'PASSWORD_PEPPERS' | 'ENCRYPTION_KEYS' | 'AUDIT_SIGNING_KEY') => {
    const value = read(name);
    try {
      if (name === 'AUDIT_SIGNING_KEY') readSigningKey(value);
      else parseKeySet(value);
    } catch (error) {
      throw new SecretsMissingError(
        path,
        `is damaged (${name}: ${error instanceof Error ? error.message : 'unreadable'})`,
      );
    }
    return value;
  };
  return {
    JWT_SECRET: read('JWT_SECRET'),
    HASH_SECRET: read('HASH_SECRET'),
    PASSWORD_PEPPERS: readKeys('PASSWORD_PEPPERS'),
    ENCRYPTION_KEYS: readKeys('ENCRYPTION_KEYS'),
    AUDIT_SIGNING_KEY: readKeys('AUDIT_SIGNING_KEY'),
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
