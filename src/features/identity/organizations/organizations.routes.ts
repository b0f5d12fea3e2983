import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { parseListPage, selectListRange, toListPage } from '../../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { OLDEST_FIRST } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { deleteOrganization, restoreOrganization } from './delete-organization.use-case.ts';
import {
  changeOrganization,
  createOrganization,
  getOwnOrganization,
} from './manage-organizations.use-case.ts';
import { listOrganizations } from './organization.repository.ts';
import { toOrganizationView } from './organization.view.ts';
import {
  MAX_OWNED_ORGANIZATIONS,
  NewOrganization,
  OrganizationChange,
  OrganizationSchema,
} from './organizations.schemas.ts';

/** Organizations of the user who asks. */
export const organizationRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  const { database } = services;

  app.post(
    '',
    {
      config: { access: allowUsersWithProfile('account:manage'), audit: auditAs('ORGANIZATION_CREATED') },
      schema: {
        operationId: 'organizations.create',
        tags: ['Organizations'],
        summary: 'Create an organization, which you own',
        description: `An account without a login: its members act for it. Language and time zone are yours by default. You can own up to ${MAX_OWNED_ORGANIZATIONS} (409 TOO_MANY_ORGANIZATIONS).`,
        headers: IdempotencyKeyHeader,
        body: NewOrganization,
        response: { 201: schemaRef(OrganizationSchema), ...createProblemResponseSchemas(409) },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      return prepareCreatedReply(
        reply,
        await createOrganization(services, getRequestContext(request), user, request.body),
      );
    },
  );

  app.get(
    '',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('ORGANIZATION'), cache: 'revalidate' },
      schema: {
        operationId: 'organizations.list',
        tags: ['Organizations'],
        summary: 'List your organizations, oldest first',
        description: 'Those you are a member of. `role` is yours.',
        querystring: PageQuery,
        response: { 200: createPageSchema(OrganizationSchema) },
      },
    },
    async (request) => {
      const rows = await listOrganizations(database.client, requireAuthenticatedUser(request).id);
      const page = parseListPage(request, OLDEST_FIRST);
      return toListPage(page, selectListRange(page, rows), toOrganizationView);
    },
  );

  app.get(
    '/:id',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('ORGANIZATION') },
      schema: {
        operationId: 'organizations.get',
        tags: ['Organizations'],
        summary: 'Get an organization',
        description: 'As one of its members; for others it is 404.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(OrganizationSchema) },
      },
    },
    async (request, reply) => {
      const { id: userId } = requireAuthenticatedUser(request);
      const row = await getOwnOrganization(database.client, userId, request.params.id);
      return reply.header('ETag', formatVersionEtag(row.version)).send(toOrganizationView(row));
    },
  );

  app.patch(
    '/:id',
    {
      config: { access: allowUsers('account:manage'), audit: auditAs('ORGANIZATION_UPDATED') },
      schema: {
        operationId: 'organizations.patch',
        tags: ['Organizations'],
        summary: 'Update an organization: its name, its language or its time zone',
        description: 'Owners only; other members get 403 FORBIDDEN.',
        params: createIdParamsSchema('id'),
        body: OrganizationChange,
        response: { 200: schemaRef(OrganizationSchema), ...createProblemResponseSchemas(403, 412) },
      },
    },
    async (request, reply) => {
      const row = await changeOrganization(
        services,
        getRequestContext(request),
        { userId: requireAuthenticatedUser(request).id, id: request.params.id },
        request.body,
        request.headers['if-match'],
      );
      return reply.header('ETag', formatVersionEtag(row.version)).send(toOrganizationView(row));
    },
  );

  app.delete(
    '/:id',
    {
      config: { access: allowUsers('account:manage'), audit: auditAs('ORGANIZATION_DELETION_REQUESTED') },
      schema: {
        operationId: 'organizations.delete',
        tags: ['Organizations'],
        summary: `Delete an organization; it is erased after ${formatLifetime('deletedOrganization')}`,
        description: `Owners only. Until \`deleteAfter\` it works as before and each owner can restore it; each gets an email. Requires a login within the last ${formatLifetime('freshSession')}: 403 REAUTHENTICATION_REQUIRED.`,
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(OrganizationSchema), ...createProblemResponseSchemas(403, 412) },
      },
    },
    async (request, reply) => {
      const row = await deleteOrganization(
        services,
        getRequestContext(request),
        requireAuthenticatedUser(request),
        request.params.id,
        request.headers['if-match'],
      );
      return reply.header('ETag', formatVersionEtag(row.version)).send(toOrganizationView(row));
    },
  );

  app.post(
    '/:id/restore',
    {
      config: {
        access: allowUsers('account:manage'),
        audit: auditAs('ORGANIZATION_RESTORED'),
        storesResponse: true,
      },
      schema: {
        operationId: 'organizations.restore',
        tags: ['Organizations'],
        summary: 'Restore a deleted organization before it is erased',
        description: 'Owners only. One that is not deleted stays as it is.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(OrganizationSchema), ...createProblemResponseSchemas(403, 412) },
      },
    },
    async (request) =>
      toOrganizationView(
        await restoreOrganization(
          services,
          getRequestContext(request),
          requireAuthenticatedUser(request).id,
          request.params.id,
          request.headers['if-match'],
        ),
      ),
  );
};
