import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { toListPage } from '../../../platform/http/list-pages.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { CursorQuery } from '../../../shared/pagination.ts';
import {
  CONVERSATION_REPORT_DECISIONS,
  type ConversationReportDecision,
  ConversationReportDecisionRequest,
  decideConversationReport,
} from '../../administration/index.ts';
import { listConversationReports, type ReportWithConversation } from '../../conversations/index.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { CaseListQuery, DecidedQuery, parseCaseList, renderCaseList } from './case-list.ts';
import {
  renderConversationReportFacts,
  translateConversationReportCategory,
} from './conversation-report-facts.ts';
import { sendConversationReportPage } from './conversation-report-page.ts';
import { type DecisionName, redirectToNextCase, renderDecided } from './decided.ts';
import { refuseDecision } from './decision-form.ts';
import { getStaffEntryPath, sendStaffPage } from './staff-layout.ts';

const ACCESS = allowByCookie(allowUsers('admin:reports'));

const ReportParams = createIdParamsSchema('id');

const findDecisionErrors = createBodyValidator(ConversationReportDecisionRequest);

const DONE_NAMES: Record<ConversationReportDecision, DecisionName> = {
  DISMISSED: 'conversation-dismissed',
  CONVERSATION_CLOSED: 'conversation-closed',
  FINDER_BLOCKED: 'finder-blocked',
};

/** Pages of administrators for conversations that one of their sides reported. */
export const conversationReportStaffPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database } = services;
  const listPath = getStaffEntryPath(services, 'conversation-reports');

  app.get(
    '/staff/conversation-reports',
    {
      config: { access: ACCESS, audit: auditAs('CONVERSATION_REPORTS_LISTED'), rateLimitClass: 'page' },
      schema: { hide: true, querystring: CaseListQuery },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const { timeZone } = requireAuthenticatedUser(request);
      const { isDecided, page } = parseCaseList(request, NEWEST_FIRST);
      await commitAuditEntry(database, getRequestContext(request));
      const list = await listConversationReports(database.client, isDecided, page);
      const renderReport = (row: ReportWithConversation) =>
        html`<li><div><h2><a href="${listPath}/${row.id}">${translateConversationReportCategory(row.category, locale)}</a></h2>
${renderConversationReportFacts(row, timeZone, locale)}</div></li>
`;
      const { data, pagination } = toListPage(page, list, renderReport);
      const cases = renderCaseList(
        {
          path: listPath,
          isDecided,
          items: data,
          nextCursor: pagination.nextCursor,
          emptyText: t(locale, 'app.staff.conversations.none'),
        },
        locale,
      );
      return sendStaffPage(services, request, reply, {
        title: t(locale, 'app.staff.conversations.title'),
        entry: 'conversation-reports',
        body: html`${renderDecided(listPath, request, locale)}${cases}`,
      });
    },
  );

  app.get(
    '/staff/conversation-reports/:id',
    {
      config: { access: ACCESS, audit: auditAs('CONVERSATION_REPORT_READ'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: ReportParams,
        querystring: Type.Object({ ...DecidedQuery.properties, cursor: CursorQuery.properties.cursor }),
      },
    },
    async (request, reply) =>
      sendConversationReportPage(services, request, reply, {
        id: request.params.id,
        cursor: request.query.cursor,
      }),
  );

  app.post(
    '/staff/conversation-reports/:id/decision',
    {
      config: { access: ACCESS, audit: auditAs('CONVERSATION_REPORT_DECIDED') },
      schema: {
        hide: true,
        params: ReportParams,
        body: Type.Object({ decision: Type.Optional(Type.String()), note: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const { body: values } = request;
      const { id } = request.params;
      const decision = CONVERSATION_REPORT_DECISIONS.find((one) => one === values.decision);
      const note = values.note?.trim() || null;
      const errors = decision
        ? findDecisionErrors({ decision, note })
        : [{ field: 'decision', code: 'REQUIRED', message: '' }];
      if (!decision || errors.length > 0)
        return sendConversationReportPage(services, request, reply, {
          id,
          refused: { status: 400, errors, values },
        });
      try {
        await decideConversationReport(services, getRequestContext(request), id, { decision, note });
      } catch (error) {
        const refused = { ...refuseDecision(error, reply, chooseOwnerPageLocale(request)), values };
        return sendConversationReportPage(services, request, reply, { id, refused });
      }
      const { rows } = await listConversationReports(database.client, false, { skip: 0, take: 1 });
      return redirectToNextCase(reply, listPath, { done: DONE_NAMES[decision], id, nextId: rows[0]?.id });
    },
  );
};
