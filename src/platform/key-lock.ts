import type { Database } from './database.ts';

/** Another process is changing the keys, or encrypting under them. */
export class KeyLockBusyError extends Error {
  constructor() {
    super('Another command is at work on the keys: wait until it has ended.');
    this.name = 'KeyLockBusyError';
  }
}

/**
 * Runs `work` while no other process changes the keys. The lock belongs to a connection: it ends with the process,
 * however that ends. Throws KeysBusyError when another has it, and what `work` throws.
 */
export async function withKeyLock<Result>(
  { pool }: Pick<Database, 'pool'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  // Without a listener a connection that breaks while it only holds the lock would end the process.
  client.on('error', () => {});
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      "SELECT pg_try_advisory_lock(hashtext('qr-profile-service keys')) AS locked",
    );
    if (!rows[0]?.locked) throw new KeyLockBusyError();
    return await work();
  } finally {
    // Closed and not given back: with the connection the lock is gone.
    client.release(true);
  }
}
