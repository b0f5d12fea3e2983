import { insertAuditEntry } from '../platform/audit.repository.ts';
import type { Database, Db } from '../platform/database.ts';
import {
  insertMissingSecretChecks,
  replaceSecretCheck,
  type SecretCheck,
} from '../platform/secret-checks.repository.ts';
import { createKeyedHashFunction, timingSafeEquals } from '../shared/crypto/keyed-hash.ts';
import { CHECKED_SECRET_NAMES, type CheckedSecretName, type Secrets } from '../shared/secret-names.ts';

/** Find secrets that differ from those that the database was used with. */
export function findSecretProblems(storedChecks: readonly SecretCheck[], secrets: Secrets): string[] {
  const checks = CHECKED_SECRET_NAMES.map((name) => computeSecretCheck(secrets, name));
  const stored = new Map(storedChecks.map(({ name, checkValue }) => [name, checkValue]));
  return checks
    .filter(({ name, checkValue }) => !timingSafeEquals(stored.get(name) ?? checkValue, checkValue))
    .map(
      ({ name }) =>
        `${name}: differs from the one used with this database. To replace it on purpose: npm run maintenance -- accept-secret ${name}`,
    );
}

/** Record secrets that are new to the database. */
export async function recordSecrets(db: Db, secrets: Secrets): Promise<void> {
  const checks = CHECKED_SECRET_NAMES.map((name) => computeSecretCheck(secrets, name));
  await insertMissingSecretChecks(db, checks);
}

/** Accept a secret in place of the previous one; false when it is the same. */
export async function acceptSecret(
  { client, transaction }: Pick<Database, 'client' | 'transaction'>,
  secrets: Secrets,
  name: CheckedSecretName,
): Promise<boolean> {
  const check = computeSecretCheck(secrets, name);
  await insertMissingSecretChecks(client, [check]);
  return transaction(async (tx) => {
    if (!(await replaceSecretCheck(tx, check))) return false;
    const entry = { operation: 'secrets:accept', requestId: 'command', resourceId: name } as const;
    await insertAuditEntry(tx, { ...entry, action: 'SECRET_ACCEPTED', outcome: 'SUCCESS' });
    return true;
  });
}

function computeSecretCheck(secrets: Secrets, name: CheckedSecretName): SecretCheck {
  const hash = createKeyedHashFunction(secrets[name]);
  return { name, checkValue: hash('secret-check', name).toString('hex').slice(0, 32) };
}
