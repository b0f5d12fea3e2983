import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { tolerateIntegrityFailures } from '../../platform/report-integrity-failures.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  DoneResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { chooseLocale } from '../../shared/i18n/choose-locale.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { NEWEST_FIRST, toTimePosition } from '../../shared/list-cursor.ts';
import { changeConversation, markConversationRead } from './change-conversation.use-case.ts';
import { type ConversationRow, findConversation } from './conversation.repository.ts';
import { toMessageView, toThreadMessageView } from './conversation.view.ts';
import { assertConversationNotWithheld } from './conversation-origin.ts';
import type { ConversationServices } from './conversation-services.ts';
import { isConversationTokenValid } from './conversation-token.ts';
import {
  ConversationEndResponse,
  ConversationMessage,
  ConversationMessageList,
  ConversationTokenHeader,
  MessageListQuery,
  MessagesReadRequest,
  NewMessageRequest,
  READ_DESCRIPTION,
} from './conversations.schemas.ts';
import { listMessagesForSide } from './read-messages.ts';
import { addMessageToConversation, findMessageErrors, parseMessageContent } from './write-message.ts';

export const finderConversationRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (
  app,
  services,
) => {
  const { database, fieldCipher, createIdempotently } = services;

  app.get(
    '/:id/messages',
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('CONVERSATION'), rateLimitClass: 'public-read' },
      schema: {
        operationId: 'conversations.listMessagesAsFinder',
        tags: ['Conversations'],
        summary: 'List the messages of a conversation as the finder, newest first',
        description:
          'Needs the token that POST /api/conversations/public returned. Presets are in the language of Accept-Language. POST /api/conversations/public/{id}/read marks them as read. 410 while administrators withhold the code.',
        params: createIdParamsSchema('id'),
        headers: ConversationTokenHeader,
        querystring: MessageListQuery,
        response: { 200: schemaRef(ConversationMessageList), ...createProblemResponseSchemas(403, 410) },
      },
    },
    async (request) => {
      const conversation = await requireConversationByToken(request, request.params.id);
      await assertConversationNotWithheld(database.client, conversation);
      const locale = chooseLocale(undefined, request.headers['accept-language']);
      const side = { conversation, reader: 'FINDER' } as const;
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
        access: PUBLIC_ACCESS,
        audit: auditAs('CONVERSATION_CONTINUED'),
        findBodyErrors: findMessageErrors,
      },
      schema: {
        operationId: 'conversations.sendMessageAsFinder',
        tags: ['Conversations'],
        summary: "Send a message as the finder. Marks the owner's earlier messages as read",
        description:
          'The owner is notified. An ended conversation is 409 CONVERSATION_ENDED. Up to 60 messages an hour.',
        params: createIdParamsSchema('id'),
        headers: Type.Object({ ...ConversationTokenHeader.properties, ...IdempotencyKeyHeader.properties }),
        body: NewMessageRequest,
        response: { 201: schemaRef(ConversationMessage), ...createProblemResponseSchemas(403, 409, 410) },
      },
    },
    async (request, reply) => {
      const { id: conversationId, accountId } = await requireConversationByToken(request, request.params.id);
      const context = getRequestContext(request);
      const content = parseMessageContent(request.body);
      const locale = chooseLocale(undefined, request.headers['accept-language']);
      const idempotencyOptions = { who: `conversation:${conversationId}`, fingerprint: request.body };
      const result = await createIdempotently(context, idempotencyOptions, async (tx) => {
        const row = await addMessageToConversation(services, context, tx, {
          conversationId,
          sender: 'FINDER',
          content,
        });
        return {
          body: toMessageView(fieldCipher, row, locale),
          location: `/api/conversations/public/${conversationId}/messages`,
          contentOf: accountId,
        };
      });
      return prepareCreatedReply(reply, result);
    },
  );

  app.post(
    '/:id/read',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('CONVERSATION_READ') },
      schema: {
        operationId: 'conversations.markReadAsFinder',
        tags: ['Conversations'],
        summary: "Mark the owner's messages as read as the finder. Idempotent",
        description: READ_DESCRIPTION,
        params: createIdParamsSchema('id'),
        headers: ConversationTokenHeader,
        body: Type.Optional(MessagesReadRequest),
        response: { 200: schemaRef(DoneResponse), ...createProblemResponseSchemas(403, 410) },
      },
    },
    async (request) => {
      const conversation = await requireConversationByToken(request, request.params.id);
      await assertConversationNotWithheld(database.client, conversation);
      const side = { conversation, reader: 'FINDER', upTo: request.body?.upTo } as const;
      await markConversationRead(database, getRequestContext(request), side);
      return { done: true as const };
    },
  );

  app.delete(
    '/:id/email',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('FINDER_EMAIL_REMOVED') },
      schema: {
        operationId: 'conversations.forgetEmail',
        tags: ['Conversations'],
        summary: 'Unsubscribe the finder from emails about replies. Idempotent',
        description: 'Removes the address that the finder left; the conversation goes on.',
        params: createIdParamsSchema('id'),
        headers: ConversationTokenHeader,
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(403) },
      },
    },
    async (request) => {
      const { id } = await requireConversationByToken(request, request.params.id);
      const finder = { conversationId: id, side: 'FINDER' } as const;
      await changeConversation(database, getRequestContext(request), finder, 'forget-email');
      return { id, deleted: true as const };
    },
  );

  app.post(
    '/:id/end',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('CONVERSATION_ENDED') },
      schema: {
        operationId: 'conversations.endAsFinder',
        tags: ['Conversations'],
        summary: 'End a conversation as the finder. Idempotent',
        description: `Nobody can write any more. The messages stay readable until the conversation expires, ${formatLifetime('conversation')} after the last one.`,
        params: createIdParamsSchema('id'),
        headers: ConversationTokenHeader,
        response: { 200: schemaRef(ConversationEndResponse), ...createProblemResponseSchemas(403) },
      },
    },
    async (request) => {
      const { id } = await requireConversationByToken(request, request.params.id);
      const finder = { conversationId: id, side: 'FINDER' } as const;
      await changeConversation(database, getRequestContext(request), finder, 'end');
      return { id, status: 'ENDED' as const };
    },
  );

  async function requireConversationByToken(request: FastifyRequest, id: string): Promise<ConversationRow> {
    if (!isConversationTokenValid(fieldCipher, id, 'FINDER', request.headers['x-conversation-token']))
      throw new ServiceError('CONVERSATION_TOKEN_INVALID');
    const row = await findConversation(database.client, id);
    if (!row) throw new ServiceError('NOT_FOUND');
    return row;
  }
};
