import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { allowUsers, skipAudit } from '../../platform/route-access.ts';
import { schemaRef } from '../../shared/common.schemas.ts';
import { getPageOffset, toCursorPage, toPage } from '../../shared/pagination.ts';
import { decodeAuditCursor, encodeAuditCursor } from './audit-filter.ts';
import { type AuditEntryRow, listAuditEntries, listAuditEntriesAfter } from './audit-log.repository.ts';
import { OwnAuditLogQuery, OwnAuditLogResponse } from './audit-log.schemas.ts';
import { toOwnAuditEntryView } from './audit-log.view.ts';
import type { AuditServices } from './audit-services.ts';

/** Routes of users to read the audit trail of their own data. */
export const ownAuditLogRoutes: FastifyPluginAsyncTypebox<AuditServices> = async (app, { database }) => {
  app.get(
    '/mine',
    {
      config: { access: allowUsers('account:use'), audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'audit.mine',
        tags: ['Audit'],
        summary: 'List who accessed or changed your data, including staff, and what you did; newest first',
        description:
          'Each entry has a `text` for users. Address and browser are shown for your own actions only.',
        querystring: OwnAuditLogQuery,
        response: { 200: schemaRef(OwnAuditLogResponse) },
      },
    },
    async (request) => {
      const { query } = request;
      const { id } = requireAuthenticatedUser(request);
      const filter = { concerningUser: { id, by: query.by } };
      const toView = (row: AuditEntryRow) => toOwnAuditEntryView(row, id);
      if (query.cursor === undefined) {
        const page = { skip: getPageOffset(query), take: query.limit };
        const { rows, total } = await database.read(({ client }) => listAuditEntries(client, filter, page));
        return toPage(query, rows.map(toView), total);
      }
      const cursor = decodeAuditCursor(query.cursor);
      const rows = await database.read(({ client }) =>
        listAuditEntriesAfter(client, filter, cursor, query.limit + 1),
      );
      return toCursorPage(rows, query.limit, toView, encodeAuditCursor);
    },
  );
};
