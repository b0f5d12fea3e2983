import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { commitAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import { formatVersionEtag } from '../../platform/http/if-match.ts';
import { parseListPage, selectListRange, toListPage } from '../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { ListSort } from '../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../shared/pagination.ts';
import { findPackageErrors, listPackages, listPackageVersions } from '../billing/index.ts';
import { AdminPackage, PackageUpdateRequest, PackageVersion } from './packages.schemas.ts';
import { updatePackage } from './update-package.use-case.ts';

const PACKAGE_ACCESS = allowUsers('admin:packages');

const BY_RANK: ListSort<{ id: string; rank: number }> = {
  name: 'rank',
  keyType: 'integer',
  getPosition: ({ id, rank }) => ({ key: rank, id }),
};

const NEWEST_VERSION_FIRST: ListSort<{ version: number }> = {
  name: '-version',
  keyType: 'integer',
  getPosition: ({ version }) => ({ key: version, id: '' }),
};

/** Routes of administrators for packages, their versions and prices. */
export const adminPackageRoutes: FastifyPluginAsyncTypebox<{
  database: Database;
  isEnterpriseEnforced: boolean;
}> = async (app, services) => {
  const { database } = services;

  app.get(
    '/packages',
    {
      config: { access: PACKAGE_ACCESS, audit: auditAs('ADMIN_PACKAGES_READ') },
      schema: {
        operationId: 'admin.listPackages',
        tags: ['Administration'],
        summary: 'List packages by rank, including those not on offer',
        description:
          'Each with the prices and limits of its current version. Users see those on offer at GET /api/subscription/all.',
        querystring: PageQuery,
        response: { 200: createPageSchema(AdminPackage) },
      },
    },
    async (request) => {
      await commitAuditEntry(database, getRequestContext(request));
      const rows = await listPackages(database.client);
      const page = parseListPage(request, BY_RANK);
      return toListPage(page, selectListRange(page, rows), (row) => row);
    },
  );

  app.get(
    '/packages/:id/versions',
    {
      config: { access: PACKAGE_ACCESS, audit: auditAs('ADMIN_PACKAGES_READ') },
      schema: {
        operationId: 'admin.listPackageVersions',
        tags: ['Administration'],
        summary: 'List the versions of a package, newest first. The audit trail has who changed it',
        description: 'A subscription keeps the version that it was bought in.',
        params: createIdParamsSchema('id'),
        querystring: PageQuery,
        response: { 200: createPageSchema(PackageVersion) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const page = parseListPage(request, NEWEST_VERSION_FIRST);
      const list = await listPackageVersions(database.client, id, page);
      if (list.total === 0) throw new ServiceError('NOT_FOUND');
      await commitAuditEntry(database, getRequestContext(request), { resourceId: id });
      return toListPage(page, list, (row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
    },
  );

  app.put(
    '/packages/:id',
    {
      config: {
        access: PACKAGE_ACCESS,
        audit: auditAs('PACKAGE_CHANGED'),
        findUseCaseErrors: async (body, request: FastifyRequest<{ Params: { id: string } }>) => {
          const found = (await listPackages(database.client)).find(({ id }) => id === request.params.id);
          return found ? findPackageErrors(found.code, body) : [];
        },
      },
      schema: {
        operationId: 'admin.updatePackage',
        tags: ['Administration'],
        summary: 'Replace a package, which creates a new version',
        description:
          'Existing subscriptions keep the price and limits of their version. An unchanged package creates no version. Changes of FREE apply immediately to all users without another package; records beyond the new limits become read-only. Send the ETag of the version you read as If-Match.',
        params: createIdParamsSchema('id'),
        body: PackageUpdateRequest,
        response: { 200: schemaRef(AdminPackage), ...createProblemResponseSchemas(412) },
      },
    },
    async (request, reply) => {
      const change = { content: request.body, ifMatch: request.headers['if-match'] };
      const row = await updatePackage(services, getRequestContext(request), request.params.id, change);
      return reply.header('ETag', formatVersionEtag(row.version)).send(row);
    },
  );
};
