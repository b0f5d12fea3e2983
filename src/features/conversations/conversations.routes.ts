import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { account, audited, unaudited } from '../../platform/route-access.ts';
import { idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { cursorAnswer, offsetOf, pageAnswer } from '../../shared/pagination.ts';
import { readTimeCursor, writeTimeCursor } from '../../shared/time-cursor.ts';
import { blockedAmong, deleteBlock, insertBlock } from './blocked-finder.repository.ts';
import {
  type ConversationRow,
  findConversation,
  listConversations,
  listConversationsAfter,
  lockConversation,
} from './conversation.repository.ts';
import { conversationView } from './conversation.view.ts';
import type { ConversationServices } from './conversation-services.ts';
import { Conversation, ConversationList, ConversationListQuery } from './conversations.schemas.ts';
import { endConversation } from './end-conversation.ts';
import { countUnreadMessages } from './message.repository.ts';
import { reportedAmong } from './report.repository.ts';

const OWN = account('conversations:own');

/** The owner's side of conversations. */
export const conversationRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (app, services) => {
  const { database, vault } = services;

  app.get(
    '',
    {
      config: { access: OWN, audit: unaudited('CONVERSATION'), cache: 'revalidate' },
      schema: {
        operationId: 'conversations.list',
        tags: ['Conversations'],
        summary: 'Conversations about the codes of the account, the last one written in first.',
        querystring: ConversationListQuery,
        response: { 200: ref(ConversationList) },
      },
    },
    async (request) => {
      const { query } = request;
      const { id: ownerId } = userOf(request);
      if (query.cursor === undefined) {
        const page = { skip: offsetOf(query), take: query.limit };
        const { rows, total } = await listConversations(database.client, ownerId, query, page);
        const view = await viewOf(ownerId, rows);
        return pageAnswer(query, rows.map(view), total);
      }
      const after = readTimeCursor(query.cursor);
      const rows = await listConversationsAfter(database.client, ownerId, query, after, query.limit + 1);
      const view = await viewOf(ownerId, rows);
      return cursorAnswer(rows, query.limit, view, ({ lastMessageAt: at, id }) =>
        writeTimeCursor({ at, id }),
      );
    },
  );

  app.get(
    '/:id',
    {
      config: { access: OWN, audit: unaudited('CONVERSATION') },
      schema: {
        operationId: 'conversations.get',
        tags: ['Conversations'],
        summary: 'Read a conversation, without its messages.',
        params: idParams('id'),
        response: { 200: ref(Conversation) },
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
        config: { access: OWN, audit: audited(action[name]) },
        schema: {
          operationId,
          tags: ['Conversations'],
          summary,
          params: idParams('id'),
          response: { 200: ref(Conversation) },
        },
      },
      async (request) => {
        const { id } = request.params;
        const row = await database.transaction(async (tx) => {
          const held = await lockConversation(tx, id);
          if (held?.ownerId !== userOf(request).id) throw new ServiceError('NOT_FOUND');
          if (await change(tx, name, held)) await recordAction(tx, callerOf(request), { resourceId: id });
          return (await findConversation(tx, id)) ?? held;
        });
        return (await viewOf(row.ownerId, [row]))(row);
      },
    );
  }

  /** Whether something was changed. */
  async function change(tx: Tx, name: 'end' | 'block' | 'unblock', row: ConversationRow): Promise<boolean> {
    const { ownerId, finderHash } = row;
    if (name === 'end') return endConversation(tx, row, 'OWNER');
    if (name === 'unblock') return deleteBlock(tx, ownerId, finderHash);
    const hasEnded = await endConversation(tx, row, 'OWNER');
    return (await insertBlock(tx, ownerId, finderHash)) || hasEnded;
  }

  /** How the conversations of an owner are seen by them. */
  async function viewOf(ownerId: string, rows: readonly ConversationRow[]) {
    const ids = rows.map(({ id }) => id);
    const unread = await countUnreadMessages(database.client, ownerId, ids);
    const blocked = await blockedAmong(database.client, ownerId, rows);
    const reported = await reportedAmong(database.client, ids, 'OWNER');
    return (row: ConversationRow) =>
      conversationView(vault, row, {
        unread: unread.get(row.id) ?? 0,
        isBlocked: blocked.has(row.id),
        isDecided: reported.get(row.id),
      });
  }

  /** Throws NOT_FOUND for a conversation that is gone, or somebody else's. */
  async function ownConversation(request: FastifyRequest, id: string): Promise<ConversationRow> {
    const row = await findConversation(database.client, id);
    if (row?.ownerId !== userOf(request).id) throw new ServiceError('NOT_FOUND');
    return row;
  }
};
