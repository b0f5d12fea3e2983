import type { ListRange } from '../shared/list-cursor.ts';
import type { Db, Tx } from './database.ts';
import { createAfterFilter } from './list-order.repository.ts';
import { executeSql } from './sql.ts';

export type BreakGlassResourceType = 'QRCODE' | 'SCAN';

export type BreakGlassGrantRow = Awaited<ReturnType<typeof listBreakGlassGrants>>['rows'][number];

/** Find the account that a record belongs to; null for one that is deleted. */
export async function findBreakGlassResourceAccountId(
  db: Db,
  type: BreakGlassResourceType,
  id: string,
): Promise<string | null> {
  const select = { account: { select: { id: true, status: true } } };
  const code =
    type === 'QRCODE'
      ? await db.qrCode.findUnique({ where: { id }, select })
      : (await db.scan.findUnique({ where: { id }, select: { qrCode: { select } } }))?.qrCode;
  return code && code.account.status !== 'DELETED' ? code.account.id : null;
}

export async function lockBreakGlassGrants(tx: Tx, administratorId: string): Promise<void> {
  await executeSql(tx)`
    SELECT pg_advisory_xact_lock(hashtextextended('break-glass of ' || ${administratorId}, 0))`;
}

export async function findActiveBreakGlassGrant(
  db: Db,
  administratorId: string,
  resourceType: BreakGlassResourceType,
  resourceId: string,
): Promise<{ id: string; expiresAt: Date } | null> {
  return db.breakGlassGrant.findFirst({
    where: { administratorId, resourceId, resourceType, expiresAt: { gt: new Date() } },
    orderBy: { expiresAt: 'desc' },
    select: { id: true, expiresAt: true },
  });
}

export async function insertBreakGlassGrant(
  tx: Tx,
  grant: {
    id: string;
    administratorId: string;
    accountId: string;
    resourceType: BreakGlassResourceType;
    resourceId: string;
    reason: Uint8Array<ArrayBuffer>;
    createdAt: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await tx.breakGlassGrant.create({ data: grant, select: { id: true } });
}

/** End the access of a grant that is still open. Null for any other one. */
export async function endBreakGlassGrant(
  tx: Tx,
  id: string,
): Promise<{ resourceType: string; resourceId: string } | null> {
  const now = new Date();
  const grant = await tx.breakGlassGrant.findFirst({
    where: { id, expiresAt: { gt: now } },
    select: { resourceType: true, resourceId: true, createdAt: true },
  });
  if (!grant) return null;
  // A grant ends after it began.
  const expiresAt = new Date(Math.max(now.getTime(), grant.createdAt.getTime() + 1));
  const { count } = await tx.breakGlassGrant.updateMany({
    where: { id, expiresAt: { gt: expiresAt } },
    data: { expiresAt },
  });
  return count > 0 ? grant : null;
}

export async function hasActiveBreakGlassGrant(
  db: Db,
  administratorId: string,
  resourceType: BreakGlassResourceType,
  resourceId: string,
): Promise<boolean> {
  return (await findActiveBreakGlassGrant(db, administratorId, resourceType, resourceId)) !== null;
}

export async function listBreakGlassGrants(db: Db, { skip, take, after }: ListRange) {
  const rows = await db.breakGlassGrant.findMany({
    where: { ...createAfterFilter('createdAt', after) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    skip,
    take,
  });
  return { rows, total: await db.breakGlassGrant.count() };
}
