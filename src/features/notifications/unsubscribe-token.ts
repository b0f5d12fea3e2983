import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { canBeSwitched, isToldEvent, type ToldEvent } from './notification-kinds.rules.ts';

/** What stands for the event of mails that tell a finder of an answer; whose they are is the conversation. */
export const ANSWERS = 'ANSWER_RECEIVED';

/** Which mails are to end: those of an event to a person, or those of answers in a conversation. */
export type Unsubscription =
  | { userId: string; event: ToldEvent; conversationId?: never }
  | { conversationId: string };

/**
 * The address at which mails of a kind end (RFC 8058): it holds whose they are, which, and a keyed hash over both. Derived
 * each time and stored nowhere; it lasts as long as the account or the conversation.
 */
export function unsubscribeUrl(
  { fieldCipher, publicBaseUrl }: { fieldCipher: FieldCipher; publicBaseUrl: string },
  ofWhom: string,
  which: ToldEvent | typeof ANSWERS,
): string {
  const token = `${ofWhom}.${which}.${signature(fieldCipher, ofWhom, which)}`;
  return `${publicBaseUrl}/api/notifications/unsubscribe/${token}`;
}

/** Which mails a token ends; null for one that was not made here. Compared in constant time. */
export function readUnsubscription(fieldCipher: FieldCipher, token: string): Unsubscription | null {
  const [ofWhom = '', which = '', given = ''] = token.split('.');
  if (!timingSafeEquals(given, signature(fieldCipher, ofWhom, which))) return null;
  if (which === ANSWERS) return { conversationId: ofWhom };
  return isToldEvent(which) && canBeSwitched(which, 'EMAIL') ? { userId: ofWhom, event: which } : null;
}

function signature(fieldCipher: FieldCipher, ofWhom: string, which: string): string {
  return fieldCipher.hash('unsubscribe', ofWhom, which).toString('base64url');
}
