import type { Static } from 'typebox';
import type { Vault } from '../../platform/vault.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import type { ConversationRow } from './conversation.repository.ts';
import { openFinderName, openMessage } from './conversation-content.ts';
import { type Conversation, type ConversationMessage, ENDED_BY } from './conversations.schemas.ts';
import type { MessageRow } from './message.repository.ts';

/** A conversation as its owner sees it. Throws DATA_INTEGRITY. */
export function conversationView(
  vault: Vault,
  row: ConversationRow,
  { unread, isBlocked, isDecided }: { unread: number; isBlocked: boolean; isDecided: boolean | undefined },
): Static<typeof Conversation> {
  const { id, qrCodeId, status, endedBy, lastMessageAt, expiresAt, createdAt } = row;
  return {
    ...{ id, qrCodeId, unread, isBlocked },
    scanId: row.fromScan ? row.scanId : null,
    title: row.qrCode.title,
    finderName: openFinderName(vault, row),
    status: status === 'OPEN' ? 'OPEN' : 'ENDED',
    endedBy: ENDED_BY.find((one) => one === endedBy) ?? null,
    report: isDecided === undefined ? null : isDecided ? 'DECIDED' : 'OPEN',
    lastMessageAt: lastMessageAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    createdAt: createdAt.toISOString(),
  };
}

/** A message in the language of its reader. It names nobody. Throws DATA_INTEGRITY. */
export function messageView(
  vault: Vault,
  row: MessageRow,
  locale: Locale,
): Static<typeof ConversationMessage> {
  const { preset, text } = openMessage(vault, row);
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
