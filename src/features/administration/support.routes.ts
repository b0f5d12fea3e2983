import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { recordAction } from '../../platform/audit.ts';
import { callerOf } from '../../platform/caller.ts';
import type { Database } from '../../platform/database.ts';
import { account, audited } from '../../platform/route-access.ts';
import { invalidFields } from '../../shared/errors.ts';
import { offsetOf, type PageQuery, pageAnswer, pageOf } from '../../shared/pagination.ts';
import { listAllQrCodes } from './all-qrcodes.repository.ts';
import { listPeople } from './all-users.repository.ts';
import { recordLook } from './record-look.ts';
import { supportSearch } from './search-text.rules.ts';
import { SupportQrCode, SupportQrCodeQuery, SupportUser, SupportUserQuery } from './support.schemas.ts';
import { supportQrCodeView, supportUserView } from './support.views.ts';

/** Rows of a search that support can read: it finds, and does not list. */
const MOST_ROWS = 100;

const FINDS = `Shows the first ${MOST_ROWS} that match, newest first, over all pages; \`total\` counts no further. Narrow the search to see others. Up to ten people shown read it in their own audit trail, each of them.`;

/** What support finds: a person or a code by what somebody says of it. Each look is recorded. */
export const supportRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (app, { database }) => {
  app.get(
    '/users',
    {
      exposeHeadRoute: false,
      config: { access: account('support:find'), audit: audited('SUPPORT_USERS_SEARCHED') },
      schema: {
        operationId: 'support.users',
        tags: ['Support'],
        summary: 'Find people by a part of address, name or organization.',
        description: FINDS,
        querystring: SupportUserQuery,
        response: { 200: pageOf(SupportUser) },
      },
    },
    async (request) => {
      const filter = { search: supportSearch(request.query.search), ...firstRows(request.query) };
      const { rows, total } = await database.transaction(async (tx) => {
        const found = await listPeople(tx, filter);
        await recordLook(
          tx,
          callerOf(request),
          found.rows.map(({ id }) => id),
        );
        return found;
      });
      return pageAnswer(request.query, rows.map(supportUserView), Math.min(total, MOST_ROWS));
    },
  );

  app.get(
    '/qrcodes',
    {
      exposeHeadRoute: false,
      config: { access: account('support:find'), audit: audited('SUPPORT_QRCODES_SEARCHED') },
      schema: {
        operationId: 'support.qrcodes',
        tags: ['Support'],
        summary: 'Find codes by a part of the title, by id or by owner, without content.',
        description: FINDS,
        querystring: SupportQrCodeQuery,
        response: { 200: pageOf(SupportQrCode) },
      },
    },
    async (request) => {
      const { id, ownerId } = request.query;
      const search = request.query.search && supportSearch(request.query.search);
      if (!search && !id && !ownerId) {
        throw invalidFields({ field: 'search', code: 'REQUIRED', message: 'Give search, id or ownerId.' });
      }
      const filter = { search, id, ownerId, ...firstRows(request.query) };
      const { rows, total } = await database.transaction(async (tx) => {
        const found = await listAllQrCodes(tx, filter);
        const caller = callerOf(request);
        if (ownerId) await recordLook(tx, caller, [ownerId]);
        else if (id) await recordAction(tx, caller, { resourceId: id });
        else
          await recordLook(
            tx,
            caller,
            found.rows.map((row) => row.ownerId),
          );
        return found;
      });
      return pageAnswer(request.query, rows.map(supportQrCodeView), Math.min(total, MOST_ROWS));
    },
  );
};

/** The rows of a page, as far as support may leaf. */
function firstRows(query: Static<typeof PageQuery>): { skip: number; take: number } {
  const skip = offsetOf(query);
  return { skip, take: Math.max(0, Math.min(query.limit, MOST_ROWS - skip)) };
}
