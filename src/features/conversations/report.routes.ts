import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { problems } from '../../platform/openapi.ts';
import { account, audited, PUBLIC } from '../../platform/route-access.ts';
import { idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findConversation } from './conversation.repository.ts';
import type { ConversationServices } from './conversation-services.ts';
import { opensConversation } from './conversation-token.ts';
import { ConversationTokenHeader } from './conversations.schemas.ts';
import type { ReportRow } from './report.repository.ts';
import { ConversationReport, NewReport, REPORT_REASONS } from './report.schemas.ts';
import { reportConversation } from './report-conversation.ts';

const DESCRIPTION =
  'The administration reads the conversation and decides. The other side learns nothing of it. Again is 200 with the first report, and whether it is decided.';

/** Reporting a conversation to the administration, by either side. */
export const conversationReportRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (
  app,
  { database, vault },
) => {
  app.post(
    '/:id/report',
    {
      config: { access: account('conversations:own'), audit: audited('CONVERSATION_REPORTED') },
      schema: {
        operationId: 'conversations.report',
        tags: ['Conversations'],
        summary: 'Report a conversation to the administration.',
        description: DESCRIPTION,
        params: idParams('id'),
        body: NewReport,
        response: { 200: ref(ConversationReport), 201: ref(ConversationReport) },
      },
    },
    async (request, reply) => {
      const { id: conversationId } = request.params;
      const found = await findConversation(database.client, conversationId);
      if (found?.ownerId !== userOf(request).id) throw new ServiceError('NOT_FOUND');
      const reported = { conversationId, side: 'OWNER' } as const;
      const { row, isNew } = await database.transaction((tx) =>
        reportConversation(vault, callerOf(request), tx, reported, request.body),
      );
      return reply.code(isNew ? 201 : 200).send(reportView(row));
    },
  );

  app.post(
    '/public/:id/report',
    {
      config: { access: PUBLIC, audit: audited('CONVERSATION_REPORTED') },
      schema: {
        operationId: 'conversations.reportAsFinder',
        tags: ['Conversations'],
        summary: 'Report a conversation to the administration, as the finder.',
        description: DESCRIPTION,
        params: idParams('id'),
        headers: ConversationTokenHeader,
        body: NewReport,
        response: { 200: ref(ConversationReport), 201: ref(ConversationReport), ...problems(403) },
      },
    },
    async (request, reply) => {
      const { id: conversationId } = request.params;
      if (!opensConversation(vault, conversationId, 'FINDER', request.headers['x-conversation-token']))
        throw new ServiceError('CONVERSATION_TOKEN_INVALID');
      const reported = { conversationId, side: 'FINDER' } as const;
      const { row, isNew } = await database.transaction((tx) =>
        reportConversation(vault, callerOf(request), tx, reported, request.body),
      );
      return reply.code(isNew ? 201 : 200).send(reportView(row));
    },
  );
};

function reportView(row: ReportRow): Static<typeof ConversationReport> {
  return {
    id: row.id,
    conversationId: row.conversationId,
    reason: REPORT_REASONS.find((reason) => reason === row.reason) ?? 'OTHER',
    status: row.decision === null ? 'OPEN' : 'DECIDED',
    createdAt: row.createdAt.toISOString(),
  };
}
