import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { hasAccountRolePermission } from '../../../permissions.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsersWithProfile, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { EDITING_ROLES } from '../../../shared/account-roles.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { generateId } from '../../../shared/ids.ts';
import {
  changeOrganization,
  createOrganization,
  deleteOrganization,
  getOwnOrganization,
  listInvitableRoles,
  listOrganizations,
  listOwnInvitations,
  MAX_OWNED_ORGANIZATIONS,
  managesMembers,
  NewOrganization,
  type OrganizationRow,
  restoreOrganization,
} from '../../identity/index.ts';
import { getFormContext } from '../form-context.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { getAccountEntryPath } from '../reader-permissions.ts';
import { renderOrganization, renderOrganizations } from './organization-pages.ts';
import {
  ACCOUNT_ACCESS,
  AccountParams,
  describeRefusal,
  type FormRefusal,
  getDevelopersPath,
  getPlanPath,
  getSettingsPath,
  redirectWithDone,
  SETTINGS_PAGE_CONFIG,
  sendSettingsPage,
} from './settings-page.ts';

const OrganizationParams = createIdParamsSchema('accountId', 'organizationId');

const FormBody = Type.Record(Type.String(), Type.String());

const PAGE_CONFIG = { ...SETTINGS_PAGE_CONFIG, audit: skipAudit('ORGANIZATION') } as const;

const findErrors = createBodyValidator(NewOrganization);

