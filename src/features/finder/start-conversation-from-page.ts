import type { FastifyReply } from 'fastify';
import type { RequestContext } from '../../platform/request-context.ts';
import {
  type ConversationOrigin,
  createConversationToken,
  type FirstMessageInput,
  startConversation,
} from '../conversations/index.ts';
import { getPublicIdempotencyOwner } from '../scans/index.ts';
import { findOngoingConversation } from './conversation-access.ts';
import { setConversationCookie } from './conversation-cookie.ts';
import { type FinderServices, getCodeCookieScope, getConversationLink } from './finder-services.ts';

/**
 * Store a finder's message idempotently, in the ongoing conversation of this browser or a new one, and set its
 * cookie. Returns the conversation link.
 * @throws what `startConversation` throws
 */
export async function startConversationFromPage(
  services: FinderServices,
  context: RequestContext,
  reply: FastifyReply,
  origin: ConversationOrigin,
  firstMessage: FirstMessageInput,
): Promise<string> {
  const { fieldCipher, createIdempotently } = services;
  const { id: codeId, ownerId } = origin.qrCode;
  const idempotencyKey = fieldCipher
    .hash('finder-message', origin.id, JSON.stringify(firstMessage))
    .toString('base64url');
  const idempotency = {
    who: getPublicIdempotencyOwner(fieldCipher, context, codeId),
    fingerprint: firstMessage.content,
  };
  const ongoing = await findOngoingConversation(services, codeId, reply.request.headers.cookie);
  const created = await createIdempotently({ ...context, idempotencyKey }, idempotency, async (tx) => {
    const row = await startConversation(services, context, tx, origin, firstMessage, ongoing?.id);
    return { body: { id: row.conversationId }, contentOf: ownerId };
  });
  const token = createConversationToken(fieldCipher, created.body.id, 'FINDER');
  setConversationCookie(reply, token, getCodeCookieScope(services, codeId));
  return getConversationLink(services, codeId, token);
}
