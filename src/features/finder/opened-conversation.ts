import { type ConversationRow, findConversation } from '../conversations/conversation.repository.ts';
import { opensConversation, type Side } from '../conversations/conversation-token.ts';
import type { FinderServices } from './finder-services.ts';

/** A conversation and the side of it that looks at it. */
export interface Opened {
  row: ConversationRow;
  side: Side;
}

const SIDES: readonly Side[] = ['FINDER', 'OWNER'];

/** The conversation about a code that a token opens, and the side that it is of; null where it opens none. */
export async function openConversationBy(
  { database, vault }: Pick<FinderServices, 'database' | 'vault'>,
  codeId: string,
  token: string | null,
): Promise<Opened | null> {
  const id = token?.split('.')[0] ?? '';
  const side = SIDES.find((one) => token !== null && opensConversation(vault, id, one, token));
  const row = side ? await findConversation(database.client, id) : null;
  return side && row?.qrCodeId === codeId ? { row, side } : null;
}
