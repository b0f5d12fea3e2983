import {
  arePasswordsAccepted,
  type DatabaseAddresses,
  readDatabaseAccess,
  toDatabaseAddresses,
} from './database-addresses.ts';

/** Find the embedded database that another process runs on a data folder; null while it cannot be reached. */
export async function findEmbeddedPostgres(dataDir: string): Promise<DatabaseAddresses | null> {
  const access = await readDatabaseAccess(dataDir);
  return access && (await arePasswordsAccepted(access).catch(() => false))
    ? toDatabaseAddresses(access)
    : null;
}
