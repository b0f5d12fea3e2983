import { access, chmod, constants, mkdir } from 'node:fs/promises';
import type { Config } from '../config.ts';
import type { Shutdown } from '../process/shutdown.ts';
import { createServices, type Services } from '../services.ts';
import { checkKeys } from './check-keys.ts';
import { openKeyRing } from './keys/open-key-ring.ts';
import { type DatabaseConnection, openPreparedDatabase } from './open-database.ts';
import { openSecrets } from './open-secrets.ts';

type ServicesLog = Parameters<typeof createServices>[0]['log'];

/** Open the services of a long-running process: database migrated, keys checked, folders writable. */
export async function openServices(
  config: Config,
  address: DatabaseConnection,
  log: ServicesLog,
  shutdown: Shutdown,
  emulators: Pick<Parameters<typeof createServices>[0], 'oidcEmulator' | 'stripeEmulator'> = {},
): Promise<Services> {
  const database = await openPreparedDatabase(config, address, log);
  shutdown.addPhase('database', 500, () => database.close());
  const secrets = await openSecrets(config, database);
  const keyRing = await openKeyRing(config, database, log);
  await checkKeys(database, secrets, keyRing.current());
  const services = createServices({ config, secrets, keyRing, database, log, ...emulators });
  await services.deleteTestModePurchases();
  shutdown.addPhase('files', 20, () => services.closeFiles());
  for (const store of [services.publicFiles, services.privateFiles]) await store.prepare();
  for (const folder of [services.mailboxDir, services.exportsDir]) await ensureWritableFolder(folder, 0o700);
  return services;
}

/** Fail at the start and not at the first upload. */
async function ensureWritableFolder(folder: string, mode?: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  // Also for an existing folder.
  if (mode !== undefined) await chmod(folder, mode);
  await access(folder, constants.W_OK);
}
