import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Test } from 'tap';
import { type KeyState, parseKeyFile } from '../../src/shared/crypto/key-file.ts';
import { TEST_SECRETS, type TestApp } from '../helper.ts';
import { runCommand } from './run-command.ts';

/** The settings by which a command finds the database and the keys of a running test application. */
export function getCommandSettings({ services, dataDir }: TestApp): Record<string, string> {
  const { databaseUrl = '', encryptionKeysFile = '' } = services.config;
  const owner = new URL(process.env.TEST_OWNER_URL ?? '');
  owner.pathname = new URL(databaseUrl).pathname;
  const { ENCRYPTION_KEYS: _inFile, ...secrets } = TEST_SECRETS;
  return {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    DATABASE_OWNER_URL: owner.href,
    ENCRYPTION_KEYS_FILE: encryptionKeysFile,
    ...secrets,
  };
}

/** Runs one of the commands on the keys as a process of its own. */
export const runKeysCommand = (environment: Record<string, string>, ...words: string[]) =>
  runCommand('keys', environment, ...words);

/** Runs one statement as the owner of a test application's database. */
export async function queryAsOwner(app: TestApp, sql: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: getCommandSettings(app).DATABASE_OWNER_URL });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** A path for a file of keys, whose folder is removed after the test. */
export async function createKeyFilePath(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'qr-keys-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'keys.json');
}

/** The state of each key of a file. */
export async function readKeyStates(file: string): Promise<Record<string, KeyState>> {
  const keys = parseKeyFile(await readFile(file, 'utf8'));
  return Object.fromEntries(keys.map(({ id, state }) => [id, state]));
}

/** The encrypted content of a code as it is stored. */
export async function readEncryptedData(app: TestApp, id = ''): Promise<Uint8Array> {
  return (await app.database.client.qrCode.findUniqueOrThrow({ where: { id } })).data ?? Buffer.alloc(0);
}
