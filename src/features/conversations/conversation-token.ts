import type { FieldCipher } from '../../platform/field-cipher.ts';
import { CONTEXT, defineSignedToken } from '../../shared/crypto/signed-token.ts';
import { isId } from '../../shared/ids.ts';

export type ConversationSide = 'FINDER' | 'OWNER';

/** The finder, or a user of the owner's side with what `getLinkEpoch` says: whatever ends their sessions voids the token. */
export type ConversationParticipant = 'FINDER' | { ownerEpoch: number | string };

/** Valid as long as the conversation exists. */
const finderToken = defineSignedToken({
  purpose: 'conversation-token',
  parts: { id: isId, side: CONTEXT },
  lifetimeSeconds: null,
});

const ownerToken = defineSignedToken({
  purpose: 'conversation-token',
  parts: { id: isId, side: CONTEXT, ownerEpoch: CONTEXT },
  lifetimeSeconds: null,
});

export function createConversationToken(
  fieldCipher: FieldCipher,
  id: string,
  participant: ConversationParticipant,
): string {
  return participant === 'FINDER'
    ? finderToken.create(fieldCipher, { id, side: 'FINDER' })
    : ownerToken.create(fieldCipher, { id, side: 'OWNER', ...participant });
}

/** Get the id of the conversation in a token, without verifying it; null for a malformed token. */
export function parseConversationToken(token: string | null): string | null {
  return finderToken.parse(token)?.id ?? null;
}

export function isConversationTokenValid(
  fieldCipher: FieldCipher,
  id: string,
  participant: ConversationParticipant,
  header: string | string[] | undefined,
): boolean {
  const verified =
    participant === 'FINDER'
      ? finderToken.verify(fieldCipher, header, { side: 'FINDER' })
      : ownerToken.verify(fieldCipher, header, { side: 'OWNER', ...participant });
  return verified?.id === id;
}
