import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import type { Database } from '../../platform/database.ts';
import { problems } from '../../platform/openapi.ts';
import { account, audited } from '../../platform/route-access.ts';
import type { Vault } from '../../platform/vault.ts';
import { idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { toLocale } from '../../shared/i18n/choose-locale.ts';
import { offsetOf, pageAnswer, pageOf } from '../../shared/pagination.ts';
import { messageView } from '../conversations/conversation.view.ts';
import { openDecisionNote, openReportNote } from '../conversations/conversation-content.ts';
import { listMessages } from '../conversations/message.repository.ts';
import { findReport, listReports } from '../conversations/report.repository.ts';
import {
  AdminReport,
  AdminReportDetails,
  AdminReportQuery,
  ReportDecision,
} from './conversation-reports.schemas.ts';
import { adminReportView, reportedConversationView } from './conversation-reports.views.ts';
import { decideReport } from './decide-report.ts';

/** Messages that are shown of a reported conversation: the last ones. */
const SHOWN = 200;

const ACCESS = account('admin:reports');

/** Conversations that were reported: reading them, and deciding. */
export const adminReportRoutes: FastifyPluginAsyncTypebox<{ database: Database; vault: Vault }> = async (
  app,
  { database, vault },
) => {
  app.get(
    '/conversation-reports',
    {
      exposeHeadRoute: false,
      config: { access: ACCESS, audit: audited('CONVERSATION_REPORTS_LISTED') },
      schema: {
        operationId: 'admin.conversationReports',
        tags: ['Administration'],
        summary: 'Conversations that one of their sides reported, the last one first, without their content.',
        querystring: AdminReportQuery,
        response: { 200: pageOf(AdminReport) },
      },
    },
    async (request) => {
      const { status, limit } = request.query;
      const page = { skip: offsetOf(request.query), take: limit };
      const isDecided = status === undefined ? undefined : status === 'DECIDED';
      const { rows, total } = await database.transaction(async (tx) => {
        await recordAction(tx, callerOf(request));
        return listReports(tx, isDecided, page);
      });
      return pageAnswer(request.query, rows.map(adminReportView), total);
    },
  );

  app.get(
    '/conversation-reports/:id',
    {
      exposeHeadRoute: false,
      config: { access: ACCESS, audit: audited('CONVERSATION_REPORT_READ') },
      schema: {
        operationId: 'admin.conversationReport',
        tags: ['Administration'],
        summary: 'Read what was written in a conversation that was reported; each look is in the trail.',
        params: idParams('id'),
        response: { 200: ref(AdminReportDetails) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { row, messages } = await database.transaction(async (tx) => {
        const found = await findReport(tx, id);
        if (!found) throw new ServiceError('NOT_FOUND');
        await recordAction(tx, callerOf(request), { resourceId: id });
        return { row: found, messages: await listMessages(tx, found.conversationId, null, SHOWN) };
      });
      const locale = toLocale(userOf(request).language);
      return {
        ...adminReportView(row),
        note: openReportNote(vault, row),
        decisionNote: openDecisionNote(vault, row),
        conversation: reportedConversationView(row),
        messages: messages.map((message) => messageView(vault, message, locale)),
      };
    },
  );

  app.post(
    '/conversation-reports/:id/decision',
    {
      config: { access: ACCESS, audit: audited('CONVERSATION_REPORT_DECIDED') },
      schema: {
        operationId: 'admin.decideConversationReport',
        tags: ['Administration'],
        summary: 'Decide a report, once.',
        description:
          'The side that reported it sees that it is decided. The other side sees a conversation that has ended, and not who reported it.',
        params: idParams('id'),
        body: ReportDecision,
        response: { 200: ref(AdminReport), ...problems(409) },
      },
    },
    async (request) => {
      const { params, body } = request;
      const row = await database.transaction((tx) =>
        decideReport(vault, callerOf(request), tx, params.id, body),
      );
      return adminReportView(row);
    },
  );
};
