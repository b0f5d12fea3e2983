import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import {
  type ConfigurableEvent,
  isChannelConfigurable,
  isConfigurableEvent,
} from './notification-kinds.rules.ts';

/** What stands for the event of mails that tell a finder of an answer; whose they are is the conversation. */
export const REPLY_MAILS = 'REPLY_RECEIVED';

/** Which mails are to end: those of an event to a person, or those of answers in a conversation. */
export type UnsubscribeTarget =
  | { userId: string; event: ConfigurableEvent; conversationId?: never }
  | { conversationId: string };

/**
 * The address at which mails of a kind end (RFC 8058): it holds whose they are, which, and a keyed hash over both. Derived
 * each time and stored nowhere; it lasts as long as the account or the conversation.
 */
export function createUnsubscribeUrl(
  { fieldCipher, publicBaseUrl }: { fieldCipher: FieldCipher; publicBaseUrl: string },
  subjectId: string,
  mailKind: ConfigurableEvent | typeof REPLY_MAILS,
): string {
  const token = `${subjectId}.${mailKind}.${computeSignature(fieldCipher, subjectId, mailKind)}`;
  return `${publicBaseUrl}/api/notifications/unsubscribe/${token}`;
}

/** Which mails a token ends; null for one that was not made here. Compared in constant time. */
export function verifyUnsubscribeToken(fieldCipher: FieldCipher, token: string): UnsubscribeTarget | null {
  const [subjectId = '', mailKind = '', receivedSignature = ''] = token.split('.');
  if (!timingSafeEquals(receivedSignature, computeSignature(fieldCipher, subjectId, mailKind))) return null;
  if (mailKind === REPLY_MAILS) return { conversationId: subjectId };
  return isConfigurableEvent(mailKind) && isChannelConfigurable(mailKind, 'EMAIL')
    ? { userId: subjectId, event: mailKind }
    : null;
}

function computeSignature(fieldCipher: FieldCipher, subjectId: string, mailKind: string): string {
  return fieldCipher.hash('unsubscribe', subjectId, mailKind).toString('base64url');
}
