import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getVisibleRows, toListPage } from '../../../platform/http/list-pages.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { html } from '../../../shared/html.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { AppealDecisionRequest } from '../../administration/index.ts';
import { findQrCodeTitles } from '../../codes/index.ts';
import { APPEAL_DECISIONS, type AppealRow, decideAppeal, listAppeals } from '../../moderation/index.ts';
import { renderMoment } from '../format-moment.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { sendAppealPage, translateAppealDecision } from './appeal-page.ts';
import { CaseListQuery, DecidedQuery, parseCaseList, renderCaseList } from './case-list.ts';
import { redirectToNextCase, renderDecided } from './decided.ts';
import { refuseDecision } from './decision-form.ts';
import { translateCategory } from './reported-code.ts';
import { MODERATION_ACCESS } from './reviewed-code.ts';
import { getStaffEntryPath, sendStaffPage } from './staff-layout.ts';

const AppealParams = createIdParamsSchema('id');

const findDecisionErrors = createBodyValidator(AppealDecisionRequest);

/** Pages of administrators for appeals of owners against takedowns. */
export const appealStaffPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, mailOutbox } = services;
  const listPath = getStaffEntryPath(services, 'appeals');

  app.get(
    '/staff/appeals',
    {
      config: { access: MODERATION_ACCESS, audit: auditAs('QRCODE_APPEALS_LISTED'), rateLimitClass: 'page' },
      schema: { hide: true, querystring: CaseListQuery },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const { timeZone } = requireAuthenticatedUser(request);
      const { isDecided, page } = parseCaseList(request, NEWEST_FIRST);
      await commitAuditEntry(database, getRequestContext(request));
      const list = await listAppeals(database.client, isDecided, page);
      const ids = getVisibleRows(page, list).map(({ takedown }) => takedown.qrCodeId);
      const codes = await findQrCodeTitles(database.client, ids);
      const renderAppeal = ({ id, takedown, decision, createdAt }: AppealRow) => {
        const time = renderMoment(createdAt, { timeZone }, locale);
        const decided = translateAppealDecision(decision, locale);
        return html`<li><div><h2><a href="${listPath}/${id}"><bdi>${codes.get(takedown.qrCodeId)?.title}</bdi></a></h2>
<p class="small">${translateHtml(locale, 'app.staff.appeals.at', { time })}</p>
<p><span class="chip">${translateCategory(takedown.category, locale)}</span>${decided !== null && html` <span class="chip">${decided}</span>`}</p></div></li>
`;
      };
      const { data, pagination } = toListPage(page, list, renderAppeal);
      const cases = renderCaseList(
        {
          path: listPath,
          isDecided,
          items: data,
          nextCursor: pagination.nextCursor,
          emptyText: t(locale, 'app.staff.appeals.none'),
        },
        locale,
      );
      return sendStaffPage(services, request, reply, {
        title: t(locale, 'app.staff.appeals.title'),
        entry: 'appeals',
        body: html`${renderDecided(listPath, request, locale)}${cases}`,
      });
    },
  );

  app.get(
    '/staff/appeals/:id',
    {
      config: { access: MODERATION_ACCESS, audit: auditAs('QRCODE_APPEAL_READ'), rateLimitClass: 'page' },
      schema: { hide: true, params: AppealParams, querystring: DecidedQuery },
    },
    async (request, reply) => sendAppealPage(services, request, reply, request.params),
  );

  app.post(
    '/staff/appeals/:id/decision',
    {
      config: { access: MODERATION_ACCESS, audit: auditAs('QRCODE_APPEAL_REJECTED') },
      schema: {
        hide: true,
        params: AppealParams,
        body: Type.Object({
          decision: Type.Optional(Type.String()),
          answer: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const { body: values } = request;
      const { id } = request.params;
      const decision = APPEAL_DECISIONS.find((one) => one === values.decision);
      const answer = values.answer?.trim() || null;
      const errors = decision
        ? findDecisionErrors({ decision, answer })
        : [{ field: 'decision', code: 'REQUIRED', message: '' }];
      if (!decision || errors.length > 0)
        return sendAppealPage(services, request, reply, { id, refused: { status: 400, errors, values } });
      try {
        await decideAppeal(services, getRequestContext(request), id, { decision, answer });
      } catch (error) {
        const refused = { ...refuseDecision(error, reply, chooseOwnerPageLocale(request)), values };
        return sendAppealPage(services, request, reply, { id, refused });
      }
      mailOutbox.wake();
      const { rows } = await listAppeals(database.client, false, { skip: 0, take: 1 });
      const done = decision === 'REINSTATED' ? 'reinstated' : 'rejected';
      return redirectToNextCase(reply, listPath, { done, id, nextId: rows[0]?.id });
    },
  );
};
