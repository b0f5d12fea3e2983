import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { commitAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import {
  getVisibleRows,
  parseListPage,
  selectListRange,
  toListPage,
} from '../../platform/http/list-pages.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef } from '../../shared/common.schemas.ts';
import { collectFieldErrors, createValidationError, type FieldError } from '../../shared/errors.ts';
import { NEWEST_FIRST } from '../../shared/list-cursor.ts';
import { createPageSchema } from '../../shared/pagination.ts';
import { listAllQrCodes } from './all-qrcodes.repository.ts';
import { listUsers } from './all-users.repository.ts';
import { SupportMailStatus } from './mail-status.schemas.ts';
import { readMailStatus } from './read-mail-status.use-case.ts';
import { recordUserAccess } from './record-user-access.ts';
import { FIRST_MATCHES, MAX_SEARCH_ROWS, parseSupportSearch } from './search-text.rules.ts';
import { SupportQrCode, SupportQrCodeQuery, SupportUser, SupportUserQuery } from './support.schemas.ts';
import { toSupportQrCodeView, toSupportUserView } from './support.views.ts';

const SEARCH_DESCRIPTION = `Returns the first ${MAX_SEARCH_ROWS} matches over all pages, newest first; \`total\` is capped at the same number. Narrow the search to see others. If it returns at most ten users, each of them sees the access in their own audit trail.`;

/** Routes of support to find users and codes; each search is audited. */
export const supportRoutes: FastifyPluginAsyncTypebox<{
  database: Database;
  fieldCipher: FieldCipher;
}> = async (app, services) => {
  const { database } = services;

  app.get(
    '/users',
    {
      config: {
        access: allowUsers('support:find'),
        audit: auditAs('SUPPORT_USERS_SEARCHED'),
        findQueryErrors: findSearchErrors,
      },
      schema: {
        operationId: 'support.listUsers',
        tags: ['Support'],
        summary: 'Search users by part of address, name or organization',
        description: SEARCH_DESCRIPTION,
        querystring: SupportUserQuery,
        response: { 200: createPageSchema(SupportUser) },
      },
    },
    async (request) => {
      const filter = { search: parseSupportSearch(request.query.search) };
      const page = parseListPage(request, NEWEST_FIRST);
      const list = selectListRange(page, (await listUsers(database.client, filter, FIRST_MATCHES)).rows);
      const userIds = getVisibleRows(page, list).map(({ id }) => id);
      await recordUserAccess(database, getRequestContext(request), userIds);
      return toListPage(page, list, toSupportUserView);
    },
  );

  app.get(
    '/users/:id/mail-status',
    {
      config: { access: allowUsers('support:mail-status'), audit: auditAs('SUPPORT_MAIL_STATUS_READ') },
      schema: {
        operationId: 'support.getMailStatus',
        tags: ['Support'],
        summary: 'Get why a user gets no emails',
        description:
          'Lists what keeps emails from the user, the emails that wait, the last notifications by email and the settings, without texts. Other emails are stored without their recipient once they are sent or failed. The user sees the access in their own audit trail.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(SupportMailStatus) },
      },
    },
    async (request) => (await readMailStatus(services, getRequestContext(request), request.params.id)).view,
  );

  app.get(
    '/qrcodes',
    {
      config: {
        access: allowUsers('support:find'),
        audit: auditAs('SUPPORT_QRCODES_SEARCHED'),
        findQueryErrors: findSearchErrors,
      },
      schema: {
        operationId: 'support.listQrcodes',
        tags: ['Support'],
        summary: 'Search QR codes by part of the title, by id or by owner, without content',
        description: SEARCH_DESCRIPTION,
        querystring: SupportQrCodeQuery,
        response: { 200: createPageSchema(SupportQrCode) },
      },
    },
    async (request) => {
      const { id, ownerId, accountId = ownerId } = request.query;
      const search = request.query.search && parseSupportSearch(request.query.search);
      if (!search && !id && !accountId) {
        throw createValidationError({
          field: 'search',
          code: 'REQUIRED',
          message: 'One of search, id or accountId is required.',
        });
      }
      const page = parseListPage(request, NEWEST_FIRST);
      const { rows } = await listAllQrCodes(database.client, { search, id, accountId }, FIRST_MATCHES);
      const list = selectListRange(page, rows);
      const context = getRequestContext(request);
      if (id && !accountId) await commitAuditEntry(database, context, { resourceId: id });
      else {
        const userIds = getVisibleRows(page, list).map((row) => row.accountId);
        await recordUserAccess(database, context, accountId ? [accountId] : userIds);
      }
      return toListPage(page, list, toSupportQrCodeView);
    },
  );
};

function findSearchErrors({ search }: { search?: string }): FieldError[] {
  return collectFieldErrors(() => search === undefined || parseSupportSearch(search));
}
