import type { Config } from '../config.ts';
import type { Database } from '../platform/database.ts';
import { isDatabaseUnused } from '../platform/encryption-keys.repository.ts';
import { SECRET_VARIABLE_NAMES, type Secrets } from '../shared/secret-names.ts';
import { loadOrCreateStoredSecrets, readStoredSecrets } from './secrets-file.ts';

/**
 * Open the secrets except for keys in a file; outside production, missing ones come from the data folder.
 * @throws SecretsMissingError
 */
export async function loadServiceSecrets(config: Config, database: Database): Promise<Secrets> {
  const configured = config.secrets;
  const missing = SECRET_VARIABLE_NAMES.filter((name) => name !== 'ENCRYPTION_KEYS' && !configured[name]);
  if (hasAllSecrets(configured)) return { ...configured };
  if (config.production) throw new Error(`Required in production: ${missing.join(', ')}.`);
  // A new signing key makes nothing unreadable; the others would.
  const isHarmless = missing.every((name) => name === 'AUDIT_SIGNING_KEY');
  const mayGenerate = isHarmless || (await isDatabaseUnused(database.client));
  return { ...(await loadOrCreateStoredSecrets({ dataDir: config.dataDir, mayGenerate })), ...configured };
}

/** Read the secrets that a start would use, without creating any; null where it would create them. */
export async function readServiceSecrets(
  config: Pick<Config, 'secrets' | 'production' | 'dataDir'>,
): Promise<Secrets | null> {
  const configured = config.secrets;
  if (hasAllSecrets(configured)) return { ...configured };
  const stored = config.production ? null : await readStoredSecrets(config.dataDir);
  return stored && { ...stored, ...configured };
}

function hasAllSecrets(configured: Readonly<Partial<Secrets>>): configured is Secrets {
  return SECRET_VARIABLE_NAMES.every((name) => name === 'ENCRYPTION_KEYS' || configured[name]);
}
