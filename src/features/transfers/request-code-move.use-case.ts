import { recordAuditEntry } from '../../platform/audit.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { IdempotentResult } from '../../platform/idempotency.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { requireOrganizationSession, requireRecentLogin } from '../identity/index.ts';
import { assertMoveAllowed } from './assert-move-allowed.ts';
import {
  type CodeMoveKey,
  countCodesOfAccount,
  countWaitingCodeMoves,
  insertCodeMove,
  lockCodeMoves,
} from './code-move.repository.ts';
import { toCodeMoveView } from './code-move.view.ts';
import type { CodeMoveView, NewCodeMoveInput } from './code-moves.schemas.ts';
import { MOVE_CODES_QUEUE } from './move-codes.job.ts';
import type { TransferServices } from './transfer-services.ts';

const MAX_WAITING_MOVES = 3;

/**
 * Store a request to move codes to another account of the user, and enqueue its job. Wake the queue afterwards.
 * @throws VALIDATION_FAILED, REAUTHENTICATION_REQUIRED for a session that is older than one of the accounts allows, or than ten minutes
 * where the codes are those of an organization, NOT_FOUND, FORBIDDEN, MFA_ENROLLMENT_REQUIRED, ORGANIZATION_CLOSED, TOO_MANY_CODE_MOVES
 */
export async function requestCodeMove(
  services: Pick<TransferServices, 'database' | 'createIdempotently' | 'jobs'>,
  context: RequestContext,
  user: CurrentUser,
  { fromAccountId: accountId = user.id, toAccountId, ids }: NewCodeMoveInput,
): Promise<IdempotentResult<CodeMoveView>> {
  if (accountId === toAccountId)
    throw createValidationError({
      field: 'toAccountId',
      code: 'NOT_ALLOWED',
      message: 'Must be another account.',
    });
  for (const id of [accountId, toAccountId])
    await requireOrganizationSession(services.database, { user }, id);
  // The codes of an organization belong to its other owners, too.
  if (accountId !== user.id) await requireRecentLogin(services.database.client, user);
  const codeIds = (ids ?? []).toSorted();
  const once = { who: user.id, fingerprint: { accountId, toAccountId, codeIds } };
  const replay = await services.createIdempotently.replay<CodeMoveView>(context, once);
  if (replay) return replay;
  await assertMoveAllowed(services.database.client, { accountId, toAccountId, requestedBy: user.id });
  const codes = ids ? codeIds.length : await countCodesOfAccount(services.database.client, accountId);
  return services.createIdempotently(context, once, async (tx) => {
    await lockCodeMoves(tx, user.id);
    if ((await countWaitingCodeMoves(tx, user.id)) >= MAX_WAITING_MOVES)
      throw new ServiceError('TOO_MANY_CODE_MOVES');
    const key: CodeMoveKey = { accountId, id: generateId() };
    const { requestId } = context;
    const row = await insertCodeMove(tx, {
      ...key,
      toAccountId,
      requestedBy: user.id,
      codeIds,
      codes,
      requestId,
    });
    await services.jobs.enqueue(tx, MOVE_CODES_QUEUE, { accountId, codeMoveId: key.id });
    await recordAuditEntry(tx, context, { action: 'CODE_MOVE_REQUESTED', resourceId: user.id, accountId });
    return { body: toCodeMoveView(row), location: `/api/code-moves/${key.id}` };
  });
}
