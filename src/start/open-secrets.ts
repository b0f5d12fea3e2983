import type { Config } from '../config.ts';
import type { Database } from '../platform/database.ts';
import { isUnused } from '../platform/encryption-keys.repository.ts';
import { loadSecrets } from '../sandbox/secrets-file.ts';
import type { Secrets } from '../shared/secret-names.ts';

/**
 * The secrets of the service but for encryption keys in a file: those of the environment, and outside production the
 * rest from the data folder, made there once for a database that nobody has used. Throws SecretsMissingError.
 */
export async function openSecrets(config: Config, database: Database): Promise<Secrets> {
  const given = config.secrets;
  const { JWT_SECRET, HASH_SECRET, PASSWORD_PEPPERS, ENCRYPTION_KEYS } = given;
  if (JWT_SECRET && HASH_SECRET && PASSWORD_PEPPERS) {
    return { JWT_SECRET, HASH_SECRET, PASSWORD_PEPPERS, ENCRYPTION_KEYS };
  }
  if (config.production) {
    throw new Error('In production these must be given: JWT_SECRET, HASH_SECRET, PASSWORD_PEPPERS.');
  }
  const kept = await loadSecrets({ dataDir: config.dataDir, mayGenerate: await isUnused(database.client) });
  return { ...kept, ...given };
}
