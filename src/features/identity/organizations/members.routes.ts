import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  DoneResponse,
  schemaRef,
} from '../../../shared/common.schemas.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { OLDEST_FIRST } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { changeMemberRole, getMember, limitMemberToFolders } from './change-member-role.use-case.ts';
import { getOwnOrganization } from './manage-organizations.use-case.ts';
import { listMembers } from './member.repository.ts';
import { toMemberView } from './member.view.ts';
import {
  MemberAccessSchema,
  MemberChange,
  MemberFolders,
  MemberSchema,
  OwnershipTransfer,
} from './members.schemas.ts';
import { toOrganizationView } from './organization.view.ts';
import { OrganizationSchema } from './organizations.schemas.ts';
import { leaveOrganization, readMemberAccess, removeMember } from './remove-member.use-case.ts';
import { transferOwnership } from './transfer-ownership.use-case.ts';

const MemberParams = createIdParamsSchema('id', 'userId');

/** Members of an organization, for its members. */
export const memberRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '/:id/members',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('ORGANIZATION'), cache: 'revalidate' },
      schema: {
        operationId: 'organizations.listMembers',
        tags: ['Organizations'],
        summary: 'List the members of an organization, oldest first',
        description: 'Owners and managers also get addresses.',
        params: createIdParamsSchema('id'),
        querystring: PageQuery,
        response: { 200: createPageSchema(MemberSchema) },
      },
    },
    async (request) => {
      const { id: userId } = requireAuthenticatedUser(request);
      const { id, role } = await getOwnOrganization(database.client, userId, request.params.id);
      const page = parseListPage(request, OLDEST_FIRST);
      return toListPage(page, await listMembers(database.client, id, page), (row) => toMemberView(row, role));
    },
  );

  app.get(
    '/:id/members/:userId',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('ORGANIZATION') },
      schema: {
        operationId: 'organizations.getMember',
        tags: ['Organizations'],
        summary: 'Get a member of an organization',
        description: 'As another member; for others it is 404.',
        params: MemberParams,
        response: { 200: schemaRef(MemberSchema) },
      },
    },
    async (request, reply) => {
      const { id: accountId, userId } = request.params;
      const actor = requireAuthenticatedUser(request);
      const { member, organization } = await getMember(database.client, actor.id, { accountId, userId });
      return reply
        .header('ETag', formatVersionEtag(member.version))
        .send(toMemberView(member, organization.role));
    },
  );

  app.patch(
    '/:id/members/:userId',
    {
      config: { access: allowUsers('account:manage'), audit: auditAs('MEMBER_ROLE_CHANGED') },
      schema: {
        operationId: 'organizations.patchMember',
        tags: ['Organizations'],
        summary: 'Update the role of a member',
        description: `Owners change every role. Managers change all but that of owners, to one that they can invite as: else 403 FORBIDDEN, as for other members. The only owner stays one, also beside suspended ones: 409 LAST_OWNER. Nobody without a profile, or suspended, becomes an owner: 403. To or from OWNER requires a login within the last ${formatLifetime('freshSession')}: 403 REAUTHENTICATION_REQUIRED.`,
        params: MemberParams,
        body: MemberChange,
        response: { 200: schemaRef(MemberSchema), ...createProblemResponseSchemas(403, 409, 412) },
      },
    },
    async (request, reply) => {
      const { id: accountId, userId } = request.params;
      const { member, organization } = await changeMemberRole(
        services,
        getRequestContext(request),
        requireAuthenticatedUser(request),
        { accountId, userId, role: request.body.role, ifMatch: request.headers['if-match'] },
      );
      return reply
        .header('ETag', formatVersionEtag(member.version))
        .send(toMemberView(member, organization.role));
    },
  );

  app.put(
    '/:id/members/:userId/folders',
    {
      config: { access: allowUsers('account:manage'), audit: auditAs('MEMBER_FOLDERS_CHANGED') },
      schema: {
        operationId: 'organizations.updateMemberFolders',
        tags: ['Organizations'],
        summary: 'Limit a member to the codes in some folders, or end the limit',
        description:
          'From the next request on, the member has the codes in these folders, their scans and conversations; everything else is 403 FORBIDDEN or 404. API keys that the member made have the same limit. An empty list leaves no codes. Owners and managers have all codes and cannot be limited: 400. Who may change the role of the member may limit them: else 403.',
        params: MemberParams,
        body: MemberFolders,
        response: { 200: schemaRef(MemberSchema), ...createProblemResponseSchemas(403, 412) },
      },
    },
    async (request, reply) => {
      const { id: accountId, userId } = request.params;
      const { folderIds } = request.body;
      const { member, organization } = await limitMemberToFolders(
        services,
        getRequestContext(request),
        requireAuthenticatedUser(request),
        { accountId, userId, folderIds, ifMatch: request.headers['if-match'] },
      );
      return reply
        .header('ETag', formatVersionEtag(member.version))
        .send(toMemberView(member, organization.role));
    },
  );

  app.get(
    '/:id/members/:userId/access',
    {
      config: { access: allowUsers('account:manage'), audit: skipAudit('ORGANIZATION') },
      schema: {
        operationId: 'organizations.getMemberAccess',
        tags: ['Organizations'],
        summary: 'Get what ends when a member is removed, and what to change then',
        description: 'For whoever may remove the member, and for the member.',
        params: MemberParams,
        response: { 200: schemaRef(MemberAccessSchema), ...createProblemResponseSchemas(403) },
      },
    },
    async (request) => {
      const { id: accountId, userId } = request.params;
      const actor = requireAuthenticatedUser(request);
      return (await readMemberAccess(database.forAccount(accountId).client, actor.id, { accountId, userId }))
        .access;
    },
  );

  app.delete(
    '/:id/members/:userId',
    {
      config: { access: allowUsers('account:manage'), audit: auditAs('MEMBER_REMOVED') },
      schema: {
        operationId: 'organizations.removeMember',
        tags: ['Organizations'],
        summary: 'Remove a member, who can do nothing there from the next request on',
        description:
          'Owners remove everybody, managers all but owners; to remove an owner requires a recent login: 403 REAUTHENTICATION_REQUIRED. The member gets an email. Their API keys stop, and their links end; rotate the secrets that they could read: GET …/access lists them before.',
        params: MemberParams,
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(403, 409, 412) },
      },
    },
    async (request) => {
      const { id: accountId, userId } = request.params;
      const key = { accountId, userId, ifMatch: request.headers['if-match'] };
      await removeMember(services, getRequestContext(request), requireAuthenticatedUser(request), key);
      return { id: userId, deleted: true as const };
    },
  );

  app.post(
    '/:id/leave',
    {
      config: {
        access: allowUsers('account:manage'),
        audit: auditAs('MEMBER_LEFT'),
        storesResponse: true,
      },
      schema: {
        operationId: 'organizations.leave',
        tags: ['Organizations'],
        summary: 'Remove yourself from an organization',
        description: 'The only owner cannot, nor one beside suspended ones alone: 409 LAST_OWNER.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DoneResponse), ...createProblemResponseSchemas(409) },
      },
    },
    async (request) => {
      const { id: userId } = requireAuthenticatedUser(request);
      await leaveOrganization(services, getRequestContext(request), userId, request.params.id);
      return { done: true as const };
    },
  );

  app.post(
    '/:id/transfer-ownership',
    {
      config: {
        access: allowUsers('account:manage'),
        audit: auditAs('OWNERSHIP_TRANSFERRED'),
        storesResponse: true,
      },
      schema: {
        operationId: 'organizations.transferOwnership',
        tags: ['Organizations'],
        summary: 'Update the owner of an organization: another member in your place',
        description: `You become a manager; other owners stay. Nobody without a profile, or suspended, becomes an owner: 403 FORBIDDEN. Requires a login within the last ${formatLifetime('freshSession')}: 403 REAUTHENTICATION_REQUIRED.`,
        params: createIdParamsSchema('id'),
        body: OwnershipTransfer,
        response: { 200: schemaRef(OrganizationSchema), ...createProblemResponseSchemas(403, 412) },
      },
    },
    async (request) => {
      const row = await transferOwnership(
        services,
        getRequestContext(request),
        requireAuthenticatedUser(request),
        {
          id: request.params.id,
          newOwnerId: request.body.userId,
          ifMatch: request.headers['if-match'],
        },
      );
      return toOrganizationView(row);
    },
  );
};
