import { type Static, Type } from 'typebox';
import { readOrReportIntegrityFailure } from '../../platform/integrity-failure.ts';
import {
  defineExportedRows,
  definePersonalData,
  defineTableDeletedOnErasure,
  type PersonalDataViewContext,
} from '../../platform/personal-data.ts';
import { createRowDeletionStep } from '../../platform/personal-rows.repository.ts';
import { Id, nullable, Timestamp } from '../../shared/common.schemas.ts';
import { toSupportedLocale } from '../../shared/i18n/choose-locale.ts';
import { unassignErasedUser } from './assignee.repository.ts';
import { toMessageView } from './conversation.view.ts';
import { FINDER_NAME, NOTE_CONTENT, REPORT_NOTE } from './encrypted-conversation-fields.ts';
import { clearNoteAuthor } from './notes/note.repository.ts';
import { findConversationsByIds } from './personal-data.repository.ts';

const Text = Type.String();

const ExportedConversation = Type.Object({
  id: Id,
  qrCodeId: Id,
  scanId: nullable(Id),
  finderName: nullable(Text),
  status: Text,
  createdAt: Timestamp,
  report: nullable(
    Type.Object(
      { category: Text, note: nullable(Text), isDecided: Type.Boolean(), createdAt: Timestamp },
      { description: 'Your report to the administration; null without one.' },
    ),
  ),
  notes: Type.Array(Type.Object({ text: nullable(Text), createdAt: Timestamp }), {
    description: 'Oldest first; a text is null if it fails the integrity check.',
  }),
  messages: Type.Array(
    Type.Object({ from: Text, message: nullable(Text), sentAt: Timestamp, readAt: nullable(Timestamp) }),
    { description: 'Oldest first; a message is null if it fails the integrity check.' },
  ),
});

type ConversationRow = Awaited<ReturnType<typeof findConversationsByIds>>[number];

export const conversationsPersonalData = definePersonalData({
  tables: {
    conversations: defineTableDeletedOnErasure(
      { in: 'conversations' },
      {
        how: 'Every row of the account. Of conversations of organizations only `assignee_id` is cleared.',
        erase: createRowDeletionStep('conversations', 'account_id'),
        clearReferences: async (tx, { userId }, { limit }) =>
          (await unassignErasedUser(tx, userId, limit)) < limit,
      },
    ),
    conversation_messages: defineTableDeletedOnErasure(
      { in: 'conversations' },
      { how: 'With their conversations.', size: { users: ['account_id'] } },
    ),
    conversation_notes: defineTableDeletedOnErasure(
      { in: 'conversations' },
      {
        how: 'With their conversations. Of notes about conversations of organizations only `author_id` is cleared.',
        clearReferences: async (tx, { userId }, { limit }) =>
          (await clearNoteAuthor(tx, userId, limit)) < limit,
        size: { users: ['account_id'] },
      },
    ),
    conversation_reports: defineTableDeletedOnErasure(
      { in: 'conversations' },
      {
        how: 'With their conversations. The archive has reports of the user, but not those of finders.',
      },
    ),
  },
  lists: {
    conversations: defineExportedRows({
      item: ExportedConversation,
      description: 'Conversations with finders, most recent message first.',
      sources: [{ table: 'conversations', user: 'account_id', at: 'last_message_at' }],
      findByIds: findConversationsByIds,
      toItem: toExportedConversation,
    }),
  },
});

/** Convert a conversation, with preset messages in the owner's language. */
export function toExportedConversation(
  { fieldCipher, onIntegrityFailure }: PersonalDataViewContext,
  row: ConversationRow,
): Static<typeof ExportedConversation> {
  const locale = toSupportedLocale(row.account.language);
  const [report] = row.reports;
  return {
    id: row.id,
    qrCodeId: row.qrCodeId,
    status: row.status,
    scanId: row.fromScan ? row.scanId : null,
    finderName: readOrReportIntegrityFailure(() => FINDER_NAME.decrypt(fieldCipher, row), onIntegrityFailure),
    createdAt: row.createdAt.toISOString(),
    report: report
      ? {
          category: report.category,
          note: readOrReportIntegrityFailure(
            () => REPORT_NOTE.decrypt(fieldCipher, report),
            onIntegrityFailure,
          ),
          isDecided: report.decision !== null,
          createdAt: report.createdAt.toISOString(),
        }
      : null,
    notes: row.notes.map((note) => ({
      text: readOrReportIntegrityFailure(() => NOTE_CONTENT.decrypt(fieldCipher, note), onIntegrityFailure),
      createdAt: note.createdAt.toISOString(),
    })),
    messages: row.messages.map((message) => ({
      from: message.sender,
      message: readOrReportIntegrityFailure(
        () => toMessageView(fieldCipher, message, locale).message,
        onIntegrityFailure,
      ),
      sentAt: message.createdAt.toISOString(),
      readAt: message.readAt?.toISOString() ?? null,
    })),
  };
}
