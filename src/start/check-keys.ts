import { insertAuditEntry } from '../platform/audit.repository.ts';
import type { Database, Db, Tx } from '../platform/database.ts';
import {
  type EncryptionKeyRecord,
  findEncryptionKeyRecords,
  insertEncryptionKeyRecords,
  lockKeyChecks,
  markEncryptionKeyPromoted,
} from '../platform/encryption-keys.repository.ts';
import { listSecretChecks, type SecretCheck } from '../platform/secret-checks.repository.ts';
import {
  computeKeyCheckValues,
  findKeyCheckProblems,
  type KeySet,
  parseKeySet,
} from '../shared/crypto/key-set.ts';
import type { Secrets } from '../shared/secret-names.ts';
import { findSecretProblems, recordSecrets } from './check-secrets.ts';

/** The secrets differ from those that the database was written with. */
export class WrongKeysError extends Error {
  constructor(problems: readonly string[]) {
    super(`The keys do not match the database:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'WrongKeysError';
  }
}

/** Peppers are checked like keys, under prefixed ids. */
const PEPPER_ID_PREFIX = 'pepper.';

/**
 * Compare keys, peppers and secrets with the check values in the database and record new ones. Retired keys may be
 * missing.
 * @throws WrongKeysError when stored data could not be decrypted, or a retired key would encrypt
 */
export async function verifyKeysMatchDatabase(
  database: Database,
  secrets: Secrets,
  keySet: KeySet,
): Promise<void> {
  const pepperSet = parseKeySet(secrets.PASSWORD_PEPPERS);
  const checks = [
    ...computeKeyCheckValues(keySet),
    ...computeKeyCheckValues(pepperSet).map(({ id, checkValue }) => ({
      id: PEPPER_ID_PREFIX + id,
      checkValue,
    })),
  ];
  await database.transaction(async (tx) => {
    // If several first starts run in parallel with different keys, one records its keys and the others fail.
    await lockKeyChecks(tx);
    const problems = await findKeyProblems(tx, secrets, keySet);
    if (problems.length > 0) throw new WrongKeysError(problems);
    const stored = await findEncryptionKeyRecords(tx);
    await recordSecrets(tx, secrets);
    const isNew = checks.some(({ id }) => !stored.some((known) => known.id === id));
    const isPromoted = stored.some(({ id, promotedAt }) => id === keySet.primary && promotedAt !== null);
    if (isNew || !isPromoted) await recordActiveEncryptionKeys(tx, checks, keySet.primary, 'start');
  });
}

/** Find what `verifyKeysMatchDatabase` would refuse, without recording anything. */
export async function findKeyProblems(db: Db, secrets: Secrets, keySet: KeySet): Promise<string[]> {
  const checks = { keys: await findEncryptionKeyRecords(db), secrets: await listSecretChecks(db) };
  return findCheckValueProblems(checks, secrets, keySet);
}

type KeyCheckRecord = Pick<EncryptionKeyRecord, 'id' | 'checkValue' | 'retiredAt'>;

/** Find which check values of a database or a backup these secrets do not match. */
export function findCheckValueProblems(
  checks: { keys: readonly KeyCheckRecord[]; secrets: readonly SecretCheck[] },
  secrets: Secrets,
  keySet: KeySet,
): string[] {
  const pepperSet = parseKeySet(secrets.PASSWORD_PEPPERS);
  return [
    ...findStoredKeyProblems(checks.keys, keySet, pepperSet),
    ...findSecretProblems(checks.secrets, secrets),
  ];
}

function findStoredKeyProblems(
  stored: readonly KeyCheckRecord[],
  keySet: KeySet,
  pepperSet: KeySet,
): string[] {
  const keys = stored.filter(({ id }) => !id.startsWith(PEPPER_ID_PREFIX));
  const peppers = stored.filter(({ id }) => id.startsWith(PEPPER_ID_PREFIX));
  return [
    ...findKeyCheckProblems(keySet, keys.filter(isKeyActive)).map((line) => `ENCRYPTION_KEYS: ${line}`),
    ...keys
      .filter((key) => !isKeyActive(key) && key.id === keySet.primary)
      .map(({ id }) => `ENCRYPTION_KEYS: key ${id} is retired and cannot be the primary key`),
    ...findKeyCheckProblems(
      pepperSet,
      peppers.map(({ id, checkValue }) => ({ id: id.slice(PEPPER_ID_PREFIX.length), checkValue })),
    ).map((line) => `PASSWORD_PEPPERS: ${line}`),
  ];
}

/** Record active keys and the primary one, each with an audit entry the first time. */
export async function recordActiveEncryptionKeys(
  tx: Tx,
  checks: readonly { id: string; checkValue: string }[],
  primary: string | null,
  operation: string,
): Promise<void> {
  const common = { outcome: 'SUCCESS', operation, requestId: operation } as const;
  for (const id of await insertEncryptionKeyRecords(tx, checks))
    await insertAuditEntry(tx, { ...common, action: 'KEY_ADDED', resourceId: id });
  if (primary !== null && (await markEncryptionKeyPromoted(tx, primary)))
    await insertAuditEntry(tx, { ...common, action: 'KEY_PROMOTED', resourceId: primary });
}

function isKeyActive({ retiredAt }: KeyCheckRecord): boolean {
  return retiredAt === null;
}
