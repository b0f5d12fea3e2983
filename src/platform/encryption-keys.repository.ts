import type { KeyCheckValue } from '../shared/crypto/key-set.ts';
import type { Db, Tx } from './database.ts';
import { executeSql, querySql } from './sql.ts';

export interface EncryptionKeyRecord extends KeyCheckValue {
  createdAt: Date;
  promotedAt: Date | null;
  retiredAt: Date | null;
}

/** Lock until COMMIT, so that no other process compares or records check values meanwhile. */
export async function lockKeyChecks(tx: Tx): Promise<void> {
  await executeSql(tx)`SELECT pg_advisory_xact_lock(hashtext('qr-profile-service key checks'))`;
}

export async function findEncryptionKeyRecords(db: Db): Promise<EncryptionKeyRecord[]> {
  return db.encryptionKey.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
}

export async function insertEncryptionKeyRecords(
  db: Db,
  checks: readonly KeyCheckValue[],
): Promise<string[]> {
  const inserted = await db.encryptionKey.createManyAndReturn({ data: [...checks], skipDuplicates: true });
  return inserted.map(({ id }) => id);
}

export async function markEncryptionKeyPromoted(db: Db, id: string): Promise<boolean> {
  const { count } = await db.encryptionKey.updateMany({
    where: { id, promotedAt: null },
    data: { promotedAt: new Date() },
  });
  return count === 1;
}

export async function markEncryptionKeyRetired(db: Db, id: string): Promise<boolean> {
  const { count } = await db.encryptionKey.updateMany({
    where: { id, retiredAt: null },
    data: { retiredAt: new Date() },
  });
  return count === 1;
}

export async function isDatabaseUnused(db: Db): Promise<boolean> {
  const rows = await querySql<{ unused: boolean }>(db)`
    SELECT NOT EXISTS (SELECT FROM encryption_keys) AND NOT EXISTS (SELECT FROM users) AS unused`;
  return rows[0]?.unused ?? false;
}
