import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { isId } from '../../shared/ids.ts';

/** The two sides of a conversation. */
export type ConversationSide = 'FINDER' | 'OWNER';

/**
 * The token by which one side of a conversation opens it: its id and a keyed hash over id and side. Derived each time and stored
 * nowhere; it lasts as long as the conversation.
 */
export function createConversationToken(
  fieldCipher: FieldCipher,
  id: string,
  side: ConversationSide,
): string {
  return `${id}.${signConversation(fieldCipher, id, side)}`;
}

/** Whether a header holds the token of this side of this conversation. Compared in constant time. */
export function isConversationTokenValid(
  fieldCipher: FieldCipher,
  id: string,
  side: ConversationSide,
  header: string | string[] | undefined,
): boolean {
  if (typeof header !== 'string') return false;
  const [tokenId = '', tokenSignature = ''] = header.split('.');
  return (
    isId(tokenId) &&
    tokenId === id &&
    timingSafeEquals(tokenSignature, signConversation(fieldCipher, id, side))
  );
}

function signConversation(fieldCipher: FieldCipher, id: string, side: ConversationSide): string {
  return fieldCipher.hash('conversation-token', id, side).toString('base64url');
}
