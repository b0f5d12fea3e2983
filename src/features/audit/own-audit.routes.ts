import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { addVary } from '../../platform/http/add-vary.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { allowUsers, skipAudit } from '../../platform/route-access.ts';
import { AcceptLanguageHeader, schemaRef } from '../../shared/common.schemas.ts';
import { chooseLocale } from '../../shared/i18n/choose-locale.ts';
import { NEWEST_FIRST } from '../../shared/list-cursor.ts';
import { type AuditEntryRow, listAuditEntries } from './audit-log.repository.ts';
import { OwnAuditLogQuery, OwnAuditLogResponse } from './audit-log.schemas.ts';
import { toOwnAuditEntryView } from './audit-log.view.ts';
import type { AuditServices } from './audit-services.ts';

/** Routes of users to read the audit trail of their own data. */
export const ownAuditLogRoutes: FastifyPluginAsyncTypebox<AuditServices> = async (app, { database }) => {
  app.get(
    '/mine',
    {
      config: { access: allowUsers('account:use'), audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'audit.listMine',
        tags: ['Audit'],
        summary: 'List who accessed or changed your data, including staff, and what you did; newest first',
        description:
          'Each entry has a `text` for users, in a language of `Accept-Language`. Address and browser are shown for your own actions only.',
        headers: AcceptLanguageHeader,
        querystring: OwnAuditLogQuery,
        response: { 200: schemaRef(OwnAuditLogResponse) },
      },
    },
    async (request, reply) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const { id } = requireAuthenticatedUser(request);
      const { by, accountId } = request.query;
      const filter = { concerningUser: { id, by }, accountId };
      const locale = chooseLocale(undefined, request.headers['accept-language']);
      const toView = (row: AuditEntryRow) => toOwnAuditEntryView(row, id, locale);
      const list = await database.read(({ client }) => listAuditEntries(client, filter, page));
      addVary(reply, 'Accept-Language');
      return toListPage(page, list, toView);
    },
  );
};
