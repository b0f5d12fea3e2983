import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { callerOf } from '../../platform/caller.ts';
import type { Database } from '../../platform/database.ts';
import { account, audited } from '../../platform/route-access.ts';
import { invalidFields } from '../../shared/errors.ts';
import { offsetOf, pageAnswer, pageOf } from '../../shared/pagination.ts';
import { listAllQrCodes } from './all-qrcodes.repository.ts';
import { listPeople } from './all-users.repository.ts';
import { SupportQrCode, SupportQrCodeQuery, SupportUser, SupportUserQuery } from './support.schemas.ts';
import { supportQrCodeView, supportUserView } from './support.views.ts';

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
        querystring: SupportUserQuery,
        response: { 200: pageOf(SupportUser) },
      },
    },
    async (request) => {
      const { search, limit } = request.query;
      const filter = { search, skip: offsetOf(request.query), take: limit };
      const { rows, total } = await database.transaction(async (tx) => {
        await recordAction(tx, callerOf(request));
        return listPeople(tx, filter);
      });
      return pageAnswer(request.query, rows.map(supportUserView), total);
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
        querystring: SupportQrCodeQuery,
        response: { 200: pageOf(SupportQrCode) },
      },
    },
    async (request) => {
      const { search, id, ownerId, limit } = request.query;
      if (!search && !id && !ownerId) {
        throw invalidFields({ field: 'search', code: 'REQUIRED', message: 'Give search, id or ownerId.' });
      }
      const filter = { search, id, ownerId, skip: offsetOf(request.query), take: limit };
      const { rows, total } = await database.transaction(async (tx) => {
        await recordAction(tx, callerOf(request), id ? { resourceId: id } : {});
        return listAllQrCodes(tx, filter);
      });
      return pageAnswer(request.query, rows.map(supportQrCodeView), total);
    },
  );
};
