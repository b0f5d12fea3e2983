import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { problems } from '../../platform/openapi.ts';
import { account, audited } from '../../platform/route-access.ts';
import { IdempotencyHeader, ref } from '../../shared/common.schemas.ts';
import { offsetOf, PageQuery, pageAnswer, pageOf } from '../../shared/pagination.ts';
import type { AdministrationServices } from './administration-services.ts';
import { BreakGlassEntry, BreakGlassGrant, BreakGlassRequest, GLASS_TYPES } from './break-glass.schemas.ts';
import { breakGlass, listReasons } from './break-glass.ts';

/** Reading somebody's record in an emergency, and what auditors see of it. */
export const breakGlassRoutes: FastifyPluginAsyncTypebox<AdministrationServices> = async (app, services) => {
  app.post(
    '/break-glass',
    {
      config: { access: account('admin:break-glass'), audit: audited('BREAK_GLASS_OPENED') },
      schema: {
        operationId: 'admin.breakGlass',
        tags: ['Administration'],
        summary: 'In an emergency, read one record of somebody for a quarter of an hour.',
        description:
          "After it GET /api/qrcodes/<id> answers a code's content, or GET /api/scans/<id> a scan's exact position. The owner is told at once. While it lasts, asking again for the same record is 200 with the same grant. Twenty records an hour.",
        headers: IdempotencyHeader,
        body: BreakGlassRequest,
        response: { 200: ref(BreakGlassGrant), 201: ref(BreakGlassGrant), ...problems(404, 409) },
      },
    },
    async (request, reply) => {
      const made = await breakGlass(services, callerOf(request), userOf(request).id, request.body);
      const grant = created(reply, made);
      return made.body.wasOpen ? reply.code(200).send(grant) : grant;
    },
  );

  app.get(
    '/break-glass',
    {
      exposeHeadRoute: false,
      config: { access: account('audit:read'), audit: audited('BREAK_GLASS_GRANTS_LISTED') },
      schema: {
        operationId: 'admin.breakGlassGrants',
        tags: ['Administration'],
        summary: 'When the glass was broken, by whom, for what and why; newest first.',
        querystring: PageQuery,
        response: { 200: pageOf(BreakGlassEntry) },
      },
    },
    async (request) => {
      const page = { skip: offsetOf(request.query), take: request.query.limit };
      const { rows, total } = await listReasons(services, callerOf(request), page);
      const data = rows.map(({ row, reason }) => ({
        id: row.id,
        administratorId: row.administratorId,
        ownerId: row.ownerId,
        resourceType: GLASS_TYPES.find((type) => type === row.resourceType) ?? GLASS_TYPES[0],
        resourceId: row.resourceId,
        reason,
        reasonDamaged: reason === null,
        createdAt: row.createdAt.toISOString(),
        expiresAt: row.expiresAt.toISOString(),
      }));
      return pageAnswer(request.query, data, total);
    },
  );
};
