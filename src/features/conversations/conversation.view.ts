import type { Static } from 'typebox';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { TolerantReader } from '../../platform/report-integrity-failures.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { truncateWithEllipsis } from '../../shared/truncate.ts';
import { type ConversationRow, isConversationDone } from './conversation.repository.ts';
import type { ConversationSnippetRow } from './conversation-snippet.repository.ts';
import {
  CONVERSATION_ENDED_BY_VALUES,
  type ConversationMessage,
  type ConversationSchema,
  MAX_SNIPPET_CHARACTERS,
} from './conversations.schemas.ts';
import { FINDER_NAME, MESSAGE_CONTENT, type MessageContent } from './encrypted-conversation-fields.ts';
import type { MessageRow } from './message.repository.ts';

type OwnerConversation = Static<typeof ConversationSchema>;

export type MessageView = Static<typeof ConversationMessage>;

interface OwnerConversationDetails {
  unread: number;
  isBlocked: boolean;
  isDecided: boolean | undefined;
  snippet: Pick<OwnerConversation, 'lastMessage' | 'lastPlace'>;
  readTolerantly: TolerantReader;
}

/** Convert a conversation to the owner's view, with null for a name that fails its integrity check. */
export function toOwnerConversationView(
  fieldCipher: FieldCipher,
  row: ConversationRow,
  { unread, isBlocked, isDecided, snippet, readTolerantly }: OwnerConversationDetails,
): OwnerConversation {
  const { id, qrCodeId, status, endedBy, version, lastMessageAt, expiresAt, createdAt, updatedAt } = row;
  return {
    id,
    qrCodeId,
    unread,
    blocked: isBlocked,
    scanId: row.fromScan ? row.scanId : null,
    title: row.qrCode.title,
    finderName: readTolerantly(() => FINDER_NAME.decrypt(fieldCipher, row)),
    status: status === 'OPEN' ? 'OPEN' : 'ENDED',
    endedBy: CONVERSATION_ENDED_BY_VALUES.find((ender) => ender === endedBy) ?? null,
    done: isConversationDone(row),
    assigneeId: row.assigneeId,
    assigneeName: row.assignee && formatUserName(row.assignee),
    report: isDecided === undefined ? null : isDecided ? 'DECIDED' : 'OPEN',
    ...snippet,
    version,
    lastMessageAt: lastMessageAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export function formatUserName({
  firstName,
  lastName,
}: {
  firstName: string | null;
  lastName: string | null;
}): string | null {
  return [firstName, lastName].filter(Boolean).join(' ') || null;
}

/** Convert a message to the view in its reader's language. @throws DATA_INTEGRITY */
export function toMessageView(fieldCipher: FieldCipher, row: MessageRow, locale: Locale): MessageView {
  return formatMessage(row, MESSAGE_CONTENT.decrypt(fieldCipher, row), locale);
}

/** Convert a message of a thread; one that fails its integrity check has no text. */
export function toThreadMessageView(
  fieldCipher: FieldCipher,
  row: MessageRow,
  locale: Locale,
  readTolerantly: TolerantReader,
): MessageView {
  const content = readTolerantly(() => MESSAGE_CONTENT.decrypt(fieldCipher, row));
  return formatMessage(row, content, locale);
}

function formatMessage(row: MessageRow, content: MessageContent | null, locale: Locale): MessageView {
  return {
    id: row.id,
    from: row.sender === 'OWNER' ? 'OWNER' : 'FINDER',
    preset: content?.preset ?? null,
    message: content && formatMessageContent(content, locale),
    sentAt: row.createdAt.toISOString(),
    readAt: row.readAt?.toISOString() ?? null,
  };
}

/**
 * Convert the newest message and place of a conversation. Messages about medical codes are read one by one, so that their
 * text is in no list of a program. A text that fails its integrity check is null.
 */
export function toConversationSnippet(
  fieldCipher: FieldCipher,
  row: ConversationSnippetRow | undefined,
  locale: Locale,
  { hasText, readTolerantly }: { hasText: boolean } & Pick<OwnerConversationDetails, 'readTolerantly'>,
): OwnerConversationDetails['snippet'] {
  const {
    id,
    content,
    accountId = '',
    sender,
    createdAt,
    city = null,
    region = null,
    country = null,
  } = row ?? {};
  const lastPlace = city || region || country ? { city, region, country } : null;
  if (!id || !content || !createdAt) return { lastMessage: null, lastPlace };
  const decrypted = hasText
    ? readTolerantly(() => MESSAGE_CONTENT.decrypt(fieldCipher, { id, accountId, content }))
    : null;
  const line = decrypted && formatMessageContent(decrypted, locale).replaceAll(/\s+/g, ' ');
  return {
    lastMessage: {
      from: sender === 'OWNER' ? 'OWNER' : 'FINDER',
      message: line && truncateWithEllipsis(line, MAX_SNIPPET_CHARACTERS),
      sentAt: createdAt.toISOString(),
    },
    lastPlace,
  };
}

function formatMessageContent({ preset, text }: MessageContent, locale: Locale): string {
  const parts = [preset === null ? '' : t(locale, `conversation.presets.${preset}`), text];
  return parts.filter((part) => part !== '').join('\n');
}
