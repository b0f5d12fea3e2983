import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import type { MembershipKey } from '../../../platform/membership.repository.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { createValidationError, ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { OLDEST_FIRST } from '../../../shared/list-cursor.ts';
import { readFolders } from '../../codes/index.ts';
import {
  canManageMember,
  changeMemberRole,
  getMember,
  getOwnOrganization,
  limitMemberToFolders,
  listMembers,
  readMemberAccess,
  removeMember,
  transferOwnership,
} from '../../identity/index.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { parseMemberFolders, renderMemberFolders } from './member-folders.ts';
import { getMemberName, isAccountRole, renderMember, renderMembers, renderRemoval } from './member-pages.ts';
import {
  ACCOUNT_ACCESS,
  describeRefusal,
  type FormRefusal,
  getSettingsPath,
  redirectWithDone,
  SETTINGS_PAGE_CONFIG,
  sendSettingsPage,
} from './settings-page.ts';

const OrganizationParams = createIdParamsSchema('accountId', 'organizationId');
const MemberParams = createIdParamsSchema('accountId', 'organizationId', 'userId');

const VersionForm = Type.Object({ version: Type.Optional(Type.String()) });
const RoleForm = Type.Object({
  role: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
});

const PAGE_CONFIG = { ...SETTINGS_PAGE_CONFIG, audit: skipAudit('ORGANIZATION') } as const;

const MEMBERS_PER_PAGE = 100;

interface MemberParameters {
  organizationId: string;
  userId: string;
}

