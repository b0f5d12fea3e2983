import type { Db } from '../../platform/database.ts';
import type { ConversationRow } from './conversation.repository.ts';
import type { ConversationSide } from './conversation-token.ts';
import { findLastReadAt } from './message.repository.ts';

/** Find what the script of a page compares to learn whether the page of a side has changed. */
export async function findConversationState(
  db: Db,
  {
    id,
    accountId,
    status,
    lastMessageAt,
  }: Pick<ConversationRow, 'id' | 'accountId' | 'status' | 'lastMessageAt'>,
  side: ConversationSide,
): Promise<string> {
  // Also keeps a blocked finder from learning when the owner reads later.
  if (status !== 'OPEN') return status;
  const lastReadAt = await findLastReadAt(db, { id, accountId }, side);
  return `${lastMessageAt.getTime()}-${lastReadAt?.getTime() ?? 0}`;
}
