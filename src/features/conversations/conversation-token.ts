import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { isId } from '../../shared/ids.ts';

export type ConversationSide = 'FINDER' | 'OWNER';

/** Create the token of one side: the conversation id and a keyed hash, derived each time and stored nowhere. */
export function createConversationToken(
  fieldCipher: FieldCipher,
  id: string,
  side: ConversationSide,
): string {
  return `${id}.${signConversation(fieldCipher, id, side)}`;
}

/** Verify a token in constant time. */
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
