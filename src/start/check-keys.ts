import type { Database } from '../platform/database.ts';
import { addKeyChecks, findKeyChecks } from '../platform/encryption-keys.repository.ts';
import { keyChecks, keyProblems, parseKeySet } from '../shared/crypto/key-set.ts';
import type { Secrets } from '../shared/secret-names.ts';

/** The secrets are not those that the database was written with. */
export class WrongKeysError extends Error {
  constructor(problems: readonly string[]) {
    super(`The keys do not match the database:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'WrongKeysError';
  }
}

/** Peppers are checked like keys, under ids of their own. */
const PEPPER = 'pepper.';

/**
 * Compares keys and peppers with the check values in the database and notes new ones.
 * Throws WrongKeysError when something stored could not be read.
 */
export async function checkKeys(database: Database, secrets: Secrets): Promise<void> {
  const stored = await findKeyChecks(database.client);
  const peppers = stored.filter(({ id }) => id.startsWith(PEPPER));
  const keySet = parseKeySet(secrets.ENCRYPTION_KEYS);
  const pepperSet = parseKeySet(secrets.PASSWORD_PEPPERS);
  const problems = [
    ...keyProblems(
      keySet,
      stored.filter(({ id }) => !id.startsWith(PEPPER)),
    ).map((line) => `ENCRYPTION_KEYS: ${line}`),
    ...keyProblems(
      pepperSet,
      peppers.map(({ id, checkValue }) => ({ id: id.slice(PEPPER.length), checkValue })),
    ).map((line) => `PASSWORD_PEPPERS: ${line}`),
  ];
  if (problems.length > 0) throw new WrongKeysError(problems);
  const checks = [
    ...keyChecks(keySet),
    ...keyChecks(pepperSet).map(({ id, checkValue }) => ({ id: PEPPER + id, checkValue })),
  ];
  if (checks.some(({ id }) => !stored.some((known) => known.id === id)))
    await addKeyChecks(database.client, checks);
}
