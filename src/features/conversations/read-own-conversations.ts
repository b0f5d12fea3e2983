import type { Static } from 'typebox';
import type { Db } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { createTimeSort } from '../../shared/list-cursor.ts';
import { findBlockedFinderConversationIds } from '../scans/index.ts';
import { type ConversationRow, findConversation } from './conversation.repository.ts';
import { toOwnerConversationView } from './conversation.view.ts';
import type { ConversationServices } from './conversation-services.ts';
import type { ConversationSchema } from './conversations.schemas.ts';
import { countUnreadMessagesByConversation } from './message.repository.ts';
import { findReportDecidedByConversation } from './report.repository.ts';

export const LAST_ACTIVE_FIRST = createTimeSort(
  '-lastMessageAt',
  ({ lastMessageAt }: ConversationRow) => lastMessageAt,
);

/** @throws NOT_FOUND for a conversation of another account, too */
export async function requireOwnConversation(
  db: Db,
  accountId: string,
  id: string,
): Promise<ConversationRow> {
  const row = await findConversation(db, id);
  if (row?.accountId !== accountId) throw new ServiceError('NOT_FOUND');
  return row;
}

/** Read what the owner's views of these conversations need beside their rows. */
export async function createOwnerConversationViewer(
  { database: { client }, fieldCipher }: Pick<ConversationServices, 'database' | 'fieldCipher'>,
  accountId: string,
  rows: readonly ConversationRow[],
): Promise<(row: ConversationRow) => Static<typeof ConversationSchema>> {
  const ids = rows.map(({ id }) => id);
  const unread = await countUnreadMessagesByConversation(client, accountId, ids);
  const blocked = await findBlockedFinderConversationIds(client, accountId, rows);
  const reported = await findReportDecidedByConversation(client, ids, 'OWNER');
  return (row) =>
    toOwnerConversationView(fieldCipher, row, {
      unread: unread.get(row.id) ?? 0,
      isBlocked: blocked.has(row.id),
      isDecided: reported.get(row.id),
    });
}
