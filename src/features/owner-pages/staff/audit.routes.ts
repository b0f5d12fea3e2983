import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { toListPage } from '../../../platform/http/list-pages.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, auditAs } from '../../../platform/route-access.ts';
import { createValidationError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import {
  listAuditEntries,
  sendAuditExport,
  sendSealedTrail,
  toAuditEntryView,
  verifyTrailForClient,
} from '../../audit/index.ts';
import { renderEmptyState, renderErrorSummary } from '../components.ts';
import { formatListPath } from '../cursor-pages.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { renderAuditEntries } from './audit-entries.ts';
import {
  AuditFilterParams,
  parseAuditFilter,
  readAuditFilterValues,
  renderAuditFilters,
} from './audit-filters.ts';
import { renderVerification } from './audit-verification.ts';
import { getStaffEntryPath, sendStaffPage } from './staff-layout.ts';
import { parseStaffListPage, renderNextLink, StaffListParams } from './staff-list.ts';

const AUDIT_ACCESS = allowByCookie(allowUsers('audit:read'));

const ExportQuery = Type.Object({ ...AuditFilterParams, format: Type.Optional(Type.String()) });

/** The audit trail for auditors: list, files, and whether it is intact. */
export const auditStaffPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '/staff/audit',
    {
      config: { access: AUDIT_ACCESS, audit: auditAs('AUDIT_LOG_LISTED'), rateLimitClass: 'page' },
      schema: { hide: true, querystring: Type.Object({ ...StaffListParams, ...AuditFilterParams }) },
    },
    async (request, reply) => {
      const { query } = request;
      const locale = chooseOwnerPageLocale(request);
      const reader = requireAuthenticatedUser(request);
      const values = readAuditFilterValues(query);
      const { filter, errors } = parseAuditFilter(values, reader.timeZone);
      const path = getStaffEntryPath(services, 'audit');
      const download = (format: string, label: string) =>
        html`<a class="act plain" href="${formatListPath(`${path}/export`, { ...values, format })}" download>${label}</a>`;
      return sendStaffPage(services, request, reply, {
        title: t(locale, 'app.staff.audit.title'),
        entry: 'audit',
        status: errors.length > 0 ? 400 : 200,
        body: html`${renderErrorSummary(errors, locale)}
<p class="actions"><a class="act" href="${path}/verify">${t(locale, 'app.staff.audit.verify')}</a>${download('csv', t(locale, 'app.staff.audit.csv'))}${download('jsonl', t(locale, 'app.staff.audit.jsonl'))}<a class="act plain" href="${path}/sealed" download>${t(locale, 'app.staff.audit.sealed')}</a></p>
${renderAuditFilters(path, values, errors, locale)}
${errors.length === 0 && (await renderList())}`,
      });

      async function renderList() {
        const page = parseStaffListPage(request, NEWEST_FIRST, values, query.cursor);
        // Before the list is read, so that it contains its own entry.
        await commitAuditEntry(database, getRequestContext(request));
        const list = await listAuditEntries(database.client, filter, page);
        const { data, pagination } = toListPage(page, list, toAuditEntryView);
        if (data.length === 0) return renderEmptyState(t(locale, 'app.staff.audit.none'));
        const { total } = pagination;
        return html`${total !== undefined && html`<p class="small" role="status">${t(locale, 'app.staff.audit.count', { count: total })}</p>`}
${renderAuditEntries(data, { path, reader, locale })}
${renderNextLink(path, values, pagination.nextCursor, locale)}`;
      }
    },
  );

  app.get(
    '/staff/audit/export',
    {
      config: { access: AUDIT_ACCESS, audit: auditAs('AUDIT_LOG_EXPORTED'), rateLimitClass: 'page' },
      schema: { hide: true, querystring: ExportQuery },
    },
    async (request, reply) => {
      const { timeZone } = requireAuthenticatedUser(request);
      const { filter, errors } = parseAuditFilter(readAuditFilterValues(request.query), timeZone);
      if (errors.length > 0) throw createValidationError(...errors);
      const format = request.query.format === 'jsonl' ? 'jsonl' : 'csv';
      // Excel reads other languages only with a byte order mark.
      return sendAuditExport(services, request, reply, filter, { format, bom: format === 'csv' });
    },
  );

  app.get(
    '/staff/audit/sealed',
    {
      config: { access: AUDIT_ACCESS, audit: auditAs('AUDIT_TRAIL_EXPORTED'), rateLimitClass: 'page' },
      schema: { hide: true },
    },
    (request, reply) => sendSealedTrail(services, request, reply),
  );

  app.get(
    '/staff/audit/verify',
    {
      config: { access: AUDIT_ACCESS, audit: auditAs('AUDIT_LOG_VERIFIED'), rateLimitClass: 'page' },
      schema: { hide: true },
    },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const reader = requireAuthenticatedUser(request);
      const verification = await verifyTrailForClient(services, request, reply);
      if (!verification) return;
      const path = getStaffEntryPath(services, 'audit');
      return sendStaffPage(services, request, reply, {
        title: t(locale, 'app.staff.audit.verification'),
        entry: 'audit',
        body: html`${renderVerification(verification, { at: new Date(), reader, locale })}
<p class="actions"><a class="act plain" href="${path}/verify">${t(locale, 'app.staff.audit.again')}</a><a class="act plain" href="${path}">${t(locale, 'app.staff.audit.title')}</a></p>`,
      });
    },
  );
};
