import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
  toAccountFields,
} from '../../shared/common.schemas.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { createPageSchema, PageQuery } from '../../shared/pagination.ts';
import type { AdministrationServices } from './administration-services.ts';
import {
  BREAK_GLASS_RESOURCE_TYPES,
  BreakGlassEntry,
  BreakGlassGrant,
  BreakGlassRequest,
} from './break-glass.schemas.ts';
import {
  endBreakGlassAccess,
  findReasonErrors,
  grantBreakGlassAccess,
  listBreakGlassGrantsWithReasons,
  NEWEST_GRANT_FIRST,
} from './break-glass.use-case.ts';

/** Routes for emergency access: administrators request it, auditors list the grants. */
export const breakGlassRoutes: FastifyPluginAsyncTypebox<AdministrationServices> = async (app, services) => {
  app.post(
    '/break-glass',
    {
      config: {
        access: allowUsers('admin:break-glass'),
        audit: auditAs('BREAK_GLASS_OPENED'),
        findBodyErrors: findReasonErrors,
      },
      schema: {
        operationId: 'admin.requestBreakGlass',
        tags: ['Administration'],
        summary: `Request emergency access to one record for ${formatLifetime('breakGlass')}`,
        description:
          'GET /api/qrcodes/<id> then returns the content of the code, or GET /api/scans/<id> the exact position of the scan. The owner is notified immediately. Requesting the same record again returns 200 with the active grant. At most 20 records per hour.',
        headers: IdempotencyKeyHeader,
        body: BreakGlassRequest,
        response: {
          200: schemaRef(BreakGlassGrant),
          201: schemaRef(BreakGlassGrant),
          ...createProblemResponseSchemas(404, 409),
        },
      },
    },
    async (request, reply) => {
      const result = await grantBreakGlassAccess(
        services,
        getRequestContext(request),
        requireAuthenticatedUser(request).id,
        request.body,
      );
      const grant = prepareCreatedReply(reply, result);
      return result.body.isReused ? reply.code(200).removeHeader('Location').send(grant) : grant;
    },
  );

  app.get(
    '/break-glass',
    {
      config: { access: allowUsers('audit:read'), audit: auditAs('BREAK_GLASS_GRANTS_LISTED') },
      schema: {
        operationId: 'admin.listBreakGlassGrants',
        tags: ['Administration'],
        summary: 'List emergency access grants with their reasons, newest first',
        description:
          'For auditors. A reason that fails its integrity check is null, with `reasonUnreadable`.',
        querystring: PageQuery,
        response: { 200: createPageSchema(BreakGlassEntry) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_GRANT_FIRST);
      const list = await listBreakGlassGrantsWithReasons(services, getRequestContext(request), page);
      return toListPage(page, list, ({ row, reason }) => ({
        id: row.id,
        administratorId: row.administratorId,
        ...toAccountFields(row.accountId),
        resourceType:
          BREAK_GLASS_RESOURCE_TYPES.find((type) => type === row.resourceType) ??
          BREAK_GLASS_RESOURCE_TYPES[0],
        resourceId: row.resourceId,
        reason,
        reasonUnreadable: reason === null,
        createdAt: row.createdAt.toISOString(),
        expiresAt: row.expiresAt.toISOString(),
      }));
    },
  );

  app.delete(
    '/break-glass/:id',
    {
      config: { access: allowUsers('admin:break-glass'), audit: auditAs('BREAK_GLASS_ENDED') },
      schema: {
        operationId: 'admin.endBreakGlass',
        tags: ['Administration'],
        summary: 'End emergency access before its time',
        description:
          'By any administrator. The record of the grant stays, with its end as `expiresAt`. 404 for one that has ended.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(404) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await endBreakGlassAccess(services, getRequestContext(request), id);
      return { id, deleted: true as const };
    },
  );
};
