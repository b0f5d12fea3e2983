import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { isId } from '../../shared/ids.ts';

export type ConversationSide = 'FINDER' | 'OWNER';

/** The finder, or the owner with their access epoch: whatever ends the owner's sessions voids the token. */
export type ConversationParticipant = 'FINDER' | { ownerEpoch: number };

/** Create the token of one side: the conversation id and a keyed hash, derived each time and stored nowhere. */
export function createConversationToken(
  fieldCipher: FieldCipher,
  id: string,
  participant: ConversationParticipant,
): string {
  return `${id}.${signConversation(fieldCipher, id, participant)}`;
}

/** Verify a token in constant time. */
export function isConversationTokenValid(
  fieldCipher: FieldCipher,
  id: string,
  participant: ConversationParticipant,
  header: string | string[] | undefined,
): boolean {
  if (typeof header !== 'string') return false;
  const [tokenId = '', tokenSignature = ''] = header.split('.');
  return (
    isId(tokenId) &&
    tokenId === id &&
    timingSafeEquals(tokenSignature, signConversation(fieldCipher, id, participant))
  );
}

function signConversation(
  fieldCipher: FieldCipher,
  id: string,
  participant: ConversationParticipant,
): string {
  const parts = participant === 'FINDER' ? [participant] : ['OWNER', String(participant.ownerEpoch)];
  return fieldCipher.hash('conversation-token', id, ...parts).toString('base64url');
}
