import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../../platform/http/if-match.ts';
import { createProblemResponseSchemas } from '../../../../platform/openapi.ts';
import { getRequestContext } from '../../../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef } from '../../../../shared/common.schemas.ts';
import { formatLifetime } from '../../../../shared/lifetimes.ts';
import type { AccountServices } from '../../accounts/account-services.ts';
import { changePolicies, readPolicies } from './change-policies.use-case.ts';
import { OrganizationPoliciesChange, OrganizationPoliciesSchema } from './policies.schemas.ts';

/** What an organization requires of its members. */
export const organizationPolicyRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  app.get(
    '/:id/policies',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('ORGANIZATION') },
      schema: {
        operationId: 'organizations.getPolicies',
        tags: ['Organizations'],
        summary: 'Get what an organization requires of its members, and who has no second factor',
        description: 'For owners and managers; other members get 403 FORBIDDEN.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(OrganizationPoliciesSchema), ...createProblemResponseSchemas(403) },
      },
    },
    async (request, reply) => {
      const { id: userId } = requireAuthenticatedUser(request);
      const { policies } = await readPolicies(services.database.client, userId, request.params.id);
      return reply.header('ETag', formatVersionEtag(policies.version)).send(policies);
    },
  );

  app.patch(
    '/:id/policies',
    {
      config: { access: allowUsers('account:manage'), audit: auditAs('ORGANIZATION_POLICIES_UPDATED') },
      schema: {
        operationId: 'organizations.patchPolicies',
        tags: ['Organizations'],
        summary: 'Update what an organization requires of its members',
        description: `Owners only, within ${formatLifetime('freshSession')} of a login: 403 REAUTHENTICATION_REQUIRED. Whoever requires a second factor has one: 403 MFA_ENROLLMENT_REQUIRED. Members without one get an email, and from the next request on 403 MFA_ENROLLMENT_REQUIRED, as do their API keys. After \`maxSessionHours\` what concerns the organization is 403 REAUTHENTICATION_REQUIRED until they log in again; their own account is not affected.`,
        params: createIdParamsSchema('id'),
        body: OrganizationPoliciesChange,
        response: {
          200: schemaRef(OrganizationPoliciesSchema),
          ...createProblemResponseSchemas(403, 412, 429),
        },
      },
    },
    async (request, reply) => {
      const { policies } = await changePolicies(
        services,
        getRequestContext(request),
        requireAuthenticatedUser(request),
        { id: request.params.id, ifMatch: request.headers['if-match'] },
        request.body,
      );
      return reply.header('ETag', formatVersionEtag(policies.version)).send(policies);
    },
  );
};
