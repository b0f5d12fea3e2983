import type { Config } from '../../config.ts';
import { toKeySet } from '../../shared/crypto/key-file.ts';
import { type KeySet, parseKeySet } from '../../shared/crypto/key-set.ts';
import { findKeyProblems } from '../../start/check-keys.ts';
import { getKeyFilePath, readKeyFile } from '../../start/keys/key-file-store.ts';
import { readServiceSecrets } from '../../start/open-secrets.ts';
import { type Check, createOk, createProblem, type Finding } from './check.ts';
import type { DatabaseConnector, DoctorDatabase } from './doctor-database.ts';

/** The check that a start makes: whether the secrets are those that the database was used with. */
export function createSecretsCheck(config: Config, { inspect }: DatabaseConnector): Check {
  return {
    name: 'secrets',
    advice: 'Check the files of the secrets, and that this user may read them.',
    run: () => inspect((database) => checkSecrets(config, database)),
  };
}

/** Null before the first start, which creates secrets outside production. */
async function checkSecrets(config: Config, { client }: DoctorDatabase): Promise<Finding | null> {
  const secrets = await readServiceSecrets(config);
  const keySet = await readEncryptionKeys(config);
  if (!secrets || !keySet) return null;
  const problems = await findKeyProblems(client, secrets, keySet);
  return problems.length > 0
    ? createProblem('differ from those used with this database', problems.join('\n'))
    : createOk('the same as those used with this database');
}

async function readEncryptionKeys(config: Config): Promise<KeySet | null> {
  const path = getKeyFilePath(config);
  if (path === null) return parseKeySet(config.secrets.ENCRYPTION_KEYS ?? '');
  const entries = await readKeyFile(path);
  return entries ? toKeySet(entries) : null;
}
