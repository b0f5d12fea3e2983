import type { Vault } from '../../platform/vault.ts';
import { sameBytes } from '../../shared/crypto/keyed-hash.ts';
import { isId } from '../../shared/ids.ts';

/** The two sides of a conversation. */
export type Side = 'FINDER' | 'OWNER';

/**
 * The token by which one side of a conversation opens it: its id and a keyed hash over id and side. Derived each time and stored
 * nowhere; it lasts as long as the conversation.
 */
export function conversationToken(vault: Vault, id: string, side: Side): string {
  return `${id}.${signature(vault, id, side)}`;
}

/** Whether a header holds the token of this side of this conversation. Compared in constant time. */
export function opensConversation(
  vault: Vault,
  id: string,
  side: Side,
  header: string | string[] | undefined,
): boolean {
  if (typeof header !== 'string') return false;
  const [named = '', given = ''] = header.split('.');
  return isId(named) && named === id && sameBytes(given, signature(vault, id, side));
}

function signature(vault: Vault, id: string, side: Side): string {
  return vault.hash('conversation-token', id, side).toString('base64url');
}
