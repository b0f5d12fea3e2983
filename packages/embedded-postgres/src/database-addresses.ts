import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { RolePasswords } from './postgres-roles.ts';
import { getErrorCode, readFileIfExists, writePrivateFile } from './private-file.ts';

/** How to reach the embedded database: a port on this machine and a password a role. */
export interface DatabaseAccess {
  port: number;
  passwords: RolePasswords;
}

/** The addresses of the embedded database, each with its role's password. */
export interface DatabaseAddresses {
  /** Owns the schema and migrates it. */
  ownerUrl: string;
  /** What the application uses. */
  applicationUrl: string;
  /** For reading reports. */
  reportingUrl: string;
}

const ACCESS_FILES = {
  qr_owner: 'database-url',
  qr_app: 'database-url-app',
  qr_reporting: 'reporting-url',
} as const;

/** Random passwords for all roles. */
export function generatePasswords(): RolePasswords {
  const password = () => randomBytes(24).toString('base64url');
  return { qr_owner: password(), qr_app: password(), qr_reporting: password() };
}

/** The addresses as any PostgreSQL client takes them. */
export function toDatabaseAddresses({ port, passwords }: DatabaseAccess): DatabaseAddresses {
  const url = (role: keyof RolePasswords) => `postgresql://${role}:${passwords[role]}@127.0.0.1:${port}/qr`;
  return { ownerUrl: url('qr_owner'), applicationUrl: url('qr_app'), reportingUrl: url('qr_reporting') };
}

/** What the three files of a data folder say; undefined unless all are there and sound. */
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

/** Writes those of the three files that say something else, mode 0600. */
export async function writeDatabaseAccess(dataDir: string, access: DatabaseAccess): Promise<void> {
  const { ownerUrl, applicationUrl, reportingUrl } = toDatabaseAddresses(access);
  await writeIfChanged(join(dataDir, ACCESS_FILES.qr_owner), `${ownerUrl}\n`);
  await writeIfChanged(join(dataDir, ACCESS_FILES.qr_app), `${applicationUrl}\n`);
  await writeIfChanged(join(dataDir, ACCESS_FILES.qr_reporting), `${reportingUrl}\n`);
}

/** Removes the three files: while passwords change, an incomplete set says that they must change again. */
export async function removeDatabaseAccess(dataDir: string): Promise<void> {
  for (const file of Object.values(ACCESS_FILES)) await rm(join(dataDir, file), { force: true });
}

/**
 * Whether the running server knows all the passwords.
 * @throws what the driver throws where the server cannot be reached at all
 */
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
    // Class 28: wrong password or no such role; 3D000: no such database.
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
