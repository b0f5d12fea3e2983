import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAccount } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, DeletedResponse, schemaRef } from '../../../shared/common.schemas.ts';
import { createTimeSort } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { listOwnerPhones, type OwnerPhoneRow } from './owner-phone.repository.ts';
import { toOwnerPhoneView } from './owner-phone.view.ts';
import { OwnerPhone } from './owner-phones.schemas.ts';
import { removeOwnerPhone } from './owner-phones.use-case.ts';

const MARKED_LAST_FIRST = createTimeSort('-createdAt', ({ createdAt }: OwnerPhoneRow) => createdAt);

const ACCESS = allowUsers('account:manage');

export const ownerPhoneRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '',
    {
      config: { access: ACCESS, audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'ownerPhones.list',
        tags: ['QR codes'],
        summary: 'List the phones that are marked as your own, the last one first',
        description:
          'Their scans of your codes have the class OWNER and notify nobody. POST /api/qrcodes/{id}/test gives the link that marks a phone.',
        querystring: PageQuery,
        response: { 200: createPageSchema(OwnerPhone) },
      },
    },
    async (request) => {
      const page = parseListPage(request, MARKED_LAST_FIRST);
      const { id } = requireAccount(request);
      const list = await listOwnerPhones(database.forAccount(id).client, id, page);
      return toListPage(page, list, toOwnerPhoneView);
    },
  );

  app.delete(
    '/:id',
    {
      config: { access: ACCESS, audit: auditAs('OWNER_PHONE_REMOVED') },
      schema: {
        operationId: 'ownerPhones.delete',
        tags: ['QR codes'],
        summary: 'Remove a phone from your own ones',
        description: 'Its scans count, and notify, as those of anybody.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const accountId = requireAccount(request).id;
      await removeOwnerPhone(database, getRequestContext(request), { accountId, id });
      return { id, deleted: true as const };
    },
  );
};
