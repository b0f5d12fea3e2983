import { addressesOf, areAccepted, type DatabaseAddresses, readAccess } from './database-addresses.ts';

/** Find the embedded database that another process runs on a data folder; null while it cannot be reached. */
export async function findEmbeddedPostgres(dataDir: string): Promise<DatabaseAddresses | null> {
  const access = await readAccess(dataDir);
  return access && (await areAccepted(access).catch(() => false)) ? addressesOf(access) : null;
}
