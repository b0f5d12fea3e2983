import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database, Tx } from '../../platform/database.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { deleteFinderBlock, insertFinderBlock } from '../scans/index.ts';
import {
  type ConversationRow,
  clearFinderEmail,
  findConversation,
  lockConversation,
  markFinderConversationsChanged,
} from './conversation.repository.ts';
import type { ConversationSide } from './conversation-token.ts';
import { endConversation, reopenConversation } from './end-conversation.ts';
import { markMessagesReadBySide } from './read-messages.ts';

/** Reopen, block and unblock are the owner's, forget-email is the finder's. */
export type ConversationChange = 'end' | 'reopen' | 'block' | 'unblock' | 'forget-email';

const CHANGES: Record<
  ConversationChange,
  (tx: Tx, row: ConversationRow, side: ConversationSide) => Promise<boolean>
> = {
  end: endConversation,
  reopen: reopenConversation,
  block: blockFinder,
  unblock: unblockFinder,
  'forget-email': (tx, { id }) => clearFinderEmail(tx, id),
};

/**
 * Change a conversation for a side that may do so. A repeat changes nothing and is not audited.
 * @throws NOT_FOUND, PRECONDITION_FAILED, CONVERSATION_ENDED for one that cannot be reopened
 */
export function changeConversation(
  database: Database,
  context: RequestContext,
  { conversationId, side }: { conversationId: string; side: ConversationSide },
  change: ConversationChange,
  ifMatch?: string,
): Promise<ConversationRow> {
  return database.transaction(async (tx) => {
    const row = await lockConversation(tx, conversationId);
    if (!row) throw new ServiceError('NOT_FOUND');
    assertIfMatch(ifMatch, row.version);
    if (await CHANGES[change](tx, row, side))
      await recordAuditEntry(tx, context, { resourceId: conversationId });
    return (await findConversation(tx, conversationId)) ?? row;
  });
}

/** Mark the messages of the other side as read, up to `upTo` if set. @throws NOT_FOUND, PRECONDITION_FAILED */
export function markConversationRead(
  database: Database,
  context: RequestContext,
  target: Parameters<typeof markMessagesReadBySide>[2],
  ifMatch?: string,
): Promise<void> {
  return database.transaction(async (tx) => {
    if (ifMatch !== undefined) {
      const row = await lockConversation(tx, target.conversation.id);
      if (!row) throw new ServiceError('NOT_FOUND');
      assertIfMatch(ifMatch, row.version);
    }
    await markMessagesReadBySide(tx, context, target);
  });
}

async function blockFinder(tx: Tx, row: ConversationRow, side: ConversationSide): Promise<boolean> {
  const hasEnded = await endConversation(tx, row, side);
  const isNew = await insertFinderBlock(tx, row.accountId, row.finderHash);
  if (isNew) await markFinderConversationsChanged(tx, row);
  return isNew || hasEnded;
}

async function unblockFinder(tx: Tx, row: ConversationRow): Promise<boolean> {
  const isUnblocked = await deleteFinderBlock(tx, row.accountId, row.finderHash);
  if (isUnblocked) await markFinderConversationsChanged(tx, row);
  return isUnblocked;
}
