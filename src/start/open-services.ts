import { access, chmod, constants, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Shutdown } from '../process/shutdown.ts';
import { createServices, type Services } from '../services.ts';
import { verifyKeysMatchDatabase } from './check-keys.ts';
import { makeDataFolderPrivate } from './data-folder-mode.ts';
import { openEncryptionKeyRing } from './keys/open-key-ring.ts';
import { type DatabaseServer, prepareAndOpenDatabase } from './open-database.ts';
import { loadServiceSecrets } from './open-secrets.ts';

type ServicesLog = Parameters<typeof createServices>[0]['log'];

/** Open the services of a long-running process: database migrated, keys checked, folders writable. */
export async function openServices(
  config: Config,
  address: DatabaseServer,
  log: ServicesLog,
  shutdown: Shutdown,
  emulators: Pick<Parameters<typeof createServices>[0], 'oidcEmulator' | 'stripeEmulator'> = {},
): Promise<Services> {
  const database = await prepareAndOpenDatabase(config, address, log);
  shutdown.addPhase('database', 500, () => database.close());
  const secrets = await loadServiceSecrets(config, database);
  const keyRing = await openEncryptionKeyRing(config, database, log);
  await verifyKeysMatchDatabase(database, secrets, keyRing.current());
  const services = createServices({ config, secrets, keyRing, database, log, ...emulators });
  await services.deleteTestModePurchases();
  shutdown.addPhase('files', 20, () => services.closeFiles());
  for (const store of [services.publicFiles, services.privateFiles]) await store.prepare();
  await makeDataFolderPrivate(config, log);
  await ensureWritableFolder(services.mailboxDir, 0o700);
  // Archives of earlier versions, which no row refers to any longer.
  await rm(join(config.dataDir, 'exports'), { recursive: true, force: true });
  return services;
}

/** Fail at the start and not at the first upload. */
async function ensureWritableFolder(folder: string, mode?: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  // Also for an existing folder.
  if (mode !== undefined) await chmod(folder, mode);
  await access(folder, constants.W_OK);
}
