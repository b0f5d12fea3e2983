import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { allowUsers, skipAudit } from '../../platform/route-access.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { createNamedPageSchema } from '../../shared/pagination.ts';
import { parseTimeRangeBound } from '../../shared/time-range.ts';
import { toEventView } from './event.view.ts';
import { EVENT_LIST_SORTS, listAccountEvents } from './list-account-events.ts';
import { AccountEvent, EventQuery } from './webhooks.schemas.ts';

export const eventRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (app, { database }) => {
  app.get(
    '',
    {
      config: { access: allowUsers('webhooks:own'), audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'events.list',
        tags: ['Webhooks'],
        summary: `List the events of the last ${formatLifetime('accountEvent')}, newest first by default`,
        description:
          'An event has ids only; read the object at `data.path`. It can appear a few seconds after its `timestamp`: a client that polls reads the last minute again and skips known ids.',
        querystring: EventQuery,
        response: { 200: createNamedPageSchema(AccountEvent, 'AccountEventPage') },
      },
    },
    async (request) => {
      const { query } = request;
      const { id: accountId } = requireAccount(request);
      const { timeZone } = requireAuthenticatedUser(request);
      const { type: types = ['*'], sort = '-timestamp' } = query;
      const page = parseListPage(request, EVENT_LIST_SORTS[sort]);
      const rows = await listAccountEvents(database, accountId, {
        types,
        from: parseTimeRangeBound(query.from, timeZone),
        to: parseTimeRangeBound(query.to, timeZone),
        sort,
        range: page,
      });
      return toListPage(page, { rows }, toEventView);
    },
  );
};
