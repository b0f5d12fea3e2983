import { consumeAttempts } from '../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import {
  collectFieldErrors,
  createValidationError,
  type FieldError,
  ServiceError,
} from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { isFinderBlocked } from '../scans/index.ts';
import { type ConversationRow, lockConversation, touchConversation } from './conversation.repository.ts';
import { assertConversationNotWithheld } from './conversation-origin.ts';
import type { ConversationServices } from './conversation-services.ts';
import type { ConversationSide } from './conversation-token.ts';
import { FINDER_EMAIL, MESSAGE_CONTENT, type MessageContent } from './encrypted-conversation-fields.ts';
import { hasUnreadMessages, insertMessage, type MessageRow } from './message.repository.ts';
import { normalizeMessageText } from './message-text.rules.ts';
import { assertMessagePresetAllowed, type MessagePreset, requiresMessageText } from './presets.rules.ts';
import { publishToConversationParticipants } from './publish-to-participants.ts';
import { markMessagesReadBySide } from './read-messages.ts';

export type MessageWriteServices = Pick<
  ConversationServices,
  'fieldCipher' | 'events' | 'mailReply' | 'mailAddressConfirmation'
>;

const MAX_MESSAGES_PER_HOUR = 60;

export interface MessageInput {
  message?: string | null | undefined;
  preset?: MessagePreset | null | undefined;
}

export function findMessageErrors(input: MessageInput): FieldError[] {
  return collectFieldErrors(() => parseMessageContent(input));
}

/** Parse the content of a message. @throws VALIDATION_FAILED if there is none, or if the preset needs a text */
export function parseMessageContent({ message, preset = null }: MessageInput): MessageContent {
  const text = normalizeMessageText(message ?? '');
  if (text === '' && preset === null)
    throw createValidationError({
      field: 'message',
      code: 'REQUIRED',
      message: 'Is required without a preset.',
    });
  if (text === '' && requiresMessageText(preset))
    throw createValidationError({
      field: 'message',
      code: 'REQUIRED',
      message: 'Is required with this preset.',
    });
  return { preset, text };
}

export function computeConversationExpiry(now: Date): Date {
  return new Date(now.getTime() + LIFETIMES_SECONDS.conversation * 1000);
}

/**
 * Add a message of one side to a conversation, and mark those of the other side as read.
 * @throws NOT_FOUND, CODE_UNAVAILABLE, VALIDATION_FAILED, CONVERSATION_ENDED, RATE_LIMITED
 */
export async function addMessageToConversation(
  services: MessageWriteServices,
  context: RequestContext,
  tx: Tx,
  {
    conversationId,
    sender,
    content,
  }: { conversationId: string; sender: ConversationSide; content: MessageContent },
): Promise<MessageRow> {
  const conversation = await lockConversation(tx, conversationId);
  if (!conversation) throw new ServiceError('NOT_FOUND');
  assertMessagePresetAllowed(content.preset, conversation.qrCode.kind, {
    sender,
    isKindKnown: sender === 'OWNER' || conversation.fromScan,
  });
  await markMessagesReadBySide(tx, context, { conversation, reader: sender });
  return appendMessageToLockedConversation(services, context, tx, conversation, { sender }, content);
}

export interface MessageAuthor {
  sender: ConversationSide;
  /** The scan that the finder wrote it from, if the conversation began with another. */
  scanId?: string | null;
}

/**
 * Append a message to a conversation that this transaction has locked, and notify the other side.
 * @throws CODE_UNAVAILABLE, CONVERSATION_ENDED, RATE_LIMITED
 */
export async function appendMessageToLockedConversation(
  services: MessageWriteServices,
  context: RequestContext,
  tx: Tx,
  conversation: ConversationRow,
  author: MessageAuthor,
  content: MessageContent,
): Promise<MessageRow> {
  const { sender } = author;
  const { id: conversationId } = conversation;
  const { accountId, finderHash, status } = conversation;
  await assertConversationNotWithheld(tx, conversation);
  // Blocked for what they wrote in another conversation.
  const isBlocked = sender === 'FINDER' && (await isFinderBlocked(tx, accountId, finderHash));
  if (status !== 'OPEN' || isBlocked) throw new ServiceError('CONVERSATION_ENDED');
  await consumeAttempts(tx, [
    {
      key: `message:${conversationId}:${sender}`,
      allowed: MAX_MESSAGES_PER_HOUR,
      windowSeconds: HOUR_SECONDS,
    },
  ]);
  const now = new Date();
  await touchConversation(tx, conversation, { sender, at: now, expiresAt: computeConversationExpiry(now) });
  const row = await saveMessageAndNotify(services, tx, conversation, author, content, now);
  await recordAuditEntry(tx, context, { action: 'CONVERSATION_CONTINUED', resourceId: conversationId });
  return row;
}

type MessageTarget = Pick<
  ConversationRow,
  'id' | 'accountId' | 'qrCodeId' | 'finderEmail' | 'finderEmailConfirmedAt' | 'finderLanguage'
> & {
  qrCode: { title: string };
};

/**
 * Save a message and notify the other side: an owner of each message, a finder with a confirmed address once until the
 * replies are read. The conversation must be locked by this transaction.
 */
export async function saveMessageAndNotify(
  { fieldCipher, events, mailReply }: MessageWriteServices,
  tx: Tx,
  conversation: MessageTarget,
  { sender, scanId = null }: MessageAuthor,
  content: MessageContent,
  createdAt: Date,
): Promise<MessageRow> {
  const { id: conversationId, accountId, qrCodeId, qrCode, finderLanguage: language } = conversation;
  const id = generateId(createdAt);
  const encryptedContent = MESSAGE_CONTENT.encrypt(fieldCipher, { id, accountId }, content);
  const hadUnread = sender === 'OWNER' && (await hasUnreadMessages(tx, conversation, sender));
  const row = await insertMessage(tx, {
    id,
    conversationId,
    accountId,
    sender,
    content: encryptedContent,
    createdAt,
    scanId,
  });
  await publishToConversationParticipants(tx, conversation, 'message.created', {
    conversationId,
    messageId: id,
  });
  if (sender === 'FINDER') {
    await events.publish(tx, 'message.created', {
      accountId,
      qrCodeId,
      conversationId,
      messageId: id,
      title: qrCode.title,
    });
    return row;
  }
  const isMailed = !hadUnread && conversation.finderEmailConfirmedAt !== null;
  const email = isMailed ? FINDER_EMAIL.decrypt(fieldCipher, conversation) : null;
  if (email !== null) await mailReply(tx, { qrCodeId, conversationId, email, language });
  return row;
}
