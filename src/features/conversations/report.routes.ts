import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAccount } from '../../platform/authentication.ts';
import { actIdempotently } from '../../platform/http/act-idempotently.ts';
import { HAD_REPORT_REASON } from '../../platform/http/api-versions.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowLimitedMembers, allowUsers, auditAs, PUBLIC_ACCESS } from '../../platform/route-access.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { ConversationServices } from './conversation-services.ts';
import { isConversationTokenValid } from './conversation-token.ts';
import { ConversationTokenHeader } from './conversations.schemas.ts';
import { requireOwnConversation } from './read-own-conversations.ts';
import type { ConversationReportRow } from './report.repository.ts';
import {
  CONVERSATION_REPORT_CATEGORIES,
  ConversationReport,
  ConversationReportRequest,
} from './report.schemas.ts';
import { reportConversation } from './report-conversation.use-case.ts';

const REPORT_DESCRIPTION =
  'The administration reads the conversation and decides. The other side is not notified. A repeat returns 200 with the existing report and its status.';

export const conversationReportRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (
  app,
  services,
) => {
  const { database, fieldCipher } = services;

  app.post(
    '/:id/report',
    {
      config: {
        access: allowLimitedMembers(allowUsers('conversations:own'), 'CONVERSATION'),
        audit: auditAs('CONVERSATION_REPORTED'),
        versionChanges: [HAD_REPORT_REASON],
      },
      schema: {
        operationId: 'conversations.report',
        tags: ['Conversations'],
        summary: 'Report a conversation to the administration',
        description: REPORT_DESCRIPTION,
        headers: IdempotencyKeyHeader,
        params: createIdParamsSchema('id'),
        body: ConversationReportRequest,
        response: { 200: schemaRef(ConversationReport), 201: schemaRef(ConversationReport) },
      },
    },
    async (request, reply) => {
      const { id: conversationId } = request.params;
      await requireOwnConversation(database.client, requireAccount(request).id, conversationId);
      const reporter = { conversationId, side: 'OWNER' } as const;
      const location = `/api/conversations/${conversationId}`;
      return reply.send(await report(request, reply, reporter, location));
    },
  );

  app.post(
    '/public/:id/report',
    {
      config: {
        access: PUBLIC_ACCESS,
        audit: auditAs('CONVERSATION_REPORTED'),
        versionChanges: [HAD_REPORT_REASON],
      },
      schema: {
        operationId: 'conversations.reportAsFinder',
        tags: ['Conversations'],
        summary: 'Report a conversation to the administration as the finder',
        description: REPORT_DESCRIPTION,
        params: createIdParamsSchema('id'),
        headers: Type.Object({ ...ConversationTokenHeader.properties, ...IdempotencyKeyHeader.properties }),
        body: ConversationReportRequest,
        response: {
          200: schemaRef(ConversationReport),
          201: schemaRef(ConversationReport),
          ...createProblemResponseSchemas(403),
        },
      },
    },
    async (request, reply) => {
      const { id: conversationId } = request.params;
      if (
        !isConversationTokenValid(
          fieldCipher,
          conversationId,
          'FINDER',
          request.headers['x-conversation-token'],
        )
      )
        throw new ServiceError('CONVERSATION_TOKEN_INVALID');
      const reporter = { conversationId, side: 'FINDER' } as const;
      const location = `/api/conversations/public/${conversationId}/messages`;
      return reply.send(await report(request, reply, reporter, location));
    },
  );

  async function report(
    request: FastifyRequest<{ Body: Static<typeof ConversationReportRequest> }>,
    reply: FastifyReply,
    reporter: Parameters<typeof reportConversation>[2],
    location: string,
  ) {
    const { body } = request;
    const context = getRequestContext(request);
    const who = `report:${reporter.side}:${reporter.conversationId}`;
    const view = await actIdempotently(services, request, reply, { who }, async (joined) => {
      const { row, isNew } = await reportConversation(joined, context, reporter, body);
      return { body: toConversationReportView(row), ...(isNew && { location }) };
    });
    if (reply.hasHeader('Location')) reply.code(201);
    return view;
  }
};

function toConversationReportView(row: ConversationReportRow): Static<typeof ConversationReport> {
  return {
    id: row.id,
    conversationId: row.conversationId,
    category: CONVERSATION_REPORT_CATEGORIES.find((category) => category === row.category) ?? 'OTHER',
    status: row.decision === null ? 'OPEN' : 'DECIDED',
    createdAt: row.createdAt.toISOString(),
  };
}
