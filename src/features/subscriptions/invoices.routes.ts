import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { userOf } from '../../platform/authentication.ts';
import { problems } from '../../platform/openapi.ts';
import { account, unaudited } from '../../platform/route-access.ts';
import { idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { cursorAnswer, offsetOf, pageAnswer } from '../../shared/pagination.ts';
import { readTimeCursor, writeTimeCursor } from '../../shared/time-cursor.ts';
import { findInvoice, listInvoices, listInvoicesAfter } from './invoice.repository.ts';
import { invoiceView } from './invoice.view.ts';
import { InvoiceList, InvoicePage, InvoiceQuery } from './invoices.schemas.ts';
import { fromProvider } from './payment-failures.ts';
import { type PurchaseServices, providerOf } from './purchase-services.ts';

const OWN = account('subscription:own');

/** What was asked for and paid. */
export const invoiceRoutes: FastifyPluginAsyncTypebox<PurchaseServices> = async (app, services) => {
  const { client } = services.database;

  app.get(
    '/invoices',
    {
      config: { access: OWN, audit: unaudited('SUBSCRIPTION'), cache: 'revalidate' },
      schema: {
        operationId: 'subscription.invoices',
        tags: ['Subscription'],
        summary: 'The invoices of the account, newest first.',
        querystring: InvoiceQuery,
        response: { 200: ref(InvoiceList) },
      },
    },
    async (request) => {
      const { query } = request;
      const { id: userId } = userOf(request);
      if (query.cursor === undefined) {
        const page = { skip: offsetOf(query), take: query.limit };
        const { rows, total } = await listInvoices(client, userId, page);
        return pageAnswer(query, rows.map(invoiceView), total);
      }
      const rows = await listInvoicesAfter(client, userId, readTimeCursor(query.cursor), query.limit + 1);
      return cursorAnswer(rows, query.limit, invoiceView, ({ issuedAt: at, id }) =>
        writeTimeCursor({ at, id }),
      );
    },
  );

  app.get(
    '/invoices/:id/page',
    {
      config: { access: OWN, audit: unaudited('SUBSCRIPTION') },
      schema: {
        operationId: 'subscription.invoicePage',
        tags: ['Subscription'],
        summary: 'Where an invoice can be read and paid.',
        params: idParams('id'),
        response: { 200: ref(InvoicePage), ...problems(409, 503) },
      },
    },
    async (request) => {
      const row = await findInvoice(client, userOf(request).id, request.params.id);
      if (!row) throw new ServiceError('NOT_FOUND');
      const provider = providerOf(services, row.provider);
      const url = await fromProvider(() => provider.invoicePage(row.providerId));
      if (url === null) throw new ServiceError('NOT_FOUND');
      return { url };
    },
  );
};
