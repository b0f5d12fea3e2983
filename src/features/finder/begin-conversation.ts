import type { FastifyReply } from 'fastify';
import type { Caller } from '../../platform/caller.ts';
import type { Origin } from '../conversations/conversation-origin.ts';
import { conversationToken } from '../conversations/conversation-token.ts';
import { type Beginning, openConversation } from '../conversations/open-conversation.ts';
import { publicKeyHolder } from '../scans/visitor.ts';
import { keepConversation } from './conversation-cookie.ts';
import { codeScope, conversationLink, type FinderServices } from './finder-services.ts';
import { begunConversation } from './opened-conversation.ts';

/**
 * Stores what a finder writes from the form of a visit, once however often the same is sent: in the open conversation about
 * the code that the phone keeps, else in that of the visit. Answers the finder's link to the conversation, which the phone
 * keeps as well. Throws as `openConversation`.
 */
export async function beginConversation(
  services: FinderServices,
  caller: Caller,
  reply: FastifyReply,
  origin: Origin,
  said: Beginning,
): Promise<string> {
  const { vault, createOnce } = services;
  const { id: codeId, ownerId } = origin.qrCode;
  const idempotencyKey = vault.hash('finder-message', origin.id, JSON.stringify(said)).toString('base64url');
  const once = { who: publicKeyHolder(vault, caller, codeId), sameAs: said.content };
  const begun = await begunConversation(services, codeId, reply.request.headers.cookie);
  const made = await createOnce({ ...caller, idempotencyKey }, once, async (tx) => {
    const row = await openConversation(services, caller, tx, origin, said, begun?.id);
    return { body: { id: row.conversationId }, contentOf: ownerId };
  });
  const token = conversationToken(vault, made.body.id, 'FINDER');
  keepConversation(reply, token, codeScope(services, codeId));
  return conversationLink(services, codeId, token);
}
