import type { Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isFinderBlocked } from '../scans/index.ts';
import {
  type ConversationRow,
  markConversationEnded,
  markConversationReopened,
} from './conversation.repository.ts';
import type { ConversationSide } from './conversation-token.ts';
import { publishToConversationParticipants } from './publish-to-participants.ts';

/** End a conversation that this transaction has locked, and notify both sides. False if it had already ended. */
export async function endConversation(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
  by: ConversationSide | 'ADMINISTRATION',
): Promise<boolean> {
  if (!(await markConversationEnded(tx, { id, accountId }, by))) return false;
  await publishToConversationParticipants(tx, { id, accountId }, 'conversation.ended', {
    conversationId: id,
    by,
  });
  return true;
}

/**
 * Let both sides write again in a conversation that this transaction has locked and its owner ended. False if it is open.
 * @throws CONVERSATION_ENDED if somebody else ended it, or its finder is blocked
 */
export async function reopenConversation(
  tx: Tx,
  { id, accountId, finderHash, status, endedBy }: ConversationRow,
): Promise<boolean> {
  if (status === 'OPEN') return false;
  if (endedBy !== 'OWNER' || (await isFinderBlocked(tx, accountId, finderHash)))
    throw new ServiceError('CONVERSATION_ENDED');
  if (!(await markConversationReopened(tx, { id, accountId }))) return false;
  await publishToConversationParticipants(tx, { id, accountId }, 'conversation.reopened', {
    conversationId: id,
  });
  return true;
}
