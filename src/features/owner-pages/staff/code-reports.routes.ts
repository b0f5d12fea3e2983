import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { AuditAction } from '../../../audit-actions.ts';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { toListPage } from '../../../platform/http/list-pages.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { CursorQuery } from '../../../shared/pagination.ts';
import { ReinstatementRequest, TakedownRequest } from '../../administration/index.ts';
import {
  dismissReports,
  LAST_REPORTED_FIRST,
  listReportGroups,
  parseModerationCategory,
  reinstateQrCode,
  takeDownQrCode,
} from '../../moderation/index.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { CaseListQuery, DecidedQuery, parseCaseList, renderCaseList } from './case-list.ts';
import { sendCodeReportPage } from './code-report-page.ts';
import { type DecisionName, redirectToNextCase, renderDecided } from './decided.ts';
import { refuseDecision } from './decision-form.ts';
import { renderReportedCode } from './reported-code.ts';
import { MODERATION_ACCESS } from './reviewed-code.ts';
import { getStaffEntryPath, sendStaffPage } from './staff-layout.ts';

const ReportParams = createIdParamsSchema('id');

const DecisionBody = Type.Object({
  category: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  answer: Type.Optional(Type.String()),
});

const findTakedownErrors = createBodyValidator(TakedownRequest);
const findReinstatementErrors = createBodyValidator(ReinstatementRequest);

/** Pages of administrators for codes that strangers reported. */
export const codeReportStaffPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database, mailOutbox } = services;
  const listPath = getStaffEntryPath(services, 'reports');

  app.get(
    '/staff/reports',
    {
      config: { access: MODERATION_ACCESS, audit: auditAs('QRCODE_REPORTS_LISTED'), rateLimitClass: 'page' },
      schema: { hide: true, querystring: CaseListQuery },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const { timeZone } = requireAuthenticatedUser(request);
      const { isDecided, page } = parseCaseList(request, LAST_REPORTED_FIRST);
      await commitAuditEntry(database, getRequestContext(request));
      const list = await listReportGroups(database.client, isDecided, page);
      const { data, pagination } = toListPage(page, list, (row) =>
        renderReportedCode(listPath, row, timeZone, locale),
      );
      const cases = renderCaseList(
        {
          path: listPath,
          isDecided,
          items: data,
          nextCursor: pagination.nextCursor,
          emptyText: t(locale, 'app.staff.reports.none'),
        },
        locale,
      );
      return sendStaffPage(services, request, reply, {
        title: t(locale, 'app.staff.reports.title'),
        entry: 'reports',
        body: html`${renderDecided(listPath, request, locale)}${cases}`,
      });
    },
  );

  app.get(
    '/staff/reports/:id',
    {
      config: { access: MODERATION_ACCESS, audit: auditAs('QRCODE_REPORTS_READ'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: ReportParams,
        querystring: Type.Object({ ...DecidedQuery.properties, cursor: CursorQuery.properties.cursor }),
      },
    },
    async (request, reply) =>
      sendCodeReportPage(services, request, reply, { id: request.params.id, cursor: request.query.cursor }),
  );

  addDecision('takedown', 'QRCODE_TAKEN_DOWN', 'taken-down', {
    findErrors: ({ category = '', reason = '' }) =>
      reason.trim() === ''
        ? [{ field: 'reason', code: 'REQUIRED', message: '' }]
        : findTakedownErrors({ category, reason }),
    decide: (request, { category = '', reason = '' }) =>
      takeDownQrCode(services, getRequestContext(request), request.params.id, {
        category: parseModerationCategory(category),
        reason,
      }),
  });

  addDecision('dismiss', 'QRCODE_REPORTS_DISMISSED', 'dismissed', {
    findErrors: () => [],
    decide: (request) => dismissReports(database, getRequestContext(request), request.params.id),
  });

  addDecision('reinstate', 'QRCODE_REINSTATED', 'reinstated', {
    findErrors: ({ answer = '' }) => findReinstatementErrors({ answer: answer.trim() || null }),
    decide: (request, { answer = '' }) =>
      reinstateQrCode(services, getRequestContext(request), request.params.id, answer.trim() || null),
  });

  function addDecision(
    name: string,
    audit: AuditAction,
    done: DecisionName,
    {
      findErrors,
      decide,
    }: {
      findErrors(body: Partial<Record<string, string>>): FieldError[];
      decide(
        request: FastifyRequest<{ Params: { id: string } }>,
        body: Partial<Record<string, string>>,
      ): Promise<unknown>;
    },
  ): void {
    app.post(
      `/staff/reports/:id/${name}`,
      {
        config: { access: MODERATION_ACCESS, audit: auditAs(audit) },
        schema: { hide: true, params: ReportParams, body: DecisionBody },
      },
      async (request, reply) => {
        const { body: values } = request;
        const { id } = request.params;
        const errors = findErrors(values);
        if (errors.length > 0)
          return sendCodeReportPage(services, request, reply, {
            id,
            refused: { status: 400, errors, values },
          });
        try {
          await decide(request, values);
        } catch (error) {
          const refused = { ...refuseDecision(error, reply, chooseOwnerPageLocale(request)), values };
          return sendCodeReportPage(services, request, reply, { id, refused });
        }
        mailOutbox.wake();
        return redirectToNextCase(reply, listPath, { done, id, nextId: await findNextId() });
      },
    );
  }

  async function findNextId(): Promise<string | undefined> {
    const { rows } = await listReportGroups(database.client, false, { skip: 0, take: 1 });
    return rows[0]?.qrCodeId;
  }
};
