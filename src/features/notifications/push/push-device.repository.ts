import type { Db, Tx } from '../../../platform/database.ts';
import { createAfterFilter } from '../../../platform/list-order.repository.ts';
import { executeSql, querySql } from '../../../platform/sql.ts';
import type { ListRange } from '../../../shared/list-cursor.ts';

/** The token is never selected. */
export interface PushDeviceRow {
  id: string;
  userId: string;
  sessionId: string;
  platform: string;
  name: string | null;
  /** That a browser subscribed with; null for a device of Firebase. */
  vapidPublicKey: string | null;
  createdAt: Date;
  lastUsedAt: Date;
}

const DEVICE_COLUMNS = {
  id: true,
  userId: true,
  sessionId: true,
  platform: true,
  name: true,
  vapidPublicKey: true,
  createdAt: true,
  lastUsedAt: true,
} as const;

const LAST_USED_FIRST = [{ lastUsedAt: 'desc' as const }, { id: 'desc' as const }];

export async function listPushDevices(
  db: Db,
  userId: string,
  { skip, take, after }: ListRange,
): Promise<{ rows: PushDeviceRow[]; total: number }> {
  const where = { userId };
  const [rows, total] = await Promise.all([
    db.pushDevice.findMany({
      where: { ...where, ...createAfterFilter('lastUsedAt', after) },
      select: DEVICE_COLUMNS,
      orderBy: LAST_USED_FIRST,
      skip,
      take,
    }),
    db.pushDevice.count({ where }),
  ]);
  return { rows, total };
}

export async function findPushDevice(tx: Tx, userId: string, id: string): Promise<PushDeviceRow | null> {
  return tx.pushDevice.findFirst({ where: { id, userId }, select: DEVICE_COLUMNS });
}

export async function findPushDeviceByToken(
  tx: Tx,
  tokenHash: Uint8Array<ArrayBuffer>,
): Promise<PushDeviceRow | null> {
  return tx.pushDevice.findUnique({ where: { tokenHash }, select: DEVICE_COLUMNS });
}

interface DeviceRegistration {
  id: string;
  userId: string;
  sessionId: string;
  platform: string;
  name: string | null;
  vapidPublicKey: string | null;
}

/** Update a device that registered again; null if it no longer exists. */
export async function updatePushDevice(tx: Tx, device: DeviceRegistration): Promise<PushDeviceRow | null> {
  const { id, userId, ...changes } = device;
  const rows = await tx.pushDevice.updateManyAndReturn({
    where: { id, userId },
    data: { ...changes, lastUsedAt: new Date() },
    select: DEVICE_COLUMNS,
  });
  return rows[0] ?? null;
}

/** Insert a device. An existing one with the same token, of any user, is replaced and gets the new id. */
export async function insertPushDevice(
  tx: Tx,
  device: DeviceRegistration & { token: Uint8Array<ArrayBuffer>; tokenHash: Uint8Array<ArrayBuffer> },
): Promise<PushDeviceRow> {
  const { id, userId, sessionId, platform, name, vapidPublicKey, token, tokenHash } = device;
  const rows = await querySql<PushDeviceRow>(tx)`
    INSERT INTO push_devices AS device (id, user_id, session_id, platform, name, vapid_public_key, token, token_hash)
    VALUES (${id}, ${userId}, ${sessionId}, ${platform}, ${name}, ${vapidPublicKey}, ${token}, ${tokenHash})
    ON CONFLICT (token_hash) DO UPDATE SET
      id = excluded.id, user_id = excluded.user_id, session_id = excluded.session_id, platform = excluded.platform,
      name = excluded.name, vapid_public_key = excluded.vapid_public_key, token = excluded.token, created_at = now(), last_used_at = now()
    RETURNING device.id, device.user_id AS "userId", device.session_id AS "sessionId", device.platform, device.name,
      device.vapid_public_key AS "vapidPublicKey", device.created_at AS "createdAt", device.last_used_at AS "lastUsedAt"`;
  const [row] = rows;
  if (!row) throw new Error('A device was not stored.');
  return row;
}

export async function deleteLeastRecentlyUsedPushDevices(
  tx: Tx,
  userId: string,
  maxDevices: number,
): Promise<void> {
  await executeSql(tx)`
    DELETE FROM push_devices WHERE id IN (
      SELECT id FROM push_devices WHERE user_id = ${userId} ORDER BY last_used_at DESC, id DESC OFFSET ${maxDevices})`;
}

export async function deletePushDevice(db: Db, id: string): Promise<void> {
  await db.pushDevice.deleteMany({ where: { id } });
}

/** Find by what a device is reached, encrypted. */
export async function findPushDeviceToken(
  db: Db,
  userId: string,
  id: string,
): Promise<(Pick<PushDeviceRow, 'id' | 'sessionId' | 'vapidPublicKey'> & { token: Uint8Array }) | null> {
  return db.pushDevice.findFirst({
    where: { id, userId },
    select: { id: true, sessionId: true, vapidPublicKey: true, token: true },
  });
}

/** Whether pushes reach the browser of a session. */
export async function isBrowserOfSessionRegistered(
  db: Db,
  session: { userId: string; sessionId: string; vapidPublicKey: string },
): Promise<boolean> {
  return (await db.pushDevice.count({ where: session })) > 0;
}
