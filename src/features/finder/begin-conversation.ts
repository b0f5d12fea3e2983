import type { FastifyReply } from 'fastify';
import type { RequestContext } from '../../platform/request-context.ts';
import type { ConversationOrigin } from '../conversations/conversation-origin.ts';
import { createConversationToken } from '../conversations/conversation-token.ts';
import { type FirstMessageInput, startConversation } from '../conversations/start-conversation.ts';
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
  context: RequestContext,
  reply: FastifyReply,
  origin: ConversationOrigin,
  said: FirstMessageInput,
): Promise<string> {
  const { fieldCipher, createIdempotently } = services;
  const { id: codeId, ownerId } = origin.qrCode;
  const idempotencyKey = fieldCipher
    .hash('finder-message', origin.id, JSON.stringify(said))
    .toString('base64url');
  const once = { who: publicKeyHolder(fieldCipher, context, codeId), sameAs: said.content };
  const begun = await begunConversation(services, codeId, reply.request.headers.cookie);
  const made = await createIdempotently({ ...context, idempotencyKey }, once, async (tx) => {
    const row = await startConversation(services, context, tx, origin, said, begun?.id);
    return { body: { id: row.conversationId }, contentOf: ownerId };
  });
  const token = createConversationToken(fieldCipher, made.body.id, 'FINDER');
  keepConversation(reply, token, codeScope(services, codeId));
  return conversationLink(services, codeId, token);
}
