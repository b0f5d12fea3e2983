import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { moveQrCode } from '../codes/index.ts';
import { moveScanHistory } from '../scans/index.ts';
import { assertMoveAllowed } from './assert-move-allowed.ts';
import {
  advanceCodeMove,
  type CodeMoveKey,
  type CodeMoveRecord,
  endCodeMove,
  findWaitingCodeMove,
  isUnclaimedTag,
  listNextCodeIds,
} from './code-move.repository.ts';
import type { TransferServices } from './transfer-services.ts';

/** A job moves for some seconds, then enqueues the next one, so that accounts alternate. */
export const MOVE_CODES_QUEUE: JobQueueDefinition = {
  name: 'move-codes',
  expireInSeconds: 120,
  retryLimit: 10,
  retryDelay: 5,
};

const MAX_RUN_MS = 10_000;

const BATCH_SIZE = 50;

/** Codes that stay, while the next ones are moved. */
const REASONS_TO_LEAVE_OUT = ['NOT_FOUND', 'TAG_UNCLAIMED', 'EXTERNAL_ID_TAKEN', 'DATA_INTEGRITY'];

/**
 * Create the job that moves codes one by one, each with its place in the move in one transaction. What a killed job leaves,
 * the next one moves.
 */
export function createMoveCodesJob(services: TransferServices, maxRunMs = MAX_RUN_MS): JobHandler {
  return async ({ accountId, codeMoveId }) => {
    const key = { accountId: String(accountId), id: String(codeMoveId) };
    const endsAt = Date.now() + maxRunMs;
    for (;;) {
      const ids = await listNextCodeIds(services.database.client, key, BATCH_SIZE);
      if (ids.length === 0) return finish(services, key, null);
      for (const codeId of ids) {
        const row = await findWaitingCodeMove(services.database.client, key);
        if (!row) return;
        const failure = await moveNext(services, row, codeId);
        if (failure !== null) return finish(services, key, failure);
        if (Date.now() >= endsAt) return enqueueNext(services, key);
      }
    }
  };
}

/** Returns the error that ends the move. */
async function moveNext(
  services: TransferServices,
  row: CodeMoveRecord,
  codeId: string,
): Promise<string | null> {
  const { accountId: fromAccountId, toAccountId } = row;
  const move = { qrCodeId: codeId, fromAccountId, toAccountId, history: 'KEEP' as const };
  try {
    await assertMoveAllowed(services.database.client, row);
    if (await isUnclaimedTag(services.database.client, fromAccountId, codeId))
      throw new ServiceError('TAG_UNCLAIMED');
    await moveScanHistory(services, move);
    await services.database.transaction(async (tx) => {
      await moveQrCode(services, createMoveContext(row), tx, move);
      // Last: an erasure locks the user before this row.
      if (!(await advanceCodeMove(tx, row, codeId, null))) throw new SupersededError();
    });
    return null;
  } catch (error) {
    if (error instanceof SupersededError) return null;
    if (!(error instanceof ServiceError) || error.statusCode === 503) throw error;
    const { code } = error;
    if (!REASONS_TO_LEAVE_OUT.includes(code)) return code;
    await services.database.transaction((tx) => advanceCodeMove(tx, row, codeId, { id: codeId, code }));
    return null;
  }
}

/** Another worker has moved the code, or the move has ended. */
class SupersededError extends Error {}

async function enqueueNext(
  { database, jobs }: TransferServices,
  { accountId, id }: CodeMoveKey,
): Promise<void> {
  await database.transaction((tx) => jobs.enqueue(tx, MOVE_CODES_QUEUE, { accountId, codeMoveId: id }));
  jobs.wake(MOVE_CODES_QUEUE);
}

async function finish(
  { database }: TransferServices,
  key: CodeMoveKey,
  failure: string | null,
): Promise<void> {
  const expiresAt = new Date(Date.now() + LIFETIMES_SECONDS.codeMove * 1000);
  const status = failure === null ? 'COMPLETED' : 'FAILED';
  await endCodeMove(database.client, key, { status, failure, expiresAt });
}

function createMoveContext({ accountId, requestedBy, requestId }: CodeMoveRecord): RequestContext {
  return {
    user: null,
    linkUserId: requestedBy,
    linkAccountId: accountId,
    address: '',
    userAgent: '',
    method: '',
    purpose: '',
    isNavigation: false,
    acceptLanguage: undefined,
    requestId,
    operation: MOVE_CODES_QUEUE.name,
    audit: undefined,
    idempotencyKey: undefined,
    target: '',
  };
}
