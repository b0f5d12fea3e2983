import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { callerOf } from '../../platform/caller.ts';
import type { Database } from '../../platform/database.ts';
import { versionTag } from '../../platform/http/if-match.ts';
import { problems } from '../../platform/openapi.ts';
import { account, audited } from '../../platform/route-access.ts';
import { idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { offsetOf, PageQuery, pageAnswer, pageOf } from '../../shared/pagination.ts';
import { listPackages, listVersions } from '../subscriptions/package.repository.ts';
import { changePackage } from './change-package.ts';
import { AdminPackage, PackageChange, PackageVersion } from './packages.schemas.ts';

const ACCESS = account('admin:packages');

/** What is sold: packages, what they were, and changing them. */
export const packageRoutes: FastifyPluginAsyncTypebox<{
  database: Database;
  enterpriseForAll: boolean;
}> = async (app, services) => {
  const { database } = services;

  app.get(
    '/packages',
    {
      exposeHeadRoute: false,
      config: { access: ACCESS, audit: audited('ADMIN_PACKAGES_READ') },
      schema: {
        operationId: 'admin.packages',
        tags: ['Administration'],
        summary: 'All packages, from small to large, those that are not on offer too.',
        querystring: PageQuery,
        response: { 200: pageOf(AdminPackage) },
      },
    },
    async (request) => {
      const rows = await database.transaction(async (tx) => {
        await recordAction(tx, callerOf(request));
        return listPackages(tx);
      });
      const skip = offsetOf(request.query);
      return pageAnswer(request.query, rows.slice(skip, skip + request.query.limit), rows.length);
    },
  );

  app.get(
    '/packages/:id/versions',
    {
      exposeHeadRoute: false,
      config: { access: ACCESS, audit: audited('ADMIN_PACKAGES_READ') },
      schema: {
        operationId: 'admin.packageVersions',
        tags: ['Administration'],
        summary: 'What a package was, the newest version first; who changed it is in the audit trail.',
        params: idParams('id'),
        querystring: PageQuery,
        response: { 200: pageOf(PackageVersion) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const page = { skip: offsetOf(request.query), take: request.query.limit };
      const { rows, total } = await database.transaction(async (tx) => {
        const versions = await listVersions(tx, id, page);
        if (versions.total === 0) throw new ServiceError('NOT_FOUND');
        await recordAction(tx, callerOf(request), { resourceId: id });
        return versions;
      });
      const data = rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
      return pageAnswer(request.query, data, total);
    },
  );

  app.put(
    '/packages/:id',
    {
      config: { access: ACCESS, audit: audited('PACKAGE_CHANGED') },
      schema: {
        operationId: 'admin.changePackage',
        tags: ['Administration'],
        summary: 'Offer a package otherwise from now on: all of it is given, and makes a new version.',
        description:
          'Whoever bought an earlier version keeps its price and its limits. What is as it was makes no version. The limits of FREE hold for everybody who has no other package, at once; what somebody has beyond them keeps working and becomes read-only. Send the version that you read as If-Match.',
        params: idParams('id'),
        body: PackageChange,
        response: { 200: ref(AdminPackage), ...problems(412) },
      },
    },
    async (request, reply) => {
      const change = { content: request.body, ifMatch: request.headers['if-match'] };
      const row = await changePackage(services, callerOf(request), request.params.id, change);
      return reply.header('ETag', versionTag(row.version)).send(row);
    },
  );
};
