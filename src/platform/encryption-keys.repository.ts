import type { KeyCheck } from '../shared/crypto/key-set.ts';
import type { Db } from './database.ts';

/** The check values of all keys that were ever used with this database. */
export async function findKeyChecks(db: Db): Promise<KeyCheck[]> {
  return db.encryptionKey.findMany({ select: { id: true, checkValue: true } });
}

/** Notes keys that are used from now on; those that are known already stay as they are. */
export async function addKeyChecks(db: Db, checks: readonly KeyCheck[]): Promise<void> {
  await db.encryptionKey.createMany({ data: [...checks], skipDuplicates: true });
}

/** Whether nobody has used this database yet, so that new keys make nothing unreadable. */
export async function isUnused(db: Db): Promise<boolean> {
  const rows = await db.$queryRaw<{ unused: boolean }[]>`
    SELECT NOT EXISTS (SELECT FROM encryption_keys) AND NOT EXISTS (SELECT FROM users) AS unused`;
  return rows[0]?.unused ?? false;
}
