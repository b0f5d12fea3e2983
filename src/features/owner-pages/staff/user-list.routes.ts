import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { USER_ROLES } from '../../../permissions.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getVisibleRows, selectListRange, toListPage } from '../../../platform/http/list-pages.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, auditAs } from '../../../platform/route-access.ts';
import { collectFieldErrors, type FieldError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import {
  FIRST_MATCHES,
  listUsers,
  parseSupportSearch,
  recordUserAccess,
  toAdminUserView,
  toSupportUserView,
} from '../../administration/index.ts';
import { USER_STATUSES } from '../../identity/index.ts';
import { renderEmptyState, renderField, renderSelect } from '../components.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { getStaffEntryPath, sendStaffPage } from './staff-layout.ts';
import { parseStaffListPage, renderNextLink, StaffListParams } from './staff-list.ts';
import { translateRole, translateUserStatus } from './user-labels.ts';
import { renderUserTable } from './user-table.ts';

const MAX_SEARCH_CHARACTERS = 100;

const SearchQuery = Type.Object({ ...StaffListParams, search: Type.Optional(Type.String()) });

const UserListQuery = Type.Object({
  ...SearchQuery.properties,
  role: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
});

/** Lists of users: all of them for administrators, matches of a search for support. */
export const userListStaffPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database } = services;

  app.get(
    '/staff/users',
    {
      config: {
        access: allowByCookie(allowUsers('admin:users')),
        audit: auditAs('ADMIN_USERS_LISTED'),
        rateLimitClass: 'page',
      },
      schema: { hide: true, querystring: UserListQuery },
    },
    async (request, reply) => {
      const { query } = request;
      const locale = chooseOwnerPageLocale(request);
      const reader = requireAuthenticatedUser(request);
      const search = readSearch(query.search);
      const role = USER_ROLES.find((name) => name === query.role);
      const status = USER_STATUSES.find((name) => name === query.status);
      const filters = { search, role, status };
      const page = parseStaffListPage(request, NEWEST_FIRST, filters, query.cursor);
      const filter = { search, roles: role && [role], statuses: status && [status] };
      const list = await listUsers(database.client, filter, page);
      await recordListed(request, getVisibleRows(page, list));
      const { data, pagination } = toListPage(page, list, toAdminUserView);
      const path = getStaffEntryPath(services, 'users');
      const total = pagination.total ?? 0;
      return sendStaffPage(services, request, reply, {
        title: t(locale, 'app.staff.users.title'),
        entry: 'users',
        body: html`<form method="get" action="${path}" class="filters"><div><div>${renderField(
          {
            name: 'search',
            label: t(locale, 'app.staff.users.search'),
            value: search,
            maxLength: MAX_SEARCH_CHARACTERS,
          },
          [],
          locale,
        )}</div><div>${renderSelect({
          name: 'role',
          label: t(locale, 'app.staff.users.role'),
          value: role ?? '',
          options: [
            { value: '', label: t(locale, 'app.staff.users.anyRole') },
            ...USER_ROLES.map((value) => ({ value, label: translateRole(value, locale) })),
          ],
        })}</div><div>${renderSelect({
          name: 'status',
          label: t(locale, 'app.codes.status'),
          value: status ?? '',
          options: [
            { value: '', label: t(locale, 'app.staff.users.anyStatus') },
            ...USER_STATUSES.map((value) => ({ value, label: translateUserStatus(value, locale) })),
          ],
        })}</div><button class="plain">${t(locale, 'app.codes.show')}</button></div></form>
${total > 0 && html`<p class="small" role="status">${t(locale, 'app.staff.users.count', { count: total })}</p>`}
${
  data.length > 0
    ? renderUserTable(data, { path, reader, locale })
    : renderEmptyState(
        t(locale, 'app.staff.users.none'),
        html`<p><a href="${path}">${t(locale, 'app.codes.clear')}</a></p>`,
      )
}
${renderNextLink(path, filters, pagination.nextCursor, locale)}`,
      });
    },
  );

  app.get(
    '/staff/find',
    {
      config: {
        access: allowByCookie(allowUsers('support:find')),
        audit: auditAs('SUPPORT_USERS_SEARCHED'),
        rateLimitClass: 'page',
      },
      schema: { hide: true, querystring: SearchQuery },
    },
    async (request, reply) => {
      const { query } = request;
      const locale = chooseOwnerPageLocale(request);
      const reader = requireAuthenticatedUser(request);
      const text = readSearch(query.search);
      const errors: FieldError[] = collectFieldErrors(() => text === undefined || parseSupportSearch(text));
      const search = text === undefined || errors.length > 0 ? undefined : parseSupportSearch(text);
      const path = getStaffEntryPath(services, 'find');
      return sendStaffPage(services, request, reply, {
        title: t(locale, 'app.staff.users.title'),
        entry: 'find',
        status: errors.length > 0 ? 400 : 200,
        body: html`<form method="get" action="${path}" class="filters"><div class="search"><div>${renderField(
          {
            name: 'search',
            label: t(locale, 'app.staff.users.search'),
            hint: t(locale, 'app.staff.users.searchHint'),
            value: text,
            maxLength: MAX_SEARCH_CHARACTERS,
            isRequired: true,
          },
          errors,
          locale,
        )}</div><button>${t(locale, 'app.staff.users.find')}</button></div></form>
${search !== undefined && (await renderMatches(search))}`,
      });

      async function renderMatches(search: string) {
        const page = parseStaffListPage(request, NEWEST_FIRST, { search }, query.cursor);
        const { rows } = await listUsers(database.client, { search }, FIRST_MATCHES);
        const list = selectListRange(page, rows);
        await recordListed(request, getVisibleRows(page, list));
        const { data, pagination } = toListPage(page, list, toSupportUserView);
        if (data.length === 0) return renderEmptyState(t(locale, 'app.staff.users.none'));
        return html`<p class="small" role="status">${t(locale, 'app.staff.users.count', { count: rows.length })}</p>
${renderUserTable(data, { path: getStaffEntryPath(services, 'users'), reader, locale })}
${renderNextLink(path, { search }, pagination.nextCursor, locale)}`;
      }
    },
  );

  function recordListed(request: FastifyRequest, users: readonly { id: string }[]): Promise<void> {
    return recordUserAccess(
      database,
      getRequestContext(request),
      users.map(({ id }) => id),
    );
  }
};

/** Line breaks of pasted text are spaces. */
function readSearch(text: string | undefined): string | undefined {
  return (
    text
      ?.replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, MAX_SEARCH_CHARACTERS) || undefined
  );
}
