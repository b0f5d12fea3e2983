import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { recordAction } from '../../platform/audit.ts';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { problems } from '../../platform/openapi.ts';
import { audited, PUBLIC } from '../../platform/route-access.ts';
import { Deleted, IdempotencyHeader, idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { chooseLocale } from '../../shared/i18n/choose-locale.ts';
import {
  type ConversationRow,
  findConversation,
  forgetFinderEmail,
  lockConversation,
} from './conversation.repository.ts';
import { messageView } from './conversation.view.ts';
import type { ConversationServices } from './conversation-services.ts';
import { opensConversation } from './conversation-token.ts';
import {
  ConversationEnd,
  ConversationMessage,
  ConversationMessageList,
  ConversationTokenHeader,
  MessageListQuery,
  NewConversationMessage,
} from './conversations.schemas.ts';
import { endConversation } from './end-conversation.ts';
import { readMessages } from './read-messages.ts';
import { addMessage, contentOf } from './write-message.ts';

/** The finder's side of conversations: by the token of a scan, then by that of the conversation. */
export const finderConversationRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (
  app,
  services,
) => {
  const { database, vault, createOnce } = services;

  app.get(
    '/:id/messages',
    {
      exposeHeadRoute: false,
      config: { access: PUBLIC, audit: audited('CONVERSATION_READ'), rateLimitClass: 'public-read' },
      schema: {
        operationId: 'conversations.readAsFinder',
        tags: ['Conversations'],
        summary: 'The messages of a conversation, newest first; what the owner wrote counts as read.',
        params: idParams('id'),
        headers: ConversationTokenHeader,
        querystring: MessageListQuery,
        response: { 200: ref(ConversationMessageList), ...problems(403) },
      },
    },
    async (request) => {
      const conversation = await ownConversation(request, request.params.id);
      const locale = chooseLocale(undefined, request.headers['accept-language']);
      const side = { conversation, reader: 'FINDER' } as const;
      return readMessages(services, callerOf(request), side, request.query, locale);
    },
  );

  app.post(
    '/:id/messages',
    {
      config: { access: PUBLIC, audit: audited('CONVERSATION_CONTINUED') },
      schema: {
        operationId: 'conversations.writeAsFinder',
        tags: ['Conversations'],
        summary: 'Write in a conversation, as the finder; what the owner wrote before counts as read.',
        params: idParams('id'),
        headers: Type.Object({ ...ConversationTokenHeader.properties, ...IdempotencyHeader.properties }),
        body: NewConversationMessage,
        response: { 201: ref(ConversationMessage), ...problems(403, 409) },
      },
    },
    async (request, reply) => {
      const { id: conversationId, ownerId } = await ownConversation(request, request.params.id);
      const caller = callerOf(request);
      const content = contentOf(request.body);
      const locale = chooseLocale(undefined, request.headers['accept-language']);
      const once = { who: `conversation:${conversationId}`, sameAs: request.body };
      const made = await createOnce(caller, once, async (tx) => {
        const row = await addMessage(services, caller, tx, { conversationId, sender: 'FINDER', content });
        return { body: messageView(vault, row, locale), contentOf: ownerId };
      });
      return created(reply, made);
    },
  );

  app.delete(
    '/:id/email',
    {
      config: { access: PUBLIC, audit: audited('FINDER_EMAIL_REMOVED') },
      schema: {
        operationId: 'conversations.forgetEmail',
        tags: ['Conversations'],
        summary: 'No mails of answers any more; the same again is 200.',
        params: idParams('id'),
        headers: ConversationTokenHeader,
        response: { 200: ref(Deleted), ...problems(403) },
      },
    },
    async (request) => {
      const { id } = await ownConversation(request, request.params.id);
      await database.transaction(async (tx) => {
        if (await forgetFinderEmail(tx, id)) await recordAction(tx, callerOf(request), { resourceId: id });
      });
      return { id, deleted: true as const };
    },
  );

  app.post(
    '/:id/end',
    {
      config: { access: PUBLIC, audit: audited('CONVERSATION_ENDED') },
      schema: {
        operationId: 'conversations.endAsFinder',
        tags: ['Conversations'],
        summary: 'End a conversation, as the finder; the same again is 200.',
        params: idParams('id'),
        headers: ConversationTokenHeader,
        response: { 200: ref(ConversationEnd), ...problems(403) },
      },
    },
    async (request) => {
      const row = await ownConversation(request, request.params.id);
      const { id } = row;
      await database.transaction(async (tx) => {
        await lockConversation(tx, id);
        if (await endConversation(tx, row, 'FINDER'))
          await recordAction(tx, callerOf(request), { resourceId: id });
      });
      return { id, status: 'ENDED' as const };
    },
  );

  /** The conversation of the token in the header. Throws CONVERSATION_TOKEN_INVALID, also where there is none. */
  async function ownConversation(request: FastifyRequest, id: string): Promise<ConversationRow> {
    if (!opensConversation(vault, id, 'FINDER', request.headers['x-conversation-token']))
      throw new ServiceError('CONVERSATION_TOKEN_INVALID');
    const row = await findConversation(database.client, id);
    if (!row) throw new ServiceError('NOT_FOUND');
    return row;
  }
};
