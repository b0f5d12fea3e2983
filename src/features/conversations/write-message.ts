import { reserveTries } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { invalidFields, ServiceError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';
import { type ConversationRow, lockConversation, noteMessage } from './conversation.repository.ts';
import { type MessageContent, openFinderEmail, sealMessage } from './conversation-content.ts';
import type { ConversationServices } from './conversation-services.ts';
import type { Side } from './conversation-token.ts';
import { hasUnread, insertMessage, type MessageRow } from './message.repository.ts';
import { plainText } from './message-text.rules.ts';
import { needsWords, type Preset, requirePresetOf } from './presets.rules.ts';
import { publishToSides } from './publish-to-sides.ts';
import { markRead } from './read-messages.ts';

/** What storing a message works with. */
export type MessageServices = Pick<ConversationServices, 'vault' | 'notifyMessage' | 'mailAnswer'>;

/** Messages of one side of a conversation, an hour. */
const AN_HOUR = 60;
const HOUR = 60 * 60;

/** What somebody says, as a request has it. */
export interface Said {
  message?: string | null | undefined;
  preset?: Preset | null | undefined;
}

/** A message as it is kept. Throws VALIDATION_FAILED where nothing is said, or not the place that a preset asks for. */
export function contentOf({ message, preset = null }: Said): MessageContent {
  const text = plainText(message ?? '');
  if (text === '' && preset === null)
    throw invalidFields({ field: 'message', code: 'REQUIRED', message: 'Is required without a preset.' });
  if (text === '' && needsWords(preset))
    throw invalidFields({ field: 'message', code: 'REQUIRED', message: 'Is required with this preset.' });
  return { preset, text };
}

/** Until when a conversation is kept that is written in now. */
export function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + LIFETIMES.conversation * 1000);
}

/**
 * Stores what one side answers in a conversation, which has read what came before. Throws NOT_FOUND for one that is gone,
 * VALIDATION_FAILED for a ready sentence that does not fit its code, and as `appendMessage`.
 */
export async function addMessage(
  services: MessageServices,
  caller: Caller,
  tx: Tx,
  { conversationId, sender, content }: { conversationId: string; sender: Side; content: MessageContent },
): Promise<MessageRow> {
  const conversation = await lockConversation(tx, conversationId);
  if (!conversation) throw new ServiceError('NOT_FOUND');
  requirePresetOf(content.preset, conversation.qrCode.kind, sender === 'OWNER' || conversation.fromScan);
  await markRead(tx, caller, { conversationId, reader: sender }, null);
  return appendMessage(services, caller, tx, conversation, sender, content);
}

/**
 * Stores a message of one side in a conversation that this transaction holds, and tells the other. Throws
 * CONVERSATION_ENDED, RATE_LIMITED beyond sixty an hour of a side.
 */
export async function appendMessage(
  services: MessageServices,
  caller: Caller,
  tx: Tx,
  conversation: ConversationRow,
  sender: Side,
  content: MessageContent,
): Promise<MessageRow> {
  const { id: conversationId } = conversation;
  if (conversation.status !== 'OPEN') throw new ServiceError('CONVERSATION_ENDED');
  await reserveTries(tx, [
    { key: `message:${conversationId}:${sender}`, allowed: AN_HOUR, windowSeconds: HOUR },
  ]);
  const now = new Date();
  await noteMessage(tx, conversationId, now, expiryFrom(now));
  const row = await storeMessage(services, tx, conversation, sender, content, now);
  await recordAction(tx, caller, { action: 'CONVERSATION_CONTINUED', resourceId: conversationId });
  return row;
}

/** What of a conversation a message is stored by. */
type Place = Pick<ConversationRow, 'id' | 'ownerId' | 'qrCodeId' | 'finderEmail' | 'finderLanguage'> & {
  qrCode: { title: string };
};

/**
 * Stores a message in a conversation that this transaction holds, and tells the other side: an owner each time, a finder
 * who left an address once, until they have read it.
 */
export async function storeMessage(
  { vault, notifyMessage, mailAnswer }: MessageServices,
  tx: Tx,
  conversation: Place,
  sender: Side,
  content: MessageContent,
  createdAt: Date,
): Promise<MessageRow> {
  const { id: conversationId, ownerId, qrCodeId, qrCode, finderLanguage: language } = conversation;
  const id = newId(createdAt);
  const sealed = sealMessage(vault, { id, ownerId }, content);
  const hadUnread = sender === 'OWNER' && (await hasUnread(tx, conversationId, sender));
  const row = await insertMessage(tx, { id, conversationId, ownerId, sender, content: sealed, createdAt });
  await publishToSides(tx, conversation, 'message.created', { conversationId, messageId: id });
  if (sender === 'FINDER') {
    await notifyMessage(tx, { ownerId, qrCodeId, conversationId, messageId: id, title: qrCode.title });
    return row;
  }
  const email = hadUnread ? null : openFinderEmail(vault, conversation);
  if (email !== null) await mailAnswer(tx, { qrCodeId, conversationId, email, language });
  return row;
}
