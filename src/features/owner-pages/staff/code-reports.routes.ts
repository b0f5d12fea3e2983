import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { toListPage } from '../../../platform/http/list-pages.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, auditAs } from '../../../platform/route-access.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { LAST_REPORTED_FIRST, listReportGroups } from '../../moderation/index.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { CaseListQuery, parseCaseList, renderCaseList } from './case-list.ts';
import { renderReportedCode } from './reported-code.ts';
import { getStaffEntryPath, sendStaffPage } from './staff-layout.ts';

const ACCESS = allowByCookie(allowUsers('admin:moderation'));

/** Pages of administrators for codes that strangers reported. */
export const codeReportStaffPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database } = services;

  app.get(
    '/staff/reports',
    {
      config: { access: ACCESS, audit: auditAs('QRCODE_REPORTS_LISTED'), rateLimitClass: 'page' },
      schema: { hide: true, querystring: CaseListQuery },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const { timeZone } = requireAuthenticatedUser(request);
      const { isDecided, page } = parseCaseList(request, LAST_REPORTED_FIRST);
      await commitAuditEntry(database, getRequestContext(request));
      const list = await listReportGroups(database.client, isDecided, page);
      const path = getStaffEntryPath(services, 'reports');
      const { data, pagination } = toListPage(page, list, (row) => renderReportedCode(row, timeZone, locale));
      return sendStaffPage(services, request, reply, {
        title: t(locale, 'app.staff.reports.title'),
        entry: 'reports',
        body: renderCaseList(
          {
            path,
            isDecided,
            items: data,
            nextCursor: pagination.nextCursor,
            emptyText: t(locale, 'app.staff.reports.none'),
          },
          locale,
        ),
      });
    },
  );
};
