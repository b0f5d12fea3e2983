import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { problems } from '../../platform/openapi.ts';
import { account, accountWithProfile, audited } from '../../platform/route-access.ts';
import { IdempotencyHeader, idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { toLocale } from '../../shared/i18n/choose-locale.ts';
import { type ConversationRow, findConversation } from './conversation.repository.ts';
import { messageView } from './conversation.view.ts';
import type { ConversationServices } from './conversation-services.ts';
import {
  ConversationMessage,
  ConversationMessageList,
  MessageListQuery,
  NewConversationMessage,
} from './conversations.schemas.ts';
import { readMessages } from './read-messages.ts';
import { addMessage, contentOf } from './write-message.ts';

const OWN = account('conversations:own');

/** What an owner reads and writes in conversations. */
export const ownMessageRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (app, services) => {
  const { database, vault, createOnce } = services;

  app.get(
    '/:id/messages',
    {
      exposeHeadRoute: false,
      config: { access: OWN, audit: audited('CONVERSATION_READ') },
      schema: {
        operationId: 'conversations.messages',
        tags: ['Conversations'],
        summary: 'The messages of a conversation, newest first; what the finder wrote counts as read.',
        params: idParams('id'),
        querystring: MessageListQuery,
        response: { 200: ref(ConversationMessageList) },
      },
    },
    async (request) => {
      const conversation = await ownConversation(request, request.params.id);
      const side = { conversation, reader: 'OWNER' } as const;
      const locale = toLocale(userOf(request).language);
      return readMessages(services, callerOf(request), side, request.query, locale);
    },
  );

  app.post(
    '/:id/messages',
    {
      config: { access: accountWithProfile('conversations:own'), audit: audited('CONVERSATION_CONTINUED') },
      schema: {
        operationId: 'conversations.write',
        tags: ['Conversations'],
        summary: 'Answer in a conversation; what the finder wrote before counts as read.',
        params: idParams('id'),
        headers: IdempotencyHeader,
        body: NewConversationMessage,
        response: { 201: ref(ConversationMessage), ...problems(409) },
      },
    },
    async (request, reply) => {
      const { id: conversationId } = await ownConversation(request, request.params.id);
      const { id: who, language } = userOf(request);
      const caller = callerOf(request);
      const content = contentOf(request.body);
      const made = await createOnce(caller, { who, sameAs: [conversationId, request.body] }, async (tx) => {
        const row = await addMessage(services, caller, tx, { conversationId, sender: 'OWNER', content });
        return { body: messageView(vault, row, toLocale(language)) };
      });
      return created(reply, made);
    },
  );

  /** Throws NOT_FOUND for a conversation that is gone, or somebody else's. */
  async function ownConversation(request: FastifyRequest, id: string): Promise<ConversationRow> {
    const row = await findConversation(database.client, id);
    if (row?.ownerId !== userOf(request).id) throw new ServiceError('NOT_FOUND');
    return row;
  }
};
