import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import { lockAssignee } from './assignee.repository.ts';
import {
  type ConversationKey,
  isConversationDone,
  lockConversation,
  updateConversationWork,
} from './conversation.repository.ts';
import type { ConversationServices } from './conversation-services.ts';
import type { ConversationChangeRequest } from './conversations.schemas.ts';
import { publishToConversationOwner } from './publish-to-participants.ts';

type ConversationChanges = Static<typeof ConversationChangeRequest>;

/**
 * Change what only the owner's side sees of a conversation. A repeat changes nothing and is not audited.
 * @throws NOT_FOUND, PRECONDITION_FAILED, VALIDATION_FAILED for who may not answer, CONVERSATION_ENDED to open one that the
 * owner ended
 */
export function updateConversation(
  { database, events }: Pick<ConversationServices, 'database' | 'events'>,
  context: RequestContext,
  { userId, ...key }: ConversationKey & { userId: string },
  input: ConversationChanges,
  ifMatch: string | undefined,
): Promise<void> {
  return database.transaction(async (tx) => {
    if (input.assigneeId) await assertAssignable(tx, key.accountId, input.assigneeId);
    const row = await lockConversation(tx, key.id);
    if (row?.accountId !== key.accountId) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, row.version);
    const { done = isConversationDone(row), assigneeId = row.assigneeId } = input;
    const isDoneChanged = done !== isConversationDone(row);
    const isAssigneeChanged = assigneeId !== row.assigneeId;
    if (!isDoneChanged && !isAssigneeChanged) return;
    if (isDoneChanged && row.endedBy === 'OWNER') throw new ServiceError('CONVERSATION_ENDED');
    await updateConversationWork(tx, key, {
      ...(isDoneChanged && { doneAt: done ? new Date() : null }),
      assigneeId,
    });
    const changes = [...(isDoneChanged ? ['done'] : []), ...(isAssigneeChanged ? ['assigneeId'] : [])];
    await recordAuditEntry(tx, context, { resourceId: key.id, changes });
    await publishToConversationOwner(tx, key.accountId, 'conversation.updated', { conversationId: key.id });
    if (isAssigneeChanged && assigneeId && assigneeId !== userId)
      await events.publish(tx, 'conversation.assigned', {
        accountId: key.accountId,
        userId: assigneeId,
        qrCodeId: row.qrCodeId,
        conversationId: key.id,
        title: row.qrCode.title,
      });
  });
}

async function assertAssignable(tx: Tx, accountId: string, userId: string): Promise<void> {
  if (await lockAssignee(tx, { accountId, userId })) return;
  throw createValidationError({
    field: 'assigneeId',
    code: 'NOT_ALLOWED',
    message: 'Must be a member of the organization who can answer finders.',
  });
}
