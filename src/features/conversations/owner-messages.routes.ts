import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { requireUser } from '../../platform/authentication.ts';
import { replyCreated } from '../../platform/http/reply-created.ts';
import { createProblemResponses } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs } from '../../platform/route-access.ts';
import { createIdParams, IdempotencyHeader, schemaRef } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { toLocale } from '../../shared/i18n/choose-locale.ts';
import { type ConversationRow, findConversation } from './conversation.repository.ts';
import { toMessageView } from './conversation.view.ts';
import type { ConversationServices } from './conversation-services.ts';
import {
  ConversationMessage,
  ConversationMessageList,
  MessageListQuery,
  NewMessageRequest,
} from './conversations.schemas.ts';
import { readMessagePage } from './read-messages.ts';
import { addMessageToConversation, parseMessageContent } from './write-message.ts';

const CONVERSATION_ACCESS = allowUsers('conversations:own');

export const ownerMessageRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (app, services) => {
  const { database, fieldCipher, createIdempotently } = services;

  app.get(
    '/:id/messages',
    {
      exposeHeadRoute: false,
      config: { access: CONVERSATION_ACCESS, audit: auditAs('CONVERSATION_READ') },
      schema: {
        operationId: 'conversations.messages',
        tags: ['Conversations'],
        summary: "List the messages of a conversation, newest first. Marks the finder's messages as read.",
        params: createIdParams('id'),
        querystring: MessageListQuery,
        response: { 200: schemaRef(ConversationMessageList) },
      },
    },
    async (request) => {
      const conversation = await requireOwnConversation(request, request.params.id);
      const side = { conversation, reader: 'OWNER' } as const;
      const locale = toLocale(requireUser(request).language);
      return readMessagePage(services, getRequestContext(request), side, request.query, locale);
    },
  );

  app.post(
    '/:id/messages',
    {
      config: {
        access: allowUsersWithProfile('conversations:own'),
        audit: auditAs('CONVERSATION_CONTINUED'),
      },
      schema: {
        operationId: 'conversations.write',
        tags: ['Conversations'],
        summary: "Send a message. Marks the finder's earlier messages as read.",
        params: createIdParams('id'),
        headers: IdempotencyHeader,
        body: NewMessageRequest,
        response: { 201: schemaRef(ConversationMessage), ...createProblemResponses(409) },
      },
    },
    async (request, reply) => {
      const { id: conversationId } = await requireOwnConversation(request, request.params.id);
      const { id: who, language } = requireUser(request);
      const context = getRequestContext(request);
      const content = parseMessageContent(request.body);
      const result = await createIdempotently(
        context,
        { who, fingerprint: [conversationId, request.body] },
        async (tx) => {
          const row = await addMessageToConversation(services, context, tx, {
            conversationId,
            sender: 'OWNER',
            content,
          });
          return { body: toMessageView(fieldCipher, row, toLocale(language)) };
        },
      );
      return replyCreated(reply, result);
    },
  );

  async function requireOwnConversation(request: FastifyRequest, id: string): Promise<ConversationRow> {
    const row = await findConversation(database.client, id);
    if (row?.ownerId !== requireUser(request).id) throw new ServiceError('NOT_FOUND');
    return row;
  }
};
