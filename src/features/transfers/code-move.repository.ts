import type { CodeMove, Prisma } from '../../generated/prisma/client.ts';
import type { Db, Tx } from '../../platform/database.ts';
import { createAfterFilter } from '../../platform/list-order.repository.ts';
import { executeSql, querySql, sql } from '../../platform/sql.ts';
import type { ListRange } from '../../shared/list-cursor.ts';

/** Without its codes, of which there may be thousands. */
export type CodeMoveRecord = Omit<CodeMove, 'codeIds'>;

/** The primary key of a move. */
export interface CodeMoveKey {
  accountId: string;
  id: string;
}

const WITHOUT_CODES = { codeIds: true } as const;

const MAX_LEFT_OUT = 100;

export async function insertCodeMove(
  tx: Tx,
  row: CodeMoveKey & {
    toAccountId: string;
    requestedBy: string;
    codeIds: string[];
    codes: number;
    requestId: string;
  },
): Promise<CodeMoveRecord> {
  return tx.codeMove.create({ data: row, omit: WITHOUT_CODES });
}

/** Find a move that a user requested; null if it is absent or expired. */
export async function findCodeMove(db: Db, requestedBy: string, id: string): Promise<CodeMoveRecord | null> {
  return db.codeMove.findFirst({ where: { requestedBy, id, ...whereNotExpired() }, omit: WITHOUT_CODES });
}

/** List the moves that a user requested, newest first. */
export async function listCodeMoves(db: Db, requestedBy: string, { skip, take, after }: ListRange) {
  const where = { requestedBy, ...whereNotExpired() };
  const [rows, total] = await Promise.all([
    db.codeMove.findMany({
      where: { ...where, ...createAfterFilter('createdAt', after) },
      omit: WITHOUT_CODES,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip,
      take,
    }),
    db.codeMove.count({ where }),
  ]);
  return { rows, total };
}

/** Lock the moves of a user, so that those requested at the same time are counted one after the other. */
export async function lockCodeMoves(tx: Tx, userId: string): Promise<void> {
  await executeSql(tx)`SELECT pg_advisory_xact_lock(hashtextextended('code moves of ' || ${userId}, 0))`;
}

export async function countWaitingCodeMoves(tx: Tx, requestedBy: string): Promise<number> {
  return tx.codeMove.count({ where: { requestedBy, finishedAt: null } });
}

/** Count the codes that a move of all would take: unclaimed tags stay with their batch. */
export async function countCodesOfAccount(db: Db, accountId: string): Promise<number> {
  return db.qrCode.count({ where: { accountId, status: { notIn: ['DELETED', 'UNCLAIMED'] } } });
}

export async function isUnclaimedTag(db: Db, accountId: string, codeId: string): Promise<boolean> {
  return (await db.qrCode.count({ where: { accountId, id: codeId, status: 'UNCLAIMED' } })) > 0;
}

/** Find a move that waits; null if it has ended. */
export async function findWaitingCodeMove(
  db: Db,
  { accountId, id }: CodeMoveKey,
): Promise<CodeMoveRecord | null> {
  return db.codeMove.findFirst({ where: { accountId, id, finishedAt: null }, omit: WITHOUT_CODES });
}

/** List the next codes of a move: those that were chosen, or all that the account has. */
export async function listNextCodeIds(
  db: Db,
  { accountId, id }: CodeMoveKey,
  take: number,
): Promise<string[]> {
  const rows = await querySql<{ codeId: string }>(db)`
    SELECT code.id AS "codeId" FROM code_moves AS move CROSS JOIN LATERAL (
      SELECT chosen.id FROM unnest(move.code_ids) AS chosen (id) WHERE chosen.id > move.last_id
      UNION ALL
      SELECT qr_codes.id FROM qr_codes
      WHERE qr_codes.account_id = ${accountId} AND move.code_ids = '{}' AND qr_codes.id > move.last_id
        AND qr_codes.status NOT IN ('DELETED', 'UNCLAIMED')) AS code
    WHERE move.account_id = ${accountId} AND move.id = ${id} ORDER BY code.id LIMIT ${take}`;
  return rows.map(({ codeId }) => codeId);
}

/** Go on after a code; false if another worker has done so, or the move has ended. */
export async function advanceCodeMove(
  tx: Tx,
  { accountId, id, lastId }: CodeMoveKey & Pick<CodeMove, 'lastId'>,
  codeId: string,
  leftOut: { id: string; code: string } | null,
): Promise<boolean> {
  const entry = JSON.stringify(leftOut === null ? [] : [leftOut]);
  const count = await executeSql(tx)`
    UPDATE code_moves SET last_id = ${codeId}, moved = moved + ${leftOut === null ? 1 : 0}::int,
      left_out = CASE WHEN jsonb_array_length(left_out) < ${MAX_LEFT_OUT} THEN left_out || ${entry}::jsonb ELSE left_out END
    WHERE account_id = ${accountId} AND id = ${id} AND last_id = ${lastId} AND finished_at IS NULL`;
  return count === 1;
}

/** End a move that waits. */
export async function endCodeMove(
  db: Db | Tx,
  { accountId, id }: CodeMoveKey,
  end: { status: 'COMPLETED' | 'FAILED'; failure: string | null; expiresAt: Date },
): Promise<void> {
  await db.codeMove.updateMany({
    where: { accountId, id, finishedAt: null },
    data: { ...end, codeIds: [], finishedAt: new Date() },
  });
}

export async function deleteExpiredCodeMoves(db: Db): Promise<void> {
  await db.codeMove.deleteMany({ where: { expiresAt: { lte: new Date() } } });
}

/** List waiting moves by ascending id. */
export async function listWaitingCodeMoves(db: Db, afterId: string, take: number): Promise<CodeMoveKey[]> {
  return db.codeMove.findMany({
    where: { id: { gt: afterId }, finishedAt: null },
    select: { accountId: true, id: true },
    orderBy: { id: 'asc' },
    take,
  });
}

/** Delete the moves from an erased account, to it, and those that its user requested. */
export async function eraseCodeMoves(tx: Tx, userId: string): Promise<void> {
  const isOfUser = sql`account_id = ${userId} OR to_account_id = ${userId} OR requested_by = ${userId}`;
  await executeSql(tx)`DELETE FROM code_moves WHERE ${isOfUser}`;
}

function whereNotExpired(): Prisma.CodeMoveWhereInput {
  return { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
}
