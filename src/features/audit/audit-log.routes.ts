import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { commitAuditEntry } from '../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { sendHeadersOnly } from '../../platform/http/send-headers-only.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import {
  createTableExportResponseSchema,
  sendTableExport,
  setTableExportHeaders,
} from '../../platform/table-export.ts';
import { schemaRef } from '../../shared/common.schemas.ts';
import { NEWEST_FIRST } from '../../shared/list-cursor.ts';
import { parseTimeRangeBound } from '../../shared/time-range.ts';
import { type AuditFilter, listAuditEntries } from './audit-log.repository.ts';
import { AuditExportQuery, AuditLogQuery, AuditLogResponse } from './audit-log.schemas.ts';
import { toAuditEntryView } from './audit-log.view.ts';
import type { AuditServices } from './audit-services.ts';
import { exportAuditEntries } from './export-audit-entries.ts';

/** Routes of auditors to list and export the trail; each read is audited. */
export const auditLogRoutes: FastifyPluginAsyncTypebox<AuditServices> = async (app, { database }) => {
  app.get(
    '',
    {
      config: { access: allowUsers('audit:read'), audit: auditAs('AUDIT_LOG_LISTED') },
      schema: {
        operationId: 'audit.list',
        tags: ['Audit'],
        summary: 'List audit entries, newest first',
        description: 'Entries name users and records by id. Each read of the trail is an entry, too.',
        querystring: AuditLogQuery,
        response: { 200: schemaRef(AuditLogResponse) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const filter = toAuditFilter(request.query, requireAuthenticatedUser(request).timeZone);
      // Before the list is read, so that it contains its own entry.
      await commitAuditEntry(database, getRequestContext(request));
      const list = await listAuditEntries(database.client, filter, page);
      return toListPage(page, list, toAuditEntryView);
    },
  );

  app.get(
    '/export',
    {
      config: { access: allowUsers('audit:read'), audit: auditAs('AUDIT_LOG_EXPORTED') },
      schema: {
        operationId: 'audit.export',
        tags: ['Audit'],
        summary: 'Export audit entries as JSON Lines or CSV, with the filters of the list',
        description: 'Streams all entries that match, without pages. The export is an entry, too.',
        querystring: AuditExportQuery,
        response: { 200: createTableExportResponseSchema('The matching entries, newest first.') },
      },
    },
    async (request, reply) => {
      const { format, bom, ...query } = request.query;
      const filter = toAuditFilter(query, requireAuthenticatedUser(request).timeZone);
      if (request.method === 'HEAD')
        return sendHeadersOnly(setTableExportHeaders(reply, 'audit-log', format));
      const { id } = requireAuthenticatedUser(request);
      const content = exportAuditEntries(database, id, filter, { format, bom });
      return sendTableExport(setTableExportHeaders(reply, 'audit-log', format), content, () =>
        commitAuditEntry(database, getRequestContext(request)),
      );
    },
  );
};

/** Convert query parameters to a filter; bare dates are days in the time zone. @throws VALIDATION_FAILED */
function toAuditFilter(
  query: Omit<Static<typeof AuditExportQuery>, 'format' | 'bom'>,
  timeZone: string,
): AuditFilter {
  const { actorId, subjectId, resourceType, resourceId, action, severity, outcome } = query;
  const from = parseTimeRangeBound(query.from, timeZone);
  const to = parseTimeRangeBound(query.to, timeZone);
  return {
    actorId,
    subjectId,
    resourceTypes: resourceType,
    resourceId,
    actions: action,
    severities: severity,
    outcomes: outcome,
    from,
    to,
  };
}
