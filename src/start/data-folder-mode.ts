import { chmod, mkdir } from 'node:fs/promises';

interface DataFolderSettings {
  dataDir: string;
  databaseUrl: string | undefined;
}

/**
 * Close DATA_DIR to other users, also if it exists. The embedded PostgreSQL of root runs as another user, who has to
 * reach its folder in it. A mounted folder can belong to another user, who decides about it.
 */
export async function makeDataFolderPrivate(
  { dataDir, databaseUrl }: DataFolderSettings,
  log: { warn(details: object, message: string): void },
  uid = process.getuid?.(),
): Promise<void> {
  const mode = uid === 0 && databaseUrl === undefined ? 0o711 : 0o700;
  await mkdir(dataDir, { recursive: true, mode });
  await chmod(dataDir, mode).catch(() =>
    log.warn({}, 'DATA_DIR: other users may be able to read it, since its mode cannot be changed'),
  );
}
