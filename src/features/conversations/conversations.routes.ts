import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import { listDeletions } from '../../platform/deletion.repository.ts';
import { formatVersionEtag } from '../../platform/http/if-match.ts';
import { listChanges } from '../../platform/http/list-changes.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowLimitedMembers, allowUsers, auditAs, skipAudit } from '../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef } from '../../shared/common.schemas.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { createChangesPageSchema } from '../../shared/list-changes.schemas.ts';
import { createTimeSort, OLDEST_FIRST } from '../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../shared/pagination.ts';
import { parseTimeRangeFilters } from '../../shared/time-filters.ts';
import { listAssignees } from './assignee.repository.ts';
import {
  type ConversationChange,
  changeConversation,
  markConversationRead,
} from './change-conversation.use-case.ts';
import {
  type ConversationRow,
  listChangedConversations,
  listConversations,
} from './conversation.repository.ts';
import type { ConversationServices } from './conversation-services.ts';
import {
  AssigneeSchema,
  ConversationChangeRequest,
  ConversationListQuery,
  ConversationSchema,
  MessagesReadRequest,
  READ_DESCRIPTION,
} from './conversations.schemas.ts';
import {
  createOwnerConversationViewer,
  LAST_ACTIVE_FIRST,
  requireOwnConversation,
} from './read-own-conversations.ts';
import { updateConversation } from './update-conversation.use-case.ts';

const LAST_CHANGED_LAST = createTimeSort('updatedAt', ({ updatedAt }: ConversationRow) => updatedAt);

const CONVERSATION_ACCESS = allowLimitedMembers(allowUsers('conversations:own'), 'CONVERSATION');

