import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import { createAfterFilter } from '../../../platform/list-order.repository.ts';
import { executeSql, querySql } from '../../../platform/sql.ts';
import type { ListRange } from '../../../shared/list-cursor.ts';
import type { BatchDesign } from './batch-design.ts';

export type BatchRecord = NonNullable<Awaited<ReturnType<typeof findBatch>>>;

export type OpenBatch = NonNullable<Awaited<ReturnType<typeof findOpenBatch>>>;

/** The primary key of a batch. */
export interface BatchKey {
  accountId: string;
  id: string;
}

const OPEN = { finishedAt: null };

/** Up to 5,000 titles. */
const WITHOUT_TITLES = { titles: true, design: true, pageDesign: true } as const;

/** Find a batch of an account; null if it is absent, deleted or of another account. */
export async function findBatch(db: Db | Tx, { accountId, id }: BatchKey) {
  return db.batch.findFirst({ where: { accountId, id, deletedAt: null }, omit: WITHOUT_TITLES });
}

/** Find the batch of an unclaimed code of an account. */
export async function findBatchOfCode(
  db: Db,
  { accountId, id }: { accountId: string; id: string },
): Promise<string | null> {
  const tag = await db.batchTag.findFirst({
    where: { accountId, qrCodeId: id, claimedAt: null, batch: { deletedAt: null } },
    select: { batchId: true },
  });
  return tag?.batchId ?? null;
}

/** List a page of an account's batches, newest first, with their total. */
export async function listBatches(db: Db, accountId: string, { skip, take, after }: ListRange) {
  const where = { accountId, deletedAt: null };
  const [rows, total] = await Promise.all([
    db.batch.findMany({
      where: { ...where, ...createAfterFilter('createdAt', after) },
      omit: WITHOUT_TITLES,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip,
      take,
    }),
    db.batch.count({ where }),
  ]);
  return { rows, total };
}

export interface BatchUsage {
  open: number;
  stored: number;
  /** Tags of open batches that are not created yet. */
  waitingTags: number;
}

export async function countBatches(tx: Tx, accountId: string): Promise<BatchUsage> {
  const [row] = await querySql<BatchUsage>(tx)`
    SELECT count(*) FILTER (WHERE finished_at IS NULL)::int AS open, count(*)::int AS stored,
           coalesce(sum(size - created) FILTER (WHERE finished_at IS NULL), 0)::int AS "waitingTags"
    FROM batches WHERE account_id = ${accountId} AND deleted_at IS NULL`;
  if (!row) throw new Error('An aggregate without groups has one row.');
  return row;
}

export async function insertBatch(
  tx: Tx,
  {
    titles,
    design,
    ...row
  }: BatchKey & {
    kind: string;
    prefix: string;
    claim: string;
    size: number;
    titles: string[] | null;
    design: BatchDesign;
    pageDesign: object;
    requestId: string;
    createdBy: string;
  },
): Promise<BatchRecord> {
  return tx.batch.create({
    data: { ...row, titles: titles ?? Prisma.DbNull, design: design as unknown as Prisma.InputJsonObject },
    omit: WITHOUT_TITLES,
  });
}

/** Find a batch whose tags are not all created, with the status of its account. */
export async function findOpenBatch(db: Db, { accountId, id }: BatchKey) {
  return db.batch.findFirst({
    where: { accountId, id, ...OPEN },
    include: { account: { select: { status: true } } },
  });
}

/** Lock the creation of tags of a batch until COMMIT, without a lock on its row, which claims lock last; returns whether it is at a tag. */
export async function lockBatchProgress(
  tx: Tx,
  { accountId, id }: BatchKey,
  created: number,
): Promise<boolean> {
  await executeSql(tx)`SELECT pg_advisory_xact_lock(hashtextextended('tags of ' || ${id}, 0))`;
  const row = await tx.batch.findFirst({ where: { accountId, id, created, ...OPEN }, select: { id: true } });
  return row !== null;
}

/** Move an open batch from one tag to the next and lock it until COMMIT; false if it has ended or another worker has moved it. */
export async function advanceBatch(
  tx: Tx,
  { accountId, id }: BatchKey,
  from: number,
  to: number,
): Promise<boolean> {
  const count = await executeSql(tx)`
    UPDATE batches SET status = 'RUNNING', created = ${to}
    WHERE account_id = ${accountId} AND id = ${id} AND finished_at IS NULL AND created = ${from}`;
  return count === 1;
}

export type BatchEnd =
  | { status: 'COMPLETED' | 'CANCELED' }
  | { status: 'FAILED'; error: { code: string; message: string } };

/** End an open batch; returns who requested it, or null if it is not open. */
export async function endBatch(
  tx: Tx,
  { accountId, id }: BatchKey,
  end: BatchEnd,
): Promise<Pick<BatchRecord, 'createdBy' | 'requestId'> | null> {
  const error = end.status === 'FAILED' ? JSON.stringify(end.error) : null;
  const [ended] = await querySql<Pick<BatchRecord, 'createdBy' | 'requestId'>>(tx)`
    UPDATE batches SET status = ${end.status}, finished_at = ${new Date()}, titles = NULL, error = ${error}::jsonb
    WHERE account_id = ${accountId} AND id = ${id} AND finished_at IS NULL
    RETURNING created_by AS "createdBy", request_id AS "requestId"`;
  return ended ?? null;
}

/** Hide a batch from its account; a job deletes its codes. False if it is absent. */
export async function markBatchDeleted(tx: Tx, { accountId, id }: BatchKey): Promise<boolean> {
  const count = await executeSql(tx)`
    UPDATE batches SET deleted_at = ${new Date()}, titles = NULL, finished_at = coalesce(finished_at, ${new Date()}),
                       status = CASE WHEN finished_at IS NULL THEN 'CANCELED' ELSE status END
    WHERE account_id = ${accountId} AND id = ${id} AND deleted_at IS NULL`;
  return count === 1;
}

export async function isBatchDeleted(tx: Tx, { accountId, id }: BatchKey): Promise<boolean> {
  return (await tx.batch.count({ where: { accountId, id, deletedAt: { not: null } } })) === 1;
}

/** Delete a batch that has no tags any more. */
export async function deleteEmptyBatch(tx: Tx, { accountId, id }: BatchKey): Promise<void> {
  await tx.batch.deleteMany({ where: { accountId, id, tags: { none: {} } } });
}

/** List batches that need a job, by ascending id. */
export async function listBatchesWithJob(
  db: Db,
  afterId: string,
  take: number,
): Promise<(BatchKey & { deletedAt: Date | null })[]> {
  return db.batch.findMany({
    where: { id: { gt: afterId }, OR: [OPEN, { deletedAt: { not: null } }] },
    select: { accountId: true, id: true, deletedAt: true },
    orderBy: { id: 'asc' },
    take,
  });
}
