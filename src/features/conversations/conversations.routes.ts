import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { recordAuditEntry } from '../../platform/audit.ts';
import { requireUser } from '../../platform/authentication.ts';
import type { Tx } from '../../platform/database.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../platform/route-access.ts';
import { createIdParams, schemaRef } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { getPageOffset, toCursorPage, toPage } from '../../shared/pagination.ts';
import { decodeTimeCursor, encodeTimeCursor } from '../../shared/time-cursor.ts';
import { deleteFinderBlock, findBlockedConversationIds, insertFinderBlock } from '../scans/index.ts';
import {
  type ConversationRow,
  findConversation,
  listConversations,
  listConversationsAfter,
  lockConversation,
} from './conversation.repository.ts';
import { toConversationView } from './conversation.view.ts';
import type { ConversationServices } from './conversation-services.ts';
import { ConversationList, ConversationListQuery, ConversationSchema } from './conversations.schemas.ts';
import { endConversation } from './end-conversation.ts';
import { countUnreadMessages } from './message.repository.ts';
import { findReportDecisions } from './report.repository.ts';

const CONVERSATION_ACCESS = allowUsers('conversations:own');

/** The owner's side of conversations. */
export const conversationRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '',
    {
      config: { access: CONVERSATION_ACCESS, audit: skipAudit('CONVERSATION'), cache: 'revalidate' },
      schema: {
        operationId: 'conversations.list',
        tags: ['Conversations'],
        summary: 'Conversations about the codes of the account, the last one written in first.',
        querystring: ConversationListQuery,
        response: { 200: schemaRef(ConversationList) },
      },
    },
    async (request) => {
      const { query } = request;
      const { id: ownerId } = requireUser(request);
      if (query.cursor === undefined) {
        const page = { skip: getPageOffset(query), take: query.limit };
        const { rows, total } = await listConversations(database.client, ownerId, query, page);
        const view = await viewOf(ownerId, rows);
        return toPage(query, rows.map(view), total);
      }
      const after = decodeTimeCursor(query.cursor);
      const rows = await listConversationsAfter(database.client, ownerId, query, after, query.limit + 1);
      const view = await viewOf(ownerId, rows);
      return toCursorPage(rows, query.limit, view, ({ lastMessageAt: at, id }) =>
        encodeTimeCursor({ at, id }),
      );
    },
  );

  app.get(
    '/:id',
    {
      config: { access: CONVERSATION_ACCESS, audit: skipAudit('CONVERSATION') },
      schema: {
        operationId: 'conversations.get',
        tags: ['Conversations'],
        summary: 'Read a conversation, without its messages.',
        params: createIdParams('id'),
        response: { 200: schemaRef(ConversationSchema) },
      },
    },
    async (request) => {
      const row = await ownConversation(request, request.params.id);
      return (await viewOf(row.ownerId, [row]))(row);
    },
  );

  for (const [name, operationId, summary] of [
    ['end', 'conversations.end', 'End a conversation; the same again is 200.'],
    [
      'block',
      'conversations.block',
      'End a conversation, and let this finder begin no other; the same again is 200.',
    ],
    ['unblock', 'conversations.unblock', 'Let a finder who was blocked begin another conversation.'],
  ] as const) {
    const action = {
      end: 'CONVERSATION_ENDED',
      block: 'FINDER_BLOCKED',
      unblock: 'FINDER_UNBLOCKED',
    } as const;
    app.post(
      `/:id/${name}`,
      {
        config: { access: CONVERSATION_ACCESS, audit: auditAs(action[name]) },
        schema: {
          operationId,
          tags: ['Conversations'],
          summary,
          params: createIdParams('id'),
          response: { 200: schemaRef(ConversationSchema) },
        },
      },
      async (request) => {
        const { id } = request.params;
        const row = await database.transaction(async (tx) => {
          const lockedConversation = await lockConversation(tx, id);
          if (lockedConversation?.ownerId !== requireUser(request).id) throw new ServiceError('NOT_FOUND');
          if (await change(tx, name, lockedConversation))
            await recordAuditEntry(tx, getRequestContext(request), { resourceId: id });
          return (await findConversation(tx, id)) ?? lockedConversation;
        });
        return (await viewOf(row.ownerId, [row]))(row);
      },
    );
  }

  /** Whether something was changed. */
  async function change(tx: Tx, name: 'end' | 'block' | 'unblock', row: ConversationRow): Promise<boolean> {
    const { ownerId, finderHash } = row;
    if (name === 'end') return endConversation(tx, row, 'OWNER');
    if (name === 'unblock') return deleteFinderBlock(tx, ownerId, finderHash);
    const hasEnded = await endConversation(tx, row, 'OWNER');
    return (await insertFinderBlock(tx, ownerId, finderHash)) || hasEnded;
  }

  /** How the conversations of an owner are seen by them. */
  async function viewOf(ownerId: string, rows: readonly ConversationRow[]) {
    const ids = rows.map(({ id }) => id);
    const unread = await countUnreadMessages(database.client, ownerId, ids);
    const blocked = await findBlockedConversationIds(database.client, ownerId, rows);
    const reported = await findReportDecisions(database.client, ids, 'OWNER');
    return (row: ConversationRow) =>
      toConversationView(fieldCipher, row, {
        unread: unread.get(row.id) ?? 0,
        isBlocked: blocked.has(row.id),
        isDecided: reported.get(row.id),
      });
  }

  /** Throws NOT_FOUND for a conversation that is gone, or somebody else's. */
  async function ownConversation(request: FastifyRequest, id: string): Promise<ConversationRow> {
    const row = await findConversation(database.client, id);
    if (row?.ownerId !== requireUser(request).id) throw new ServiceError('NOT_FOUND');
    return row;
  }
};
