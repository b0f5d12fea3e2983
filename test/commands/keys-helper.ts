import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Test } from 'tap';
import { type EncryptionKeyState, parseKeyFile } from '../../src/shared/crypto/key-file.ts';
import { TEST_SECRETS, type TestApp } from '../helper.ts';
import { runCommand, runCommandInProcess } from './run-command.ts';

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

export const runKeysCommand = (environment: Record<string, string>, ...words: string[]) =>
  runCommand('keys', environment, ...words);

export const runKeysCommandInProcess = (environment: Record<string, string>, ...words: string[]) =>
  runCommandInProcess('keys', environment, ...words);

export async function queryAsOwner(app: TestApp, sql: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: getCommandSettings(app).DATABASE_OWNER_URL });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

export async function createKeyFilePath(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'qr-keys-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'keys.json');
}

export async function readKeyStates(file: string): Promise<Record<string, EncryptionKeyState>> {
  const keys = parseKeyFile(await readFile(file, 'utf8'));
  return Object.fromEntries(keys.map(({ id, state }) => [id, state]));
}

export async function readEncryptedData(app: TestApp, id = ''): Promise<Uint8Array> {
  return (await app.database.client.qrCode.findUniqueOrThrow({ where: { id } })).data ?? Buffer.alloc(0);
}
