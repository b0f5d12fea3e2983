import type { Db, Tx } from '../../../platform/database.ts';
import { createAfterFilter } from '../../../platform/list-order.repository.ts';
import type { ErasureRow } from '../../../platform/personal-data.ts';
import { executeSql, querySql, sql } from '../../../platform/sql.ts';
import type { ListRange } from '../../../shared/list-cursor.ts';

/** The primary key of a phone. */
export interface OwnerPhoneKey {
  accountId: string;
  id: string;
}

export interface OwnerPhoneRow {
  id: string;
  name: string;
  createdAt: Date;
  lastScannedOn: Date | null;
  expiresAt: Date;
}

const PHONE_COLUMNS = {
  id: true,
  name: true,
  createdAt: true,
  lastScannedOn: true,
  expiresAt: true,
} as const;

const TODAY = sql`(now() AT TIME ZONE 'UTC')::date`;

const MARKED_LAST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

export async function insertOwnerPhone(
  tx: Tx,
  phone: OwnerPhoneKey & { name: string; accessEpoch: number; expiresAt: Date },
): Promise<void> {
  await tx.ownerPhone.create({ data: phone, select: { id: true } });
}

/** Delete all but the `max` phones of an account that were marked last. */
export async function deleteOldestOwnerPhones(tx: Tx, accountId: string, max: number): Promise<void> {
  await executeSql(tx)`
    DELETE FROM owner_phones WHERE account_id = ${accountId} AND id IN (
      SELECT id FROM owner_phones WHERE account_id = ${accountId} ORDER BY created_at DESC, id DESC OFFSET ${max}
    )`;
}

/** List the phones whose mark has not ended, the one marked last first. */
export async function listOwnerPhones(db: Db, accountId: string, { skip, take, after }: ListRange) {
  const { accessEpoch } = (await db.user.findUnique({
    where: { id: accountId },
    select: { accessEpoch: true },
  })) ?? { accessEpoch: -1 };
  const where = { accountId, accessEpoch, expiresAt: { gt: new Date() } };
  const [rows, total]: [OwnerPhoneRow[], number] = await Promise.all([
    db.ownerPhone.findMany({
      where: { ...where, ...createAfterFilter('createdAt', after) },
      select: PHONE_COLUMNS,
      orderBy: MARKED_LAST_FIRST,
      skip,
      take,
    }),
    db.ownerPhone.count({ where }),
  ]);
  return { rows, total };
}

/** Find a phone whose mark has not ended. */
export async function findOwnerPhone(
  db: Db,
  { accountId, id }: OwnerPhoneKey,
): Promise<{ isFirstScanOfDay: boolean } | null> {
  const rows = await querySql<{ isFirstScanOfDay: boolean }>(db)`
    SELECT phone.last_scanned_on IS DISTINCT FROM ${TODAY} AS "isFirstScanOfDay"
    FROM owner_phones AS phone JOIN users AS owner ON owner.id = phone.account_id
    WHERE phone.account_id = ${accountId} AND phone.id = ${id} AND phone.access_epoch = owner.access_epoch AND phone.expires_at > now()`;
  return rows[0] ?? null;
}

export async function recordOwnerPhoneScan(db: Db, { accountId, id }: OwnerPhoneKey): Promise<void> {
  await executeSql(
    db,
  )`UPDATE owner_phones SET last_scanned_on = ${TODAY} WHERE account_id = ${accountId} AND id = ${id}`;
}

/** Returns whether there was one. */
export async function deleteOwnerPhone(tx: Tx, { accountId, id }: OwnerPhoneKey): Promise<boolean> {
  const { count } = await tx.ownerPhone.deleteMany({ where: { accountId, id } });
  return count === 1;
}

/** Delete what has expired, and what another access epoch has ended. */
export async function deleteEndedOwnerPhones(db: Db): Promise<number> {
  return executeSql(db)`
    DELETE FROM owner_phones AS phone USING users AS owner
    WHERE owner.id = phone.account_id AND (phone.expires_at <= now() OR phone.access_epoch <> owner.access_epoch)`;
}

export async function eraseOwnerPhones(tx: Tx, { userId }: ErasureRow): Promise<true> {
  await tx.ownerPhone.deleteMany({ where: { accountId: userId } });
  return true;
}
