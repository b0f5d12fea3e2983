import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import { allowUsers, skipAudit } from '../../platform/route-access.ts';
import { createUnpreparedSqlReader } from '../../platform/sql-readers.ts';
import { createCursorPageSchema, toCursorPage } from '../../shared/pagination.ts';
import { decodeTimeCursor, encodeTimeCursor } from '../../shared/time-cursor.ts';
import { parseTimeRangeBound } from '../../shared/time-range.ts';
import { listEvents } from './event.repository.ts';
import { limitEventRange, listMatchingEventTypes } from './event.rules.ts';
import { toEventView } from './event.view.ts';
import { AccountEvent, EventQuery } from './webhooks.schemas.ts';

export const eventRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (app, { database }) => {
  app.get(
    '',
    {
      config: { access: allowUsers('webhooks:own'), audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'events.list',
        tags: ['Events'],
        summary: 'List the events of the last 30 days, newest first by default',
        description:
          'An event has ids only; read the object at `data.path`. It can appear a few seconds after its `timestamp`: a client that polls reads the last minute again and skips known ids.',
        querystring: EventQuery,
        response: { 200: createCursorPageSchema(AccountEvent, 'AccountEventPage') },
      },
    },
    async (request) => {
      const { query } = request;
      const { id: userId, timeZone } = requireAuthenticatedUser(request);
      const { type = '*', sort = '-timestamp', limit } = query;
      const range = {
        from: parseTimeRangeBound(query.from, timeZone),
        to: parseTimeRangeBound(query.to, timeZone),
      };
      const filter = { types: listMatchingEventTypes([type]), ...limitEventRange(range, new Date()) };
      const cursor = query.cursor === undefined ? null : decodeTimeCursor(query.cursor);
      const rows = await database.read((db) =>
        listEvents(createUnpreparedSqlReader(db), userId, filter, { sort, cursor, take: limit + 1 }),
      );
      return toCursorPage(rows, limit, toEventView, encodeTimeCursor);
    },
  );
};