/** The members of an organization: their roles, and the end of a membership. */
export const memberPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '/organizations/:organizationId/members',
    {
      config: PAGE_CONFIG,
      schema: {
        hide: true,
        params: OrganizationParams,
        querystring: Type.Object({
          cursor: Type.Optional(Type.String()),
          done: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const user = requireAuthenticatedUser(request);
      const organization = await getOwnOrganization(database.client, user.id, params.organizationId);
      const { routeOptions } = request;
      const page = parseListPage(
        { routeOptions, params, query: { limit: MEMBERS_PER_PAGE, cursor: query.cursor ?? 'start' } },
        OLDEST_FIRST,
      );
      const list = await listMembers(database.client, organization.id, page);
      const { data, pagination } = toListPage(page, list, (row) => row);
      return sendSettingsPage(services, request, reply, {
        tab: 'organizations',
        title: t(chooseOwnerPageLocale(request), 'app.members.title'),
        hasTabs: true,
        isNarrow: true,
        body: renderMembers({
          ...createReader(request, reply),
          organization,
          members: data,
          nextCursor: pagination.nextCursor,
        }),
      });
    },
  );

  app.get(
    '/organizations/:organizationId/members/:userId',
    { config: PAGE_CONFIG, schema: { hide: true, params: MemberParams } },
    async (request, reply) => sendMember(request, reply, request.params),
  );

  app.post(
    '/organizations/:organizationId/members/:userId',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('MEMBER_ROLE_CHANGED') },
      schema: { hide: true, params: MemberParams, body: RoleForm },
    },
    async (request, reply) => {
      const { role, version } = request.body;
      const user = requireAuthenticatedUser(request);
      if (!isAccountRole(role))
        throw createValidationError({ field: 'role', code: 'NOT_ALLOWED', message: 'Unknown role.' });
      const change = { ...toKey(request.params), role, ifMatch: toIfMatch(version) };
      try {
        await changeMemberRole(services, getRequestContext(request), user, change);
      } catch (error) {
        return sendMember(request, reply, request.params, describeMemberRefusal(error, request, reply));
      }
      return redirectWithDone(reply, getMembersPath(request), 'member-role');
    },
  );

  app.post(
    '/organizations/:organizationId/members/:userId/folders',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('MEMBER_FOLDERS_CHANGED') },
      schema: { hide: true, params: MemberParams, body: Type.Record(Type.String(), Type.String()) },
    },
    async (request, reply) => {
      const folderIds = parseMemberFolders(request.body);
      const change = { ...toKey(request.params), folderIds, ifMatch: toIfMatch(request.body.version) };
      const user = requireAuthenticatedUser(request);
      try {
        await limitMemberToFolders(services, getRequestContext(request), user, change);
      } catch (error) {
        return sendMember(request, reply, request.params, describeMemberRefusal(error, request, reply));
      }
      return redirectWithDone(reply, getMembersPath(request), 'member-folders');
    },
  );

  app.post(
    '/organizations/:organizationId/members/:userId/transfer-ownership',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('OWNERSHIP_TRANSFERRED') },
      schema: { hide: true, params: MemberParams, body: VersionForm },
    },
    async (request, reply) => {
      const { organizationId: id, userId: newOwnerId } = request.params;
      const user = requireAuthenticatedUser(request);
      const transfer = { id, newOwnerId, ifMatch: toIfMatch(request.body.version) };
      try {
        await transferOwnership(services, getRequestContext(request), user, transfer);
      } catch (error) {
        return sendMember(request, reply, request.params, describeMemberRefusal(error, request, reply));
      }
      return redirectWithDone(reply, getMembersPath(request), 'ownership-transferred');
    },
  );

  app.get(
    '/organizations/:organizationId/members/:userId/remove',
    { config: PAGE_CONFIG, schema: { hide: true, params: MemberParams } },
    async (request, reply) => sendRemoval(request, reply, request.params),
  );

  app.post(
    '/organizations/:organizationId/members/:userId/remove',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('MEMBER_REMOVED') },
      schema: { hide: true, params: MemberParams, body: VersionForm },
    },
    async (request, reply) => {
      const key = toKey(request.params);
      const user = requireAuthenticatedUser(request);
      const ifMatch = toIfMatch(request.body.version);
      try {
        await removeMember(services, getRequestContext(request), user, { ...key, ifMatch });
      } catch (error) {
        return sendRemoval(request, reply, request.params, describeMemberRefusal(error, request, reply));
      }
      return key.userId === user.id
        ? redirectWithDone(reply, `${getSettingsPath(services, request)}/organizations`, 'organization-left')
        : redirectWithDone(reply, getMembersPath(request), 'member-removed');
    },
  );

  async function sendMember(
    request: FastifyRequest,
    reply: FastifyReply,
    params: MemberParameters,
    refused: FormRefusal = {},
  ): Promise<FastifyReply> {
    const { id } = requireAuthenticatedUser(request);
    const found = await getMember(database.client, id, toKey(params));
    if (!canManageMember(found.organization.role, found.member.role)) throw new ServiceError('FORBIDDEN');
    const reader = createReader(request, reply);
    return sendSettingsPage(services, request, reply, {
      tab: 'organizations',
      title: getMemberName(found.member, reader.locale),
      hasTabs: true,
      isNarrow: true,
      refused,
      body: html`${renderMember({ ...reader, ...found })}${renderMemberFolders({
        ...reader,
        action: `${reader.path}/members/${found.member.id}`,
        member: found.member,
        name: getMemberName(found.member, reader.locale),
        folders: await readFolders(services, found.organization.id, null),
      })}`,
    });
  }

  async function sendRemoval(
    request: FastifyRequest,
    reply: FastifyReply,
    params: MemberParameters,
    refused: FormRefusal = {},
  ): Promise<FastifyReply> {
    const { id } = requireAuthenticatedUser(request);
    const found = await readMemberAccess(
      database.forAccount(toKey(params).accountId).client,
      id,
      toKey(params),
    );
    const reader = createReader(request, reply);
    const title = found.member.id === id ? 'app.members.leave' : 'app.members.remove';
    return sendSettingsPage(services, request, reply, {
      tab: 'organizations',
      title: t(reader.locale, title),
      hasTabs: true,
      isNarrow: true,
      refused,
      body: renderRemoval({
        ...reader,
        ...found,
        developersPath: `${getAccountPath(services, found.organization.id)}/developers`,
      }),
    });
  }

  function createReader(request: FastifyRequest, reply: FastifyReply) {
    return {
      path: getOrganizationPath(request),
      token: getFormToken(services, request, reply),
      user: requireAuthenticatedUser(request),
      locale: chooseOwnerPageLocale(request),
    };
  }

  function getOrganizationPath(request: FastifyRequest): string {
    const { organizationId } = request.params as MemberParameters;
    return `${getSettingsPath(services, request)}/organizations/${organizationId}`;
  }

  function getMembersPath(request: FastifyRequest): string {
    return `${getOrganizationPath(request)}/members`;
  }
};

function describeMemberRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): FormRefusal {
  const locale = chooseOwnerPageLocale(request);
  const texts = {
    LAST_OWNER: t(locale, 'app.members.lastOwner'),
    PRECONDITION_FAILED: t(locale, 'app.members.conflict'),
  };
  return describeRefusal(error, reply, locale, {}, texts);
}

function toKey({ organizationId, userId }: MemberParameters): MembershipKey {
  return { accountId: organizationId, userId };
}

function toIfMatch(version: string | undefined): string {
  return formatVersionEtag(Number(version ?? 0));
}
