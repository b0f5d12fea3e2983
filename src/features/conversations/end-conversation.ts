import type { Tx } from '../../platform/database.ts';
import { markEnded } from './conversation.repository.ts';
import type { Side } from './conversation-token.ts';
import { publishToSides } from './publish-to-sides.ts';

/** Ends a conversation that this transaction holds, and has both sides hear of it. False when it has ended already. */
export async function endConversation(
  tx: Tx,
  { id, ownerId }: { id: string; ownerId: string },
  by: Side | 'ADMINISTRATION',
): Promise<boolean> {
  if (!(await markEnded(tx, id, by))) return false;
  await publishToSides(tx, { id, ownerId }, 'conversation.ended', { conversationId: id, by });
  return true;
}
