import type { Tx } from '../../platform/database.ts';
import { markConversationEnded } from './conversation.repository.ts';
import type { ConversationSide } from './conversation-token.ts';
import { publishToConversationParticipants } from './publish-to-participants.ts';

/** End a conversation that this transaction has locked, and notify both sides. False if it had already ended. */
export async function endConversation(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
  by: ConversationSide | 'ADMINISTRATION',
): Promise<boolean> {
  if (!(await markConversationEnded(tx, id, by))) return false;
  await publishToConversationParticipants(tx, { id, accountId }, 'conversation.ended', {
    conversationId: id,
    by,
  });
  return true;
}
