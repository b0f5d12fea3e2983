import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { RolePasswords } from './postgres-roles.ts';
import { getErrorCode, readFileIfExists, writePrivateFile } from './private-file.ts';

export interface DatabaseAccess {
  port: number;
  passwords: RolePasswords;
}

export interface DatabaseAddresses {
  /** Owns and migrates the schema. */
  ownerUrl: string;
  applicationUrl: string;
  reportingUrl: string;
}

const ACCESS_FILES = {
  qr_owner: 'database-url',
  qr_app: 'database-url-app',
  qr_reporting: 'reporting-url',
} as const;

export function generatePasswords(): RolePasswords {
  const password = () => randomBytes(24).toString('base64url');
  return { qr_owner: password(), qr_app: password(), qr_reporting: password() };
}

export function toDatabaseAddresses({ port, passwords }: DatabaseAccess): DatabaseAddresses {
  const url = (role: keyof RolePasswords) => `postgresql://${role}:${passwords[role]}@127.0.0.1:${port}/qr`;
  return { ownerUrl: url('qr_owner'), applicationUrl: url('qr_app'), reportingUrl: url('qr_reporting') };
}

/** Read the three files of a data folder; undefined unless all are valid. */
export async function readDatabaseAccess(dataDir: string): Promise<DatabaseAccess | undefined> {
  const [owner, application, reporting] = await Promise.all([
    readAddress(dataDir, 'qr_owner'),
    readAddress(dataDir, 'qr_app'),
    readAddress(dataDir, 'qr_reporting'),
  ]);
  if (!owner || !application || !reporting) return undefined;
  const passwords = {
    qr_owner: owner.password,
    qr_app: application.password,
    qr_reporting: reporting.password,
  };
  return { port: owner.port, passwords };
}

/** Write the changed ones of the three files, mode 0600. */
export async function writeDatabaseAccess(dataDir: string, access: DatabaseAccess): Promise<void> {
  const { ownerUrl, applicationUrl, reportingUrl } = toDatabaseAddresses(access);
  await writeIfChanged(join(dataDir, ACCESS_FILES.qr_owner), `${ownerUrl}\n`);
  await writeIfChanged(join(dataDir, ACCESS_FILES.qr_app), `${applicationUrl}\n`);
  await writeIfChanged(join(dataDir, ACCESS_FILES.qr_reporting), `${reportingUrl}\n`);
}

/** Delete the three files: while passwords change, an incomplete set forces another change. */
export async function removeDatabaseAccess(dataDir: string): Promise<void> {
  for (const file of Object.values(ACCESS_FILES)) await rm(join(dataDir, file), { force: true });
}

/** Check all passwords on the running server. @throws the driver's error when the server is unreachable */
export async function arePasswordsAccepted(access: DatabaseAccess): Promise<boolean> {
  const answers = await Promise.all(Object.values(toDatabaseAddresses(access)).map(isPasswordAccepted));
  return answers.every(Boolean);
}

async function isPasswordAccepted(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    // Class 28: wrong password or unknown role; 3D000: unknown database.
    if (/^(28|3D)/.test(getErrorCode(error) ?? '')) return false;
    throw error;
  } finally {
    await client.end();
  }
}

async function writeIfChanged(path: string, text: string): Promise<void> {
  if ((await readFileIfExists(path)) !== text) await writePrivateFile(path, text);
}

async function readAddress(
  dataDir: string,
  role: keyof RolePasswords,
): Promise<{ port: number; password: string } | undefined> {
  const text = (await readFileIfExists(join(dataDir, ACCESS_FILES[role])))?.trim() ?? '';
  if (!URL.canParse(text)) return undefined;
  const { username, password, port } = new URL(text);
  return username === role && password !== '' && port !== '' ? { port: Number(port), password } : undefined;
}
