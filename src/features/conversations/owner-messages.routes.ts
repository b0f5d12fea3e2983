import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { tolerateIntegrityFailures } from '../../platform/report-integrity-failures.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import {
  allowLimitedMembers,
  allowUsers,
  allowUsersWithProfile,
  auditAs,
  skipAudit,
} from '../../platform/route-access.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../shared/common.schemas.ts';
import { toSupportedLocale } from '../../shared/i18n/choose-locale.ts';
import { NEWEST_FIRST, toTimePosition } from '../../shared/list-cursor.ts';
import { toMessageView, toThreadMessageView } from './conversation.view.ts';
import type { ConversationServices } from './conversation-services.ts';
import {
  ConversationMessage,
  ConversationMessageList,
  MessageListQuery,
  NewMessageRequest,
} from './conversations.schemas.ts';
import { listMessagesForSide } from './read-messages.ts';
import { requireOwnConversation } from './read-own-conversations.ts';
import { addMessageToConversation, findMessageErrors, parseMessageContent } from './write-message.ts';

const CONVERSATION_ACCESS = allowLimitedMembers(allowUsers('conversations:own'), 'CONVERSATION');

export const ownerMessageRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (app, services) => {
  const { database, fieldCipher, createIdempotently } = services;

  app.get(
    '/:id/messages',
    {
      config: { access: CONVERSATION_ACCESS, audit: skipAudit('CONVERSATION') },
      schema: {
        operationId: 'conversations.listMessages',
        tags: ['Conversations'],
        summary: 'List the messages of a conversation, newest first',
        description:
          'Presets are in the language of your profile. POST /api/conversations/{id}/read marks them as read.',
        params: createIdParamsSchema('id'),
        querystring: MessageListQuery,
        response: { 200: schemaRef(ConversationMessageList) },
      },
    },
    async (request) => {
      const conversation = await requireOwnConversation(
        database.client,
        requireAccount(request).id,
        request.params.id,
      );
      const side = { conversation, reader: 'OWNER' } as const;
      const locale = toSupportedLocale(requireAuthenticatedUser(request).language);
      const page = parseListPage(request, NEWEST_FIRST);
      const range = { after: toTimePosition(page.after), take: page.take };
      const rows = await listMessagesForSide(database.client, side, range);
      return tolerateIntegrityFailures(database, getRequestContext(request), (readTolerantly) =>
        toListPage(page, { rows }, (row) => toThreadMessageView(fieldCipher, row, locale, readTolerantly)),
      );
    },
  );

  app.post(
    '/:id/messages',
    {
      config: {
        access: allowLimitedMembers(allowUsersWithProfile('conversations:own'), 'CONVERSATION'),
        audit: auditAs('CONVERSATION_CONTINUED'),
        findBodyErrors: findMessageErrors,
      },
      schema: {
        operationId: 'conversations.sendMessage',
        tags: ['Conversations'],
        summary: "Send a message. Marks the finder's earlier messages as read",
        description:
          'The finder sees it on the page of the conversation, and gets an email if they left an address. An ended conversation is 409 CONVERSATION_ENDED. Up to 60 messages an hour.',
        params: createIdParamsSchema('id'),
        headers: IdempotencyKeyHeader,
        body: NewMessageRequest,
        response: { 201: schemaRef(ConversationMessage), ...createProblemResponseSchemas(409, 410) },
      },
    },
    async (request, reply) => {
      const { id: conversationId } = await requireOwnConversation(
        database.client,
        requireAccount(request).id,
        request.params.id,
      );
      const { id: who } = requireAccount(request);
      const { language } = requireAuthenticatedUser(request);
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
          return {
            body: toMessageView(fieldCipher, row, toSupportedLocale(language)),
            location: `/api/conversations/${conversationId}/messages`,
          };
        },
      );
      return prepareCreatedReply(reply, result);
    },
  );
};
