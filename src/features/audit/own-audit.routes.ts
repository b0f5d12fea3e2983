import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { userOf } from '../../platform/authentication.ts';
import { account, unaudited } from '../../platform/route-access.ts';
import { ref } from '../../shared/common.schemas.ts';
import { cursorAnswer, offsetOf, pageAnswer } from '../../shared/pagination.ts';
import { cursorOf, placeOf } from './audit-filter.ts';
import { type AuditRow, listEntries, listEntriesAfter } from './audit-log.repository.ts';
import { OwnAuditLog, OwnAuditQuery } from './audit-log.schemas.ts';
import { ownAuditEntryView } from './audit-log.view.ts';
import type { AuditServices } from './audit-services.ts';

/** Who saw a person's data, and what they did themselves, in words. */
export const ownAuditRoutes: FastifyPluginAsyncTypebox<AuditServices> = async (app, { database }) => {
  app.get(
    '/mine',
    {
      config: { access: account('account:use'), audit: unaudited('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'audit.mine',
        tags: ['Audit'],
        summary:
          'Who saw or changed what is mine, staff and emergencies included, and what I did; newest first.',
        querystring: OwnAuditQuery,
        response: { 200: ref(OwnAuditLog) },
      },
    },
    async (request) => {
      const { query } = request;
      const { id } = userOf(request);
      const filter = { ofPerson: { id, by: query.by } };
      const view = (row: AuditRow) => ownAuditEntryView(row, id);
      if (query.cursor === undefined) {
        const page = { skip: offsetOf(query), take: query.limit };
        const { rows, total } = await listEntries(database.client, filter, page);
        return pageAnswer(query, rows.map(view), total);
      }
      const place = placeOf(query.cursor);
      const rows = await listEntriesAfter(database.client, filter, place, query.limit + 1);
      return cursorAnswer(rows, query.limit, view, cursorOf);
    },
  );
};
