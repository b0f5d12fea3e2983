import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { callerOf } from '../../platform/caller.ts';
import type { Database } from '../../platform/database.ts';
import { account, audited } from '../../platform/route-access.ts';
import { ref } from '../../shared/common.schemas.ts';
import { invalidFields } from '../../shared/errors.ts';
import { offsetOf, pageAnswer, pageOf } from '../../shared/pagination.ts';
import { parseKind } from '../qrcodes/kinds/all-kinds.ts';
import { rollUpLag } from '../statistics/rollup.repository.ts';
import {
  AdminQrCode,
  AdminQrCodeQuery,
  AdminUser,
  AdminUserQuery,
  Analytics,
} from './administration.schemas.ts';
import { adminQrCodeView, adminUserView, analyticsView } from './administration.views.ts';
import { listAllQrCodes } from './all-qrcodes.repository.ts';
import { listPeople } from './all-users.repository.ts';
import { readAnalytics } from './analytics.repository.ts';
import { countRunningDays } from './count-running-days.ts';
import { recordLook } from './record-look.ts';

/** What administrators read. Each read is recorded in the transaction that reads. */
export const administrationRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (
  app,
  { database },
) => {
  app.get(
    '/users',
    {
      exposeHeadRoute: false,
      config: { access: account('admin:users'), audit: audited('ADMIN_USERS_LISTED'), cache: 'revalidate' },
      schema: {
        operationId: 'admin.users',
        tags: ['Administration'],
        summary: 'All people, newest first.',
        querystring: AdminUserQuery,
        response: { 200: pageOf(AdminUser) },
      },
    },
    async (request) => {
      const { search, role, status, limit } = request.query;
      const filter = { search, role, status, skip: offsetOf(request.query), take: limit };
      const { rows, total } = await database.transaction(async (tx) => {
        const found = await listPeople(tx, filter);
        await recordLook(
          tx,
          callerOf(request),
          found.rows.map(({ id }) => id),
        );
        return found;
      });
      return pageAnswer(request.query, rows.map(adminUserView), total);
    },
  );

  app.get(
    '/qrcodes',
    {
      exposeHeadRoute: false,
      config: {
        access: account('admin:qrcodes'),
        audit: audited('ADMIN_QRCODES_LISTED'),
        cache: 'revalidate',
      },
      schema: {
        operationId: 'admin.qrcodes',
        tags: ['Administration'],
        summary: 'All QR codes without their content, newest first; deleted ones too.',
        querystring: AdminQrCodeQuery,
        response: { 200: pageOf(AdminQrCode) },
      },
    },
    async (request) => {
      const { search, status, ownerId, limit } = request.query;
      const kind = request.query.kind === undefined ? undefined : kindNamed(request.query.kind);
      const filter = { search, kind, status, ownerId, skip: offsetOf(request.query), take: limit };
      const { rows, total } = await database.transaction(async (tx) => {
        const found = await listAllQrCodes(tx, filter);
        await recordLook(tx, callerOf(request), ownerId ? [ownerId] : found.rows.map((row) => row.ownerId));
        return found;
      });
      return pageAnswer(request.query, rows.map(adminQrCodeView), total);
    },
  );

  app.get(
    '/analytics',
    {
      exposeHeadRoute: false,
      config: { access: account('admin:analytics'), audit: audited('ADMIN_ANALYTICS_READ') },
      schema: {
        operationId: 'admin.analytics',
        tags: ['Administration'],
        summary: 'Counts over the whole service.',
        description:
          'A job counts each day once it is over. Where many days are not counted yet, as soon after an update, the answer is what is counted so far: `countedTo` says up to which day.',
        response: { 200: ref(Analytics) },
      },
    },
    async (request) => {
      const now = new Date();
      const running = await countRunningDays(database, now);
      const facts = await database.transaction(async (tx) => {
        await recordAction(tx, callerOf(request));
        return readAnalytics(tx, now, running);
      });
      return analyticsView({ ...facts, rollUps: await rollUpLag(database.pool) }, now);
    },
  );
};

function kindNamed(name: string): string {
  const kind = parseKind(name);
  if (!kind) throw invalidFields({ field: 'kind', code: 'NOT_ALLOWED', message: 'Is not a known kind.' });
  return kind.kind;
}
