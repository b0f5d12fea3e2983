import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { commitAuditEntry } from '../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { createTableExportResponseSchema } from '../../platform/table-export.ts';
import { schemaRef } from '../../shared/common.schemas.ts';
import { NEWEST_FIRST } from '../../shared/list-cursor.ts';
import { toAuditFilter } from './audit-filter.ts';
import { listAuditEntries } from './audit-log.repository.ts';
import { AuditExportQuery, AuditLogQuery, AuditLogResponse } from './audit-log.schemas.ts';
import { toAuditEntryView } from './audit-log.view.ts';
import type { AuditServices } from './audit-services.ts';
import { sendAuditExport } from './send-audit-export.ts';

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
      return sendAuditExport({ database }, request, reply, filter, { format, bom });
    },
  );
};
