import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { deleteExpiredCodeMoves, endCodeMove, listWaitingCodeMoves } from './code-move.repository.ts';
import { MOVE_CODES_QUEUE } from './move-codes.job.ts';
import type { TransferServices } from './transfer-services.ts';

const BATCH_SIZE = 100;

/** Delete expired moves, and fail those whose job was lost. */
export async function cleanUpCodeMoves({
  database,
  jobs,
}: Pick<TransferServices, 'database' | 'jobs'>): Promise<void> {
  await deleteExpiredCodeMoves(database.client);
  const expiresAt = new Date(Date.now() + LIFETIMES_SECONDS.codeMove * 1000);
  for (let after = ''; ; ) {
    const waiting = await listWaitingCodeMoves(database.client, after, BATCH_SIZE);
    const last = waiting.at(-1);
    if (!last) return;
    // Read the jobs after the rows: a row is committed together with its job, so a missing job is lost or done.
    const ids = waiting.map(({ id }) => id);
    const pending = await jobs.findPending(MOVE_CODES_QUEUE, 'codeMoveId', ids);
    for (const key of waiting)
      if (!pending.has(key.id))
        await endCodeMove(database.client, key, { status: 'FAILED', failure: 'INTERNAL_ERROR', expiresAt });
    after = last.id;
  }
}
