import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { account, audited } from '../../platform/route-access.ts';
import { EXPORT_TYPES, exportAnswer } from '../../platform/table-export.ts';
import { ref } from '../../shared/common.schemas.ts';
import { cursorAnswer, offsetOf, pageAnswer } from '../../shared/pagination.ts';
import { cursorOf, filterOf, placeOf } from './audit-filter.ts';
import { listEntries, listEntriesAfter } from './audit-log.repository.ts';
import { AuditExportQuery, AuditLog, AuditLogQuery } from './audit-log.schemas.ts';
import { auditEntryView } from './audit-log.view.ts';
import type { AuditServices } from './audit-services.ts';
import { exportEntries } from './export-entries.ts';

/** The audit trail for auditors to read. Each look at it is in it. */
export const auditLogRoutes: FastifyPluginAsyncTypebox<AuditServices> = async (app, { database }) => {
  app.get(
    '',
    {
      exposeHeadRoute: false,
      config: { access: account('audit:read'), audit: audited('AUDIT_LOG_LISTED') },
      schema: {
        operationId: 'audit.list',
        tags: ['Audit'],
        summary:
          'The audit trail, newest first, by actor, person, record, action, severity, outcome and time.',
        querystring: AuditLogQuery,
        response: { 200: ref(AuditLog) },
      },
    },
    async (request) => {
      const { query } = request;
      const filter = filterOf(query, userOf(request).timeZone);
      const place = query.cursor === undefined ? undefined : placeOf(query.cursor);
      const page = place === undefined ? { skip: offsetOf(query), take: query.limit } : undefined;
      return database.transaction(async (tx) => {
        await recordAction(tx, callerOf(request));
        if (page) {
          const { rows, total } = await listEntries(tx, filter, page);
          return pageAnswer(query, rows.map(auditEntryView), total);
        }
        const rows = await listEntriesAfter(tx, filter, place ?? null, query.limit + 1);
        return cursorAnswer(rows, query.limit, auditEntryView, cursorOf);
      });
    },
  );

  app.get(
    '/export',
    {
      exposeHeadRoute: false,
      config: { access: account('audit:read'), audit: audited('AUDIT_LOG_EXPORTED') },
      schema: {
        operationId: 'audit.export',
        tags: ['Audit'],
        summary: 'The audit trail as JSON lines or CSV, of any length; the same filters as the list.',
        querystring: AuditExportQuery,
        response: { 200: exportAnswer('The entries that match, newest first.') },
      },
    },
    async (request, reply) => {
      const { format, ...query } = request.query;
      const filter = filterOf(query, userOf(request).timeZone);
      await database.transaction((tx) => recordAction(tx, callerOf(request)));
      return reply
        .type(`${EXPORT_TYPES[format]}; charset=utf-8`)
        .header('Content-Disposition', `attachment; filename="audit-log.${format}"`)
        .send(exportEntries(database, filter, format));
    },
  );
};
