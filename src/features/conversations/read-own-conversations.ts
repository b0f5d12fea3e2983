import type { Static } from 'typebox';
import type { Db } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { toSupportedLocale } from '../../shared/i18n/choose-locale.ts';
import { createTimeSort } from '../../shared/list-cursor.ts';
import { findBlockedFinderConversationIds } from '../scans/index.ts';
import { type ConversationRow, findConversation } from './conversation.repository.ts';
import { toConversationSnippet, toOwnerConversationView } from './conversation.view.ts';
import type { ConversationServices } from './conversation-services.ts';
import { findConversationSnippets } from './conversation-snippet.repository.ts';
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

interface ConversationReader {
  id: string;
  /** BCP 47. */
  language: string;
}

/** Read what the owner's views of these conversations need beside their rows; for a page, also the text about medical codes. */
export async function createOwnerConversationViewer(
  { database: { client }, fieldCipher }: Pick<ConversationServices, 'database' | 'fieldCipher'>,
  { id: accountId, language }: ConversationReader,
  rows: readonly ConversationRow[],
  { isForPage = false } = {},
): Promise<(row: ConversationRow) => Static<typeof ConversationSchema>> {
  const ids = rows.map(({ id }) => id);
  const unread = await countUnreadMessagesByConversation(client, accountId, ids);
  const blocked = await findBlockedFinderConversationIds(client, accountId, rows);
  const snippets = await findConversationSnippets(client, ids);
  const locale = toSupportedLocale(language);
  const reported = await findReportDecidedByConversation(client, ids, 'OWNER');
  return (row) =>
    toOwnerConversationView(fieldCipher, row, {
      unread: unread.get(row.id) ?? 0,
      isBlocked: blocked.has(row.id),
      isDecided: reported.get(row.id),
      snippet: toConversationSnippet(fieldCipher, snippets.get(row.id), locale, {
        hasText: isForPage || row.qrCode.kind !== 'MEDICAL',
      }),
    });
}
