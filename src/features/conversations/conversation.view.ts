import type { Static } from 'typebox';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import type { ConversationRow } from './conversation.repository.ts';
import {
  CONVERSATION_ENDED_BY_VALUES,
  type ConversationMessage,
  type ConversationSchema,
} from './conversations.schemas.ts';
import { FINDER_NAME, MESSAGE_CONTENT } from './encrypted-conversation-fields.ts';
import type { MessageRow } from './message.repository.ts';

/** Convert a conversation to the owner's view. @throws DATA_INTEGRITY */
export function toOwnerConversationView(
  fieldCipher: FieldCipher,
  row: ConversationRow,
  { unread, isBlocked, isDecided }: { unread: number; isBlocked: boolean; isDecided: boolean | undefined },
): Static<typeof ConversationSchema> {
  const { id, qrCodeId, status, endedBy, lastMessageAt, expiresAt, createdAt, updatedAt } = row;
  return {
    id,
    qrCodeId,
    unread,
    blocked: isBlocked,
    scanId: row.fromScan ? row.scanId : null,
    title: row.qrCode.title,
    finderName: FINDER_NAME.decrypt(fieldCipher, row),
    status: status === 'OPEN' ? 'OPEN' : 'ENDED',
    endedBy: CONVERSATION_ENDED_BY_VALUES.find((ender) => ender === endedBy) ?? null,
    report: isDecided === undefined ? null : isDecided ? 'DECIDED' : 'OPEN',
    lastMessageAt: lastMessageAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Convert a message to the view in its reader's language. @throws DATA_INTEGRITY */
export function toMessageView(
  fieldCipher: FieldCipher,
  row: MessageRow,
  locale: Locale,
): Static<typeof ConversationMessage> {
  const { preset, text } = MESSAGE_CONTENT.decrypt(fieldCipher, row);
  const parts = [preset === null ? '' : t(locale, `conversation.presets.${preset}`), text];
  return {
    id: row.id,
    from: row.sender === 'OWNER' ? 'OWNER' : 'FINDER',
    preset,
    message: parts.filter((part) => part !== '').join('\n'),
    sentAt: row.createdAt.toISOString(),
    readAt: row.readAt?.toISOString() ?? null,
  };
}
