import type { KeyCheck } from '../shared/crypto/key-set.ts';
import type { Db } from './database.ts';

/** What the database knows of a key; of a pepper under the id `pepper.<id>`. */
export interface StoredEncryptionKey extends KeyCheck {
  createdAt: Date;
  promotedAt: Date | null;
  retiredAt: Date | null;
}

/** All keys and peppers that ever served this database. */
export async function findEncryptionKeys(db: Db): Promise<StoredEncryptionKey[]> {
  return db.encryptionKey.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
}

/** Notes keys that serve from now on; answers the ids of those that were not known yet. */
export async function insertEncryptionKeys(db: Db, checks: readonly KeyCheck[]): Promise<string[]> {
  const inserted = await db.encryptionKey.createManyAndReturn({ data: [...checks], skipDuplicates: true });
  return inserted.map(({ id }) => id);
}

/** Notes that a key is the primary one; true for the first time. */
export async function markKeyPromoted(db: Db, id: string): Promise<boolean> {
  const { count } = await db.encryptionKey.updateMany({
    where: { id, promotedAt: null },
    data: { promotedAt: new Date() },
  });
  return count === 1;
}

/** Notes that nothing needs a key any more; true for the first time. */
export async function markKeyRetired(db: Db, id: string): Promise<boolean> {
  const { count } = await db.encryptionKey.updateMany({
    where: { id, retiredAt: null },
    data: { retiredAt: new Date() },
  });
  return count === 1;
}

/** Whether nobody has used this database yet, so that new keys make nothing unreadable. */
export async function isDatabaseUnused(db: Db): Promise<boolean> {
  const rows = await db.$queryRaw<{ unused: boolean }[]>`
    SELECT NOT EXISTS (SELECT FROM encryption_keys) AND NOT EXISTS (SELECT FROM users) AS unused`;
  return rows[0]?.unused ?? false;
}
