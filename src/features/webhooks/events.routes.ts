import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { allowUsers, skipAudit } from '../../platform/route-access.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { createTimeSort, toTimePosition } from '../../shared/list-cursor.ts';
import { createNamedPageSchema } from '../../shared/pagination.ts';
import { parseTimeRangeBound } from '../../shared/time-range.ts';
import { type EventRow, listEvents } from './event.repository.ts';
import { limitEventRange, listMatchingEventTypes } from './event.rules.ts';
import { toEventView } from './event.view.ts';
import { AccountEvent, EventQuery } from './webhooks.schemas.ts';

const getEventTime = ({ at }: EventRow) => at;
const LIST_SORTS = {
  timestamp: createTimeSort('timestamp', getEventTime),
  '-timestamp': createTimeSort('-timestamp', getEventTime),
};

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
      const { id: accountId, timeZone } = requireAuthenticatedUser(request);
      const { type: types = ['*'], sort = '-timestamp' } = query;
      const page = parseListPage(request, LIST_SORTS[sort]);
      const range = {
        from: parseTimeRangeBound(query.from, timeZone),
        to: parseTimeRangeBound(query.to, timeZone),
      };
      const filter = { types: listMatchingEventTypes(types), ...limitEventRange(range, new Date()) };
      const cursor = toTimePosition(page.after);
      const rows = await database.read(({ pool }) =>
        listEvents(pool, accountId, filter, { sort, cursor, take: page.take }),
      );
      return toListPage(page, { rows }, toEventView);
    },
  );
};
