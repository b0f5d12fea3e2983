import type { Database } from './database.ts';
import { connectDatabaseClient } from './database-client.ts';

export class KeyLockBusyError extends Error {
  constructor() {
    super('Another command is changing the keys. Wait until it has finished.');
    this.name = 'KeyLockBusyError';
  }
}

/** Exclude other changes of keys during `work`; the lock ends with the process. @throws KeyLockBusyError */
export async function runWithEncryptionKeyLock<Result>(
  { directUrl }: Pick<Database, 'directUrl'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await connectDatabaseClient(directUrl, {
    role: 'application',
    applicationName: 'qr-profile-service keys',
  });
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      "SELECT pg_try_advisory_lock(hashtext('qr-profile-service keys')) AS locked",
    );
    if (!rows[0]?.locked) throw new KeyLockBusyError();
    return await work();
  } finally {
    // This ends the lock.
    await client.end().catch(() => undefined);
  }
}
