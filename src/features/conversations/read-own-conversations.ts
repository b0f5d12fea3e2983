import type { Static } from 'typebox';
import { type ActingAccount, getActingAccount } from '../../platform/acting-account.ts';
import type { Db } from '../../platform/database.ts';
import { type TolerantReader, tolerateIntegrityFailures } from '../../platform/report-integrity-failures.ts';
import type { RequestContext } from '../../platform/request-context.ts';
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
  account: ActingAccount | null;
  /** BCP 47. */
  language: string;
}

/**
 * Read the owner's views of these conversations; for a page, also the text about medical codes. Texts that fail their
 * integrity check are null and reported, so that one does not hide the others.
 */
export async function createOwnerConversationViewer(
  { database, fieldCipher }: Pick<ConversationServices, 'database' | 'fieldCipher'>,
  context: RequestContext,
  { account, language }: ConversationReader,
  rows: readonly ConversationRow[],
  { isForPage = false } = {},
): Promise<(row: ConversationRow) => Static<typeof ConversationSchema>> {
  const { client } = database;
  const { id: accountId } = getActingAccount({ account });
  const ids = rows.map(({ id }) => id);
  const unread = await countUnreadMessagesByConversation(client, accountId, ids);
  const blocked = await findBlockedFinderConversationIds(client, accountId, rows);
  const snippets = await findConversationSnippets(client, accountId, ids);
  const locale = toSupportedLocale(language);
  const reported = await findReportDecidedByConversation(client, accountId, ids, 'OWNER');
  const toView = (row: ConversationRow, readTolerantly: TolerantReader) =>
    toOwnerConversationView(fieldCipher, row, {
      unread: unread.get(row.id) ?? 0,
      isBlocked: blocked.has(row.id),
      isDecided: reported.get(row.id),
      snippet: toConversationSnippet(fieldCipher, snippets.get(row.id), locale, {
        hasText: isForPage || row.qrCode.kind !== 'MEDICAL',
        readTolerantly,
      }),
      readTolerantly,
    });
  const views = await tolerateIntegrityFailures(
    database,
    context,
    (readTolerantly) => new Map(rows.map((row) => [row.id, toView(row, readTolerantly)])),
  );
  return ({ id }) => {
    const view = views.get(id);
    if (!view) throw new Error('The conversation is not among those that were read.');
    return view;
  };
}
