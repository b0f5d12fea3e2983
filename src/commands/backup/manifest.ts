import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { createKeyedHashFunction, timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { readFileIfExists, writePrivateFile } from '../../start/private-file.ts';

export const MANIFEST_FILE = 'manifest.json';

/** The files of a backup or the objects of its bucket, one a line of JSON. */
export const FILE_LIST = 'files.jsonl.gz';

export const KEYS_FILE = 'keys.age';

const FORMAT = 1;

const Part = Type.Object({
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

// Names become parts of paths.
const Name = Type.String({ pattern: '^[a-z_][a-z0-9_]{0,62}$' });

const Table = Type.Object({
  schema: Name,
  name: Name,
  columns: Type.Array(Name, { minItems: 1 }),
  rows: Type.Integer({ minimum: 0 }),
  part: Part,
});

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  serviceVersion: Type.String(),
  /** What was committed before is in the backup. */
  createdAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  database: Type.Object({
    serverVersion: Type.String(),
    /** Position in the WAL when the snapshot was taken. */
    lsn: Type.String(),
    migrations: Type.Array(Type.String(), { minItems: 1 }),
    queues: Type.Array(Type.String()),
    scanPartitions: Type.Array(Name),
    tables: Type.Array(Table),
  }),
  /** Check values, which reveal nothing about a key. */
  keys: Type.Object({
    encryption: Type.Array(
      Type.Object({
        id: Type.String(),
        checkValue: Type.String(),
        retiredAt: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    secrets: Type.Array(Type.Object({ name: Type.String(), checkValue: Type.String() })),
    /** Whether the keys were written, encrypted. */
    areIncluded: Type.Boolean(),
  }),
  files: Type.Object({
    /** Null where the files themselves are in the backup. */
    bucket: Type.Union([Type.String(), Type.Null()]),
    count: Type.Integer({ minimum: 0 }),
    bytes: Type.Integer({ minimum: 0 }),
    part: Part,
  }),
  /** HMAC-SHA-256 of the rest, in hexadecimal. Without: written without the keys, or by an earlier version. */
  mac: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
});

export type BackupPart = Static<typeof Part>;
export type BackupTable = Static<typeof Table>;
export type BackupManifest = Static<typeof Manifest>;

/** The folder is no complete backup, or a part of it is not what was written. */
export class InvalidBackupError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidBackupError';
  }
}

/** The target or its keys are not right for a restore. Nothing was changed. */
export class RestoreRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RestoreRefusedError';
  }
}

export type ManifestContent = Omit<BackupManifest, 'format' | 'mac'>;

/** Write the manifest, with a MAC unless `hashSecret` is null. */
export async function writeManifest(
  folder: string,
  manifest: ManifestContent,
  hashSecret: string | null,
): Promise<void> {
  const content = { format: FORMAT, ...manifest } as const;
  const authenticated = hashSecret === null ? content : { ...content, mac: computeMac(content, hashSecret) };
  await writePrivateFile(join(folder, MANIFEST_FILE), `${JSON.stringify(authenticated, null, 2)}\n`);
}

/** Assert that whoever wrote the manifest, and so the hash of each part, had the secret. @throws InvalidBackupError */
export function verifyMac({ mac = '', ...content }: BackupManifest, hashSecret: string): void {
  if (!timingSafeEquals(mac, computeMac(content, hashSecret)))
    throw new InvalidBackupError(`${MANIFEST_FILE} is not what was written: its MAC differs.`);
}

function computeMac(content: Omit<BackupManifest, 'mac'>, hashSecret: string): string {
  return createKeyedHashFunction(hashSecret)('backup-manifest', JSON.stringify(content)).toString('hex');
}

/** @throws InvalidBackupError */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, MANIFEST_FILE);
  const text = await readFileIfExists(path);
  if (text === undefined)
    throw new InvalidBackupError(`${folder} is not a complete backup: it has no ${MANIFEST_FILE}.`);
  const value = parseJson(text);
  if (Value.Check(Manifest, value)) return value;
  throw new InvalidBackupError(`${path} is not the manifest of a backup in format ${FORMAT}.`);
}

export function getTableFile({ schema, name }: Pick<BackupTable, 'schema' | 'name'>): string {
  return join('database', `${schema}.${name}.copy.gz`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
