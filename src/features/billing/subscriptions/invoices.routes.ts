import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAccount } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { allowUsers, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { LAST_ISSUED_FIRST, listUserInvoices } from './invoice.repository.ts';
import { toInvoiceView } from './invoice.view.ts';
import { findInvoicePageUrl } from './invoice-page.ts';
import { InvoiceList, InvoicePage, InvoiceQuery } from './invoices.schemas.ts';
import type { PurchaseServices } from './purchase-services.ts';

const OWN_ACCESS = allowUsers('subscription:own');

export const invoiceRoutes: FastifyPluginAsyncTypebox<PurchaseServices> = async (app, services) => {
  const { client } = services.database;

  app.get(
    '/invoices',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('SUBSCRIPTION'), cache: 'revalidate' },
      schema: {
        operationId: 'subscription.listInvoices',
        tags: ['Subscription'],
        summary: 'List your invoices, newest first',
        description:
          'As synchronized from the payment provider; amounts are in minor units. Use `cursor` for long lists.',
        querystring: InvoiceQuery,
        response: { 200: schemaRef(InvoiceList) },
      },
    },
    async (request) => {
      const page = parseListPage(request, LAST_ISSUED_FIRST);
      const list = await listUserInvoices(client, requireAccount(request).id, page);
      return toListPage(page, list, toInvoiceView);
    },
  );

  app.get(
    '/invoices/:id/page',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('SUBSCRIPTION') },
      schema: {
        operationId: 'subscription.getInvoicePage',
        tags: ['Subscription'],
        summary: 'Get the page of an invoice',
        description:
          'Send the user to `url` to read or pay the invoice at the payment provider. 404 if the provider has no page for it.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(InvoicePage), ...createProblemResponseSchemas(409, 503) },
      },
    },
    async (request) => {
      const url = await findInvoicePageUrl(services, requireAccount(request).id, request.params.id);
      if (url === null) throw new ServiceError('NOT_FOUND');
      return { url };
    },
  );
};