/** The organizations of a user: each has pages of its own, below its id. */
export const organizationPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;
  const getPath = (request: FastifyRequest) => `${getSettingsPath(services, request)}/organizations`;

  app.get(
    '/organizations',
    { config: PAGE_CONFIG, schema: { hide: true, params: AccountParams } },
    async (request, reply) => sendList(request, reply, {}),
  );

  app.post(
    '/organizations',
    {
      config: {
        access: allowByCookie(allowUsersWithProfile('account:manage')),
        audit: auditAs('ORGANIZATION_CREATED'),
      },
      schema: { hide: true, params: AccountParams, body: FormBody },
    },
    async (request, reply) => {
      const input = { name: request.body.name?.trim() ?? '' };
      const errors = findErrors(input);
      if (errors.length > 0) return sendList(request, reply, { errors });
      const context = getFormContext(request, request.body.key);
      try {
        await createOrganization(services, context, requireAuthenticatedUser(request), input);
      } catch (error) {
        return sendList(request, reply, describeOrganizationRefusal(error, request, reply));
      }
      return redirectWithDone(reply, getPath(request), 'organization-created');
    },
  );

  app.get(
    '/organizations/:organizationId',
    { config: PAGE_CONFIG, schema: { hide: true, params: OrganizationParams } },
    async (request, reply) => sendOrganization(request, reply, request.params.organizationId, {}),
  );

  app.post(
    '/organizations/:organizationId',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('ORGANIZATION_UPDATED') },
      schema: { hide: true, params: OrganizationParams, body: FormBody },
    },
    async (request, reply) => {
      const { body, params } = request;
      const input = { name: body.name?.trim() ?? '', timeZone: body.timeZone ?? '' };
      const errors = findErrors(input);
      if (errors.length > 0) return sendOrganization(request, reply, params.organizationId, { errors });
      const key = { userId: requireAuthenticatedUser(request).id, id: params.organizationId };
      try {
        await changeOrganization(services, getRequestContext(request), key, input, getSentVersion(request));
      } catch (error) {
        const refused = describeOrganizationRefusal(error, request, reply);
        return sendOrganization(request, reply, params.organizationId, refused);
      }
      return redirectWithDone(reply, `${getPath(request)}/${params.organizationId}`, 'organization-saved');
    },
  );

  app.post(
    '/organizations/:organizationId/delete',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('ORGANIZATION_DELETION_REQUESTED') },
      schema: { hide: true, params: OrganizationParams, body: FormBody },
    },
    async (request, reply) => {
      const id = request.params.organizationId;
      const user = requireAuthenticatedUser(request);
      try {
        await deleteOrganization(services, getRequestContext(request), user, id, getSentVersion(request));
      } catch (error) {
        return sendOrganization(request, reply, id, describeOrganizationRefusal(error, request, reply));
      }
      return reply.redirect(`${getPath(request)}/${id}`, 303);
    },
  );

  app.post(
    '/organizations/:organizationId/restore',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('ORGANIZATION_RESTORED') },
      schema: { hide: true, params: OrganizationParams, body: FormBody },
    },
    async (request, reply) => {
      const id = request.params.organizationId;
      const { id: userId } = requireAuthenticatedUser(request);
      try {
        await restoreOrganization(services, getRequestContext(request), userId, id, getSentVersion(request));
      } catch (error) {
        return sendOrganization(request, reply, id, describeOrganizationRefusal(error, request, reply));
      }
      return redirectWithDone(reply, `${getPath(request)}/${id}`, 'organization-restored');
    },
  );

  function describeOrganizationRefusal(
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FormRefusal {
    const locale = chooseOwnerPageLocale(request);
    return describeRefusal(
      error,
      reply,
      locale,
      {},
      {
        TOO_MANY_ORGANIZATIONS: t(locale, 'app.organizations.tooMany', { count: MAX_OWNED_ORGANIZATIONS }),
        PRECONDITION_FAILED: t(locale, 'app.organizations.conflict'),
        FORBIDDEN: t(locale, 'app.organizations.ownersOnly'),
        IDEMPOTENCY_KEY_REUSED: t(locale, 'app.developers.again'),
      },
    );
  }

  /** Links from an organization to the pages that the role of the reader opens. */
  function listLinks({ id, role, deleteAfter }: OrganizationRow, path: string, locale: Locale) {
    const movePath = path.replace(/organizations$/, 'move-codes');
    const links = [
      { isOpen: true, href: `${path}/${id}/members`, label: t(locale, 'app.members.title') },
      {
        isOpen: managesMembers(role),
        href: `${path}/${id}/security`,
        label: t(locale, 'app.settings.security'),
      },
      {
        isOpen: role === 'OWNER',
        href: `${path}/${id}/activity`,
        label: t(locale, 'app.activity.title'),
      },
      {
        isOpen: listInvitableRoles(role).length > 0,
        href: `${path}/${id}/invitations`,
        label: t(locale, 'app.invitations.title'),
      },
      {
        isOpen: hasAccountRolePermission(role, 'subscription:own', 'GET'),
        href: getPlanPath(services, id),
        label: t(locale, 'app.plan.title'),
      },
      {
        isOpen: hasAccountRolePermission(role, 'api-keys:own', 'GET'),
        href: getDevelopersPath(services, id),
        label: t(locale, 'app.developers.title'),
      },
      {
        isOpen: EDITING_ROLES.includes(role) && deleteAfter === null,
        href: `${movePath}?to=${id}`,
        label: t(locale, 'app.moves.here'),
      },
    ];
    return links.filter(({ isOpen }) => isOpen);
  }

  async function sendList(
    request: FastifyRequest,
    reply: FastifyReply,
    refused: FormRefusal,
  ): Promise<FastifyReply> {
    const user = requireAuthenticatedUser(request);
    return sendSettingsPage(services, request, reply, {
      tab: 'organizations',
      refused,
      body: renderOrganizations({
        organizations: await listOrganizations(database.client, user.id),
        invitations: await listOwnInvitations(services, database.client, user.email),
        getEntryPath: (organization) => getAccountEntryPath(services, organization),
        path: getPath(request),
        token: getFormToken(services, request, reply),
        user,
        locale: chooseOwnerPageLocale(request),
        values: getSentValues(request),
        errors: refused.errors ?? [],
        formKey: generateId(),
      }),
    });
  }

  async function sendOrganization(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    refused: FormRefusal,
  ): Promise<FastifyReply> {
    const user = requireAuthenticatedUser(request);
    const organization = await getOwnOrganization(database.client, user.id, id);
    // What was sent is still in the form; saving it replaces what is stored now.
    const { version: _old, ...values } = getSentValues(request);
    return sendSettingsPage(services, request, reply, {
      tab: 'organizations',
      title: organization.name,
      hasTabs: true,
      isNarrow: true,
      refused,
      body: renderOrganization({
        organization,
        links: listLinks(organization, getPath(request), chooseOwnerPageLocale(request)),
        path: getPath(request),
        token: getFormToken(services, request, reply),
        user,
        locale: chooseOwnerPageLocale(request),
        values,
        errors: refused.errors ?? [],
      }),
    });
  }
};

function getSentValues({ method, body }: FastifyRequest): Readonly<Record<string, string>> {
  return method === 'POST' ? (body as Record<string, string>) : {};
}

export function getSentVersion({ body }: { body: Record<string, string> }): string {
  return formatVersionEtag(Number(body.version ?? 0));
}