export const ownerConversationRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (
  app,
  services,
) => {
  const { database } = services;

  app.get(
    '',
    {
      config: {
        access: allowLimitedMembers(CONVERSATION_ACCESS, 'FILTERED'),
        audit: skipAudit('CONVERSATION'),
        cache: 'revalidate',
      },
      schema: {
        operationId: 'conversations.list',
        tags: ['Conversations'],
        summary: 'List conversations about your codes, most recently active first',
        description:
          'Each has the number of its unread messages, the start of its last message and the last place. Use `cursor` for long lists.',
        querystring: ConversationListQuery,
        response: { 200: createChangesPageSchema(ConversationSchema) },
      },
    },
    async (request) => {
      const { qrCodeId, status: statuses, done: isDone, assignee, updatedSince } = request.query;
      if (updatedSince !== undefined) return listConversationChanges(request);
      const page = parseListPage(request, LAST_ACTIVE_FIRST);
      const user = requireAuthenticatedUser(request);
      const { id: accountId, folderIds: limitedTo } = requireAccount(request);
      const named = assignee === 'me' ? user.id : assignee;
      const assigneeId = named === 'none' ? null : named;
      const created = parseTimeRangeFilters(request.query, 'created', user.timeZone);
      const filter = { qrCodeId, statuses, created, isDone, assigneeId, limitedTo };
      const list = await database.read(({ client }) => listConversations(client, accountId, filter, page));
      return toListPage(
        page,
        list,
        await createOwnerConversationViewer(services, getRequestContext(request), user, list.rows),
      );
    },
  );

  app.get(
    '/assignees',
    {
      config: {
        access: allowLimitedMembers(CONVERSATION_ACCESS, 'FILTERED'),
        audit: skipAudit('CONVERSATION'),
        cache: 'revalidate',
      },
      schema: {
        operationId: 'conversations.listAssignees',
        tags: ['Conversations'],
        summary: 'List the members of an organization who can answer finders, oldest first',
        description: 'Owners, managers, editors and responders. None for a personal account.',
        querystring: PageQuery,
        response: { 200: createPageSchema(AssigneeSchema) },
      },
    },
    async (request) => {
      const page = parseListPage(request, OLDEST_FIRST);
      const list = await listAssignees(database.client, requireAccount(request).id, page);
      return toListPage(page, list, ({ id: userId, name }) => ({ userId, name }));
    },
  );

  app.get(
    '/:id',
    {
      config: { access: CONVERSATION_ACCESS, audit: skipAudit('CONVERSATION') },
      schema: {
        operationId: 'conversations.get',
        tags: ['Conversations'],
        summary: 'Get a conversation without its messages',
        description: 'Returns its state, the number of unread messages, and whether the finder is blocked.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(ConversationSchema) },
      },
    },
    async (request, reply) => {
      const conversation = await readConversation(request, request.params.id);
      return reply.header('ETag', formatVersionEtag(conversation.version)).send(conversation);
    },
  );

  app.patch(
    '/:id',
    {
      config: { access: CONVERSATION_ACCESS, audit: auditAs('CONVERSATION_UPDATED') },
      schema: {
        operationId: 'conversations.patch',
        tags: ['Conversations'],
        summary: 'Update a conversation: whether it is done, and who is to answer',
        description:
          'The finder does not see it, and can write on. A conversation that you ended is done; to open it, reopen it: else 409 CONVERSATION_ENDED. Members of an organization can answer for one another: who is made `assigneeId` gets the notification `conversation.assigned`.',
        params: createIdParamsSchema('id'),
        body: ConversationChangeRequest,
        response: { 200: schemaRef(ConversationSchema), ...createProblemResponseSchemas(409, 412) },
      },
    },
    async (request, reply) => {
      const { id } = await requireOwnConversation(
        database.client,
        requireAccount(request).id,
        request.params.id,
      );
      await updateConversation(
        services,
        getRequestContext(request),
        { id, userId: requireAuthenticatedUser(request).id, accountId: requireAccount(request).id },
        request.body,
        request.headers['if-match'],
      );
      const conversation = await readConversation(request, id);
      return reply.header('ETag', formatVersionEtag(conversation.version)).send(conversation);
    },
  );

  const changeSchema = {
    tags: ['Conversations'],
    params: createIdParamsSchema('id'),
    response: { 200: schemaRef(ConversationSchema), ...createProblemResponseSchemas(412) },
  };
  app.post(
    '/:id/read',
    {
      config: { access: CONVERSATION_ACCESS, audit: auditAs('CONVERSATION_READ'), storesResponse: true },
      schema: {
        operationId: 'conversations.markRead',
        summary: "Mark the finder's messages as read. Idempotent",
        description: READ_DESCRIPTION,
        body: Type.Optional(MessagesReadRequest),
        ...changeSchema,
      },
    },
    async (request) => {
      const { id: accountId } = requireAccount(request);
      const conversation = await requireOwnConversation(database.client, accountId, request.params.id);
      const side = { conversation, reader: 'OWNER', upTo: request.body?.upTo } as const;
      const ifMatch = request.headers['if-match'];
      await markConversationRead(database, getRequestContext(request), side, ifMatch);
      return readConversation(request, conversation.id);
    },
  );

  app.post(
    '/:id/end',
    {
      config: { access: CONVERSATION_ACCESS, audit: auditAs('CONVERSATION_ENDED'), storesResponse: true },
      schema: {
        operationId: 'conversations.end',
        summary: 'End a conversation. Idempotent',
        description: `Nobody can write any more. The messages stay readable until the conversation expires, ${formatLifetime('conversation')} after the last one.`,
        ...changeSchema,
      },
    },
    async (request) => changeAsOwner(request, 'end'),
  );

  app.post(
    '/:id/reopen',
    {
      config: { access: CONVERSATION_ACCESS, audit: auditAs('CONVERSATION_REOPENED'), storesResponse: true },
      schema: {
        operationId: 'conversations.reopen',
        summary: 'Reopen a conversation that you ended. Idempotent',
        description:
          'Both sides can write again. One that the finder or an administrator ended is 409 CONVERSATION_ENDED, and so is one whose finder is blocked.',
        ...changeSchema,
        response: { ...changeSchema.response, ...createProblemResponseSchemas(409) },
      },
    },
    async (request) => changeAsOwner(request, 'reopen'),
  );

  app.post(
    '/:id/block',
    {
      config: { access: CONVERSATION_ACCESS, audit: auditAs('FINDER_BLOCKED'), storesResponse: true },
      schema: {
        operationId: 'conversations.block',
        summary: 'End a conversation, and block its finder from starting others. Idempotent',
        description: 'The finder can no longer contact you by any of your codes.',
        ...changeSchema,
      },
    },
    async (request) => changeAsOwner(request, 'block'),
  );

  app.post(
    '/:id/unblock',
    {
      config: { access: CONVERSATION_ACCESS, audit: auditAs('FINDER_UNBLOCKED'), storesResponse: true },
      schema: {
        operationId: 'conversations.unblock',
        summary: 'Unblock the finder of a conversation. Idempotent',
        description: 'The finder can start a new conversation. This one stays ended.',
        ...changeSchema,
      },
    },
    async (request) => changeAsOwner(request, 'unblock'),
  );

  async function changeAsOwner(
    request: FastifyRequest<{ Params: { id: string } }>,
    change: ConversationChange,
  ) {
    const user = requireAuthenticatedUser(request);
    const { id: conversationId } = await requireOwnConversation(
      database.client,
      requireAccount(request).id,
      request.params.id,
    );
    const owner = { conversationId, side: 'OWNER' } as const;
    const context = getRequestContext(request);
    const ifMatch = request.headers['if-match'];
    const row = await changeConversation(database, context, owner, change, ifMatch);
    return (await createOwnerConversationViewer(services, context, user, [row]))(row);
  }

  async function readConversation(request: FastifyRequest, id: string) {
    const user = requireAuthenticatedUser(request);
    const row = await requireOwnConversation(database.client, requireAccount(request).id, id);
    return (await createOwnerConversationViewer(services, getRequestContext(request), user, [row]))(row);
  }

  async function listConversationChanges(
    request: FastifyRequest<{ Querystring: Static<typeof ConversationListQuery> }>,
  ) {
    const user = requireAuthenticatedUser(request);
    const { id: accountId, folderIds: limitedTo } = requireAccount(request);
    const { client } = database;
    return listChanges(request, LAST_CHANGED_LAST, async (since, page) => {
      const rows = await listChangedConversations(client, { accountId, since, limitedTo }, page);
      // Nobody knows any more which code one was about.
      const deletions = limitedTo
        ? []
        : await listDeletions(client, { accountId, type: 'CONVERSATION', since }, page);
      return {
        rows,
        deletions,
        toItem: await createOwnerConversationViewer(services, getRequestContext(request), user, rows),
      };
    });
  }
};
