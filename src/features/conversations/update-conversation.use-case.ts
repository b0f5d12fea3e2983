import type { Static } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isConversationDone, lockConversation, updateConversationWork } from './conversation.repository.ts';
import type { ConversationChangeRequest } from './conversations.schemas.ts';
import { publishToConversationOwner } from './publish-to-participants.ts';

/**
 * Change what only the owner's side sees of a conversation. A repeat changes nothing and is not audited.
 * @throws NOT_FOUND, PRECONDITION_FAILED, CONVERSATION_ENDED to open one that the owner ended
 */
export function updateConversation(
  database: Database,
  context: RequestContext,
  conversationId: string,
  { done }: Static<typeof ConversationChangeRequest>,
  ifMatch: string | undefined,
): Promise<void> {
  return database.transaction(async (tx) => {
    const row = await lockConversation(tx, conversationId);
    if (!row) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, row.version);
    if (done === undefined || done === isConversationDone(row)) return;
    if (row.endedBy === 'OWNER') throw new ServiceError('CONVERSATION_ENDED');
    await updateConversationWork(tx, row, { doneAt: done ? new Date() : null });
    await recordAuditEntry(tx, context, { resourceId: conversationId, changes: ['done'] });
    await publishToConversationOwner(tx, row.accountId, 'conversation.updated', { conversationId });
  });
}
