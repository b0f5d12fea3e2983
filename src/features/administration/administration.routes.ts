import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { commitAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import { getVisibleRows, parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { schemaRef } from '../../shared/common.schemas.ts';
import { NEWEST_FIRST } from '../../shared/list-cursor.ts';
import { createPageSchema } from '../../shared/pagination.ts';
import { findQrCodeKindFilterErrors, parseQrCodeKindFilter } from '../codes/index.ts';
import { getScanRollUpLag } from '../scans/index.ts';
import { AdminQrCode, AdminQrCodeQuery, AnalyticsResponse } from './administration.schemas.ts';
import { toAdminQrCodeView, toServiceAnalyticsView } from './administration.views.ts';
import { listAllQrCodes } from './all-qrcodes.repository.ts';
import { readServiceAnalytics } from './analytics.repository.ts';
import { computeUnstoredDailyCounts } from './count-unstored-days.ts';
import { recordUserAccess } from './record-user-access.ts';

/** Codes of all users and analytics. Each read is audited before it is answered. */
export const adminQrCodeAndAnalyticsRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (
  app,
  { database },
) => {
  app.get(
    '/qrcodes',
    {
      config: {
        access: allowUsers('admin:qrcodes'),
        audit: auditAs('ADMIN_QRCODES_LISTED'),
        cache: 'revalidate',
        findQueryErrors: findQrCodeKindFilterErrors,
      },
      schema: {
        operationId: 'admin.listQrcodes',
        tags: ['Administration'],
        summary: 'List QR codes without their content, newest first, including deleted codes',
        description:
          'Search by part of the title or kind, filter by owner, status and takedown. Each read is audited.',
        querystring: AdminQrCodeQuery,
        response: { 200: createPageSchema(AdminQrCode) },
      },
    },
    async (request) => {
      const { search, kind: kindNames, status: statuses, takenDown } = request.query;
      const accountId = request.query.accountId ?? request.query.ownerId;
      const kinds = kindNames && parseQrCodeKindFilter(kindNames);
      const filter = { search, kinds, statuses, takenDown, accountId };
      const page = parseListPage(request, NEWEST_FIRST);
      const list = await listAllQrCodes(database.client, filter, page);
      await recordUserAccess(
        database,
        getRequestContext(request),
        accountId ? [accountId] : getVisibleRows(page, list).map((row) => row.accountId),
      );
      return toListPage(page, list, toAdminQrCodeView);
    },
  );

  app.get(
    '/analytics',
    {
      config: { access: allowUsers('admin:analytics'), audit: auditAs('ADMIN_ANALYTICS_READ') },
      schema: {
        operationId: 'admin.getAnalytics',
        tags: ['Administration'],
        summary: 'Get counts over the whole service',
        description:
          'A job stores the counts of each finished day. If many days are not counted yet, for example after an update, the response is incomplete: `countedTo` is the last complete day.',
        response: { 200: schemaRef(AnalyticsResponse) },
      },
    },
    async (request) => {
      const now = new Date();
      const unstoredDays = await computeUnstoredDailyCounts(database, now);
      await commitAuditEntry(database, getRequestContext(request));
      const analytics = await readServiceAnalytics(database.client, now, unstoredDays);
      return toServiceAnalyticsView({ ...analytics, rollUps: await getScanRollUpLag(database.pool) }, now);
    },
  );
};
