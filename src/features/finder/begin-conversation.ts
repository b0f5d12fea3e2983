import type { FastifyReply } from 'fastify';
import type { Caller } from '../../platform/caller.ts';
import type { Origin } from '../conversations/conversation-origin.ts';
import { conversationToken } from '../conversations/conversation-token.ts';
import { type Beginning, openConversation } from '../conversations/open-conversation.ts';
import { publicKeyHolder } from '../scans/visitor.ts';
import { conversationCookie } from './conversation-cookie.ts';
import type { CookieScope } from './cookie.ts';
import { conversationLink, type FinderServices } from './finder-services.ts';

/**
 * Stores what a finder writes from the form of a visit, once however often the same is sent. Answers the finder's link to the
 * conversation, which the phone keeps as well. Throws as `openConversation`.
 */
export async function beginConversation(
  services: FinderServices,
  caller: Caller,
  reply: FastifyReply,
  origin: Origin,
  said: Beginning,
  scope: CookieScope,
): Promise<string> {
  const { vault, createOnce } = services;
  const { id: codeId, ownerId } = origin.qrCode;
  const idempotencyKey = vault.hash('finder-message', origin.id, JSON.stringify(said)).toString('base64url');
  const once = { who: publicKeyHolder(vault, caller, codeId), sameAs: said.content };
  const made = await createOnce({ ...caller, idempotencyKey }, once, async (tx) => {
    const row = await openConversation(services, caller, tx, origin, said);
    return { body: { id: row.conversationId }, contentOf: ownerId };
  });
  const token = conversationToken(vault, made.body.id, 'FINDER');
  reply.header('Set-Cookie', conversationCookie(token, scope));
  return conversationLink(services, codeId, token);
}
