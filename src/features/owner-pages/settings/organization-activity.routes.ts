import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { NEWEST_FIRST, OLDEST_FIRST } from '../../../shared/list-cursor.ts';
import {
  getAuditedOrganization,
  listOrganizationAudit,
  toOrganizationAuditEntryView,
  toOrganizationAuditFilter,
  verifyOrganizationEntries,
} from '../../audit/index.ts';
import { listMembers } from '../../identity/index.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { type ActivityFilter, renderActivity, renderVerification } from './organization-activity-page.ts';
import { describeRefusal, getSettingsPath, SETTINGS_PAGE_CONFIG, sendSettingsPage } from './settings-page.ts';

const OrganizationParams = createIdParamsSchema('accountId', 'organizationId');

const ActivityQuery = Type.Object({
  member: Type.Optional(Type.String()),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  cursor: Type.Optional(Type.String()),
});

const PAGE_CONFIG = { ...SETTINGS_PAGE_CONFIG, audit: skipAudit('ORGANIZATION') } as const;

const ENTRIES_PER_PAGE = 50;

const MAX_LISTED_MEMBERS = 100;

const FIRST_PAGE_CURSOR = 'start';

/** What was done for an organization, for its owners. */
export const organizationActivityPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database } = services;

  app.get(
    '/organizations/:organizationId/activity',
    { config: PAGE_CONFIG, schema: { hide: true, params: OrganizationParams, querystring: ActivityQuery } },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const locale = chooseOwnerPageLocale(request);
      const { params, routeOptions } = request;
      const organization = await getAuditedOrganization(database.client, user.id, params.organizationId);
      const { cursor = FIRST_PAGE_CURSOR } = request.query;
      const values = readFilter(request.query);
      const filter = toOrganizationAuditFilter(organization.id, toQuery(values), user.timeZone);
      const query = { limit: ENTRIES_PER_PAGE, cursor };
      const page = parseListPage({ routeOptions, params, query }, NEWEST_FIRST);
      const { reader, ...list } = await listOrganizationAudit(
        database,
        { filter, userId: user.id, locale },
        page,
      );
      const { data, pagination } = toListPage(page, list, (row) => toOrganizationAuditEntryView(row, reader));
      const firstMembers = parseListPage(
        { routeOptions, params, query: { limit: MAX_LISTED_MEMBERS, cursor: FIRST_PAGE_CURSOR } },
        OLDEST_FIRST,
      );
      const members = await listMembers(database.client, organization.id, firstMembers);
      return sendSettingsPage(services, request, reply, {
        tab: 'organizations',
        title: t(locale, 'app.activity.title'),
        hasTabs: true,
        body: renderActivity({
          organization,
          entries: data,
          members: members.rows,
          values,
          nextCursor: pagination.nextCursor,
          path: getPath(request, organization.id),
          user,
          locale,
        }),
      });
    },
  );

  app.get(
    '/organizations/:organizationId/activity/verify',
    { config: PAGE_CONFIG, schema: { hide: true, params: OrganizationParams, querystring: ActivityQuery } },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const { id } = await getAuditedOrganization(database.client, user.id, request.params.organizationId);
      const { from, to } = readFilter(request.query);
      const filter = toOrganizationAuditFilter(id, toQuery({ from, to }), user.timeZone);
      return sendVerification(request, reply, filter);
    },
  );

  async function sendVerification(
    request: FastifyRequest,
    reply: FastifyReply,
    filter: ReturnType<typeof toOrganizationAuditFilter>,
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const path = getPath(request, filter.accountId);
    const page = { tab: 'organizations', title: t(locale, 'app.activity.verify'), hasTabs: true } as const;
    try {
      const verification = await verifyOrganizationEntries(services, filter);
      const body = renderVerification(verification, path, locale);
      return sendSettingsPage(services, request, reply, { ...page, isNarrow: true, body });
    } catch (error) {
      const refused = describeRefusal(error, reply, locale, {});
      const body = renderVerification(null, path, locale);
      return sendSettingsPage(services, request, reply, { ...page, isNarrow: true, refused, body });
    }
  }

  function getPath(request: FastifyRequest, id: string): string {
    return `${getSettingsPath(services, request)}/organizations/${id}/activity`;
  }
};

/** Fields that are empty select everything. */
function readFilter({ member, from, to }: ActivityFilter): ActivityFilter {
  return {
    ...(isId(member) && { member }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

function toQuery({ member, from, to }: ActivityFilter) {
  return { ...(member && { actorId: member }), ...(from && { from }), ...(to && { to }) };
}
