import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { commitAuditEntry } from '../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { HAD_REPORT_REASON, HAD_REPORT_REASON_IN_LIST } from '../../platform/http/api-versions.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { tolerateIntegrityFailures } from '../../platform/report-integrity-failures.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { toSupportedLocale } from '../../shared/i18n/choose-locale.ts';
import { NEWEST_FIRST } from '../../shared/list-cursor.ts';
import { createPageSchema } from '../../shared/pagination.ts';
import {
  findConversationReport,
  listConversationReports,
  listMessages,
  REPORT_DECISION_NOTE,
  REPORT_NOTE,
  toThreadMessageView,
} from '../conversations/index.ts';
import {
  AdminConversationReportQuery,
  AdminReport,
  AdminReportDetails,
  ConversationReportDecisionRequest,
  MAX_REPORT_MESSAGES,
} from './conversation-reports.schemas.ts';
import { toAdminConversationReportView, toReportedConversationView } from './conversation-reports.views.ts';
import { decideConversationReport } from './decide-report.use-case.ts';
import { parseDecidedFilter } from './decisions.ts';

const REPORT_ACCESS = allowUsers('admin:reports');

/** Routes of administrators for reported conversations. */
export const adminConversationReportRoutes: FastifyPluginAsyncTypebox<{
  database: Database;
  fieldCipher: FieldCipher;
}> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '/conversation-reports',
    {
      config: {
        access: REPORT_ACCESS,
        audit: auditAs('CONVERSATION_REPORTS_LISTED'),
        versionChanges: [HAD_REPORT_REASON_IN_LIST],
      },
      schema: {
        operationId: 'admin.listConversationReports',
        tags: ['Administration'],
        summary: 'List conversation reports without their content, newest first',
        description: 'Read one for its messages. Each read is audited.',
        querystring: AdminConversationReportQuery,
        response: { 200: createPageSchema(AdminReport) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const isDecided = parseDecidedFilter(request.query.status);
      await commitAuditEntry(database, getRequestContext(request));
      const list = await listConversationReports(database.client, isDecided, page);
      return toListPage(page, list, toAdminConversationReportView);
    },
  );

  app.get(
    '/conversation-reports/:id',
    {
      config: {
        access: REPORT_ACCESS,
        audit: auditAs('CONVERSATION_REPORT_READ'),
        versionChanges: [HAD_REPORT_REASON],
      },
      schema: {
        operationId: 'admin.getConversationReport',
        tags: ['Administration'],
        summary: 'Get a reported conversation; each access is audited',
        description:
          'Returns the note of the reporting side, that of the decision, and the newest 200 messages.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(AdminReportDetails) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const row = await findConversationReport(database.client, id);
      if (!row) throw new ServiceError('NOT_FOUND');
      const context = getRequestContext(request);
      await commitAuditEntry(database, context, { resourceId: id });
      const messages = await listMessages(database.client, row.conversation, null, MAX_REPORT_MESSAGES);
      const locale = toSupportedLocale(requireAuthenticatedUser(request).language);
      return {
        ...toAdminConversationReportView(row),
        note: REPORT_NOTE.decrypt(fieldCipher, row),
        decisionNote: REPORT_DECISION_NOTE.decrypt(fieldCipher, row),
        conversation: toReportedConversationView(row),
        messages: await tolerateIntegrityFailures(database, context, (readTolerantly) =>
          messages.map((message) => toThreadMessageView(fieldCipher, message, locale, readTolerantly)),
        ),
      };
    },
  );

  app.post(
    '/conversation-reports/:id/decision',
    {
      config: {
        access: REPORT_ACCESS,
        audit: auditAs('CONVERSATION_REPORT_DECIDED'),
        storesResponse: true,
        versionChanges: [HAD_REPORT_REASON],
      },
      schema: {
        operationId: 'admin.decideConversationReport',
        tags: ['Administration'],
        summary: 'Decide a report. A report can be decided once',
        description:
          'The reporting side sees that the report is decided. The other side sees only that the conversation has ended.',
        params: createIdParamsSchema('id'),
        body: ConversationReportDecisionRequest,
        response: { 200: schemaRef(AdminReport), ...createProblemResponseSchemas(409) },
      },
    },
    async (request) => {
      const { params, body } = request;
      const row = await decideConversationReport(services, getRequestContext(request), params.id, body);
      return toAdminConversationReportView(row);
    },
  );
};
