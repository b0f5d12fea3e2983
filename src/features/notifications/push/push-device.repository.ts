import type { Db, Tx } from '../../../platform/database.ts';

/** A device as its person may see it; the token stays out of it. */
export interface PushDeviceRow {
  id: string;
  userId: string;
  sessionId: string;
  platform: string;
  name: string | null;
  createdAt: Date;
  lastUsedAt: Date;
}

const DEVICE_COLUMNS = {
  id: true,
  userId: true,
  sessionId: true,
  platform: true,
  name: true,
  createdAt: true,
  lastUsedAt: true,
} as const;

const LAST_USED_FIRST = [{ lastUsedAt: 'desc' as const }, { id: 'desc' as const }];

/** A page of a person's devices, the last used first, and how many there are. */
export async function listPushDevices(
  db: Db,
  userId: string,
  page: { skip: number; take: number },
): Promise<{ rows: PushDeviceRow[]; total: number }> {
  const where = { userId };
  const [rows, total] = await Promise.all([
    db.pushDevice.findMany({ where, select: DEVICE_COLUMNS, orderBy: LAST_USED_FIRST, ...page }),
    db.pushDevice.count({ where }),
  ]);
  return { rows, total };
}

/** A device of a person; null when it is absent or somebody else's. */
export async function findPushDevice(tx: Tx, userId: string, id: string): Promise<PushDeviceRow | null> {
  return tx.pushDevice.findFirst({ where: { id, userId }, select: DEVICE_COLUMNS });
}

/** Whoever's device the hash of a token stands for. */
export async function findPushDeviceByToken(
  tx: Tx,
  tokenHash: Uint8Array<ArrayBuffer>,
): Promise<PushDeviceRow | null> {
  return tx.pushDevice.findUnique({ where: { tokenHash }, select: DEVICE_COLUMNS });
}

/** Notes that a device of a person registered again; null when it is gone. */
export async function updatePushDevice(
  tx: Tx,
  device: { id: string; userId: string; sessionId: string; platform: string; name: string | null },
): Promise<PushDeviceRow | null> {
  const { id, userId, ...changes } = device;
  const rows = await tx.pushDevice.updateManyAndReturn({
    where: { id, userId },
    data: { ...changes, lastUsedAt: new Date() },
    select: DEVICE_COLUMNS,
  });
  return rows[0] ?? null;
}

/** Adds a device. One of the same token, whoever's, becomes this one: no row of it has its former id any more. */
export async function insertPushDevice(
  tx: Tx,
  device: {
    id: string;
    userId: string;
    sessionId: string;
    platform: string;
    name: string | null;
    token: Uint8Array<ArrayBuffer>;
    tokenHash: Uint8Array<ArrayBuffer>;
  },
): Promise<PushDeviceRow> {
  const { id, userId, sessionId, platform, name, token, tokenHash } = device;
  const rows = await tx.$queryRaw<PushDeviceRow[]>`
    INSERT INTO push_devices AS device (id, user_id, session_id, platform, name, token, token_hash)
    VALUES (${id}, ${userId}, ${sessionId}, ${platform}, ${name}, ${token}, ${tokenHash})
    ON CONFLICT (token_hash) DO UPDATE SET
      id = excluded.id, user_id = excluded.user_id, session_id = excluded.session_id, platform = excluded.platform,
      name = excluded.name, token = excluded.token, created_at = now(), last_used_at = now()
    RETURNING device.id, device.user_id AS "userId", device.session_id AS "sessionId", device.platform, device.name,
      device.created_at AS "createdAt", device.last_used_at AS "lastUsedAt"`;
  const [row] = rows;
  if (!row) throw new Error('A device was not stored.');
  return row;
}

/** Removes the least lately used devices of a person beyond so many. */
export async function deleteLeastRecentlyUsedDevices(
  tx: Tx,
  userId: string,
  maxDevices: number,
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM push_devices WHERE id IN (
      SELECT id FROM push_devices WHERE user_id = ${userId} ORDER BY last_used_at DESC, id DESC OFFSET ${maxDevices})`;
}

/** Removes a device. */
export async function deletePushDevice(db: Db, id: string): Promise<void> {
  await db.pushDevice.deleteMany({ where: { id } });
}
