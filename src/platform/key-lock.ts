import type { Database } from './database.ts';

export class KeyLockBusyError extends Error {
  constructor() {
    super('Another command is changing the keys. Wait until it has finished.');
    this.name = 'KeyLockBusyError';
  }
}

/** Exclude other changes of keys during `work`; the lock ends with the process. @throws KeyLockBusyError */
export async function runWithEncryptionKeyLock<Result>(
  { pool }: Pick<Database, 'pool'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  // Without a listener, losing this idle connection would end the process.
  client.on('error', () => {});
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      "SELECT pg_try_advisory_lock(hashtext('qr-profile-service keys')) AS locked",
    );
    if (!rows[0]?.locked) throw new KeyLockBusyError();
    return await work();
  } finally {
    // Closed, not released: this ends the lock.
    client.release(true);
  }
}
