import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { prepareReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { CONTENT_DISPOSITION_HEADER, LOCATION_HEADER } from '../../../platform/openapi-headers.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../../shared/common.schemas.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import { findQrCodeKindFilterErrors } from '../qrcode-input.rules.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { deleteOwnPrintSheet } from './delete-print-sheet.use-case.ts';
import { LABEL_TEMPLATES } from './label-templates.ts';
import { listPrintSheets, type PrintSheetKey, type PrintSheetRecord } from './print-sheet.repository.ts';
import { getLeftOut, toLabelTemplateView, toPrintSheetView } from './print-sheet.view.ts';
import { findPrintSheetErrors } from './print-sheet-options.ts';
import { PRINT_SHEET_QUEUE } from './print-sheet-queue.ts';
import {
  LabelTemplateList,
  NewPrintSheet,
  PrintSheetDetails,
  PrintSheetSchema,
} from './print-sheets.schemas.ts';
import { requestPrintSheet } from './request-print-sheet.use-case.ts';
import { getOwnPrintSheet, sendPrintSheet } from './send-print-sheet.ts';

const ACCEPTED_RESPONSE = {
  description: 'The print sheet, which waits for a job.',
  headers: LOCATION_HEADER,
  content: { 'application/json': { schema: schemaRef(PrintSheetSchema) } },
};

const FILE_RESPONSE = {
  description: 'The PDF.',
  headers: CONTENT_DISPOSITION_HEADER,
  content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
};

export const printSheetRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const { database } = services;
  const toView = (row: PrintSheetRecord) => toPrintSheetView(services.publicBaseUrl, row);
  const getKey = (request: FastifyRequest<{ Params: { id: string } }>): PrintSheetKey => ({
    accountId: requireAccount(request).id,
    id: request.params.id,
  });

  app.get(
    '/templates',
    {
      config: { access: allowUsers('qrcodes:own'), audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'printSheets.listTemplates',
        tags: ['Print sheets'],
        summary: 'List the sheets, rolls and cards that labels can be printed on',
        description: 'Measures as published by the makers, in millimeters.',
        response: { 200: LabelTemplateList },
      },
    },
    async () => ({ data: LABEL_TEMPLATES.map(toLabelTemplateView) }),
  );

  app.post(
    '',
    {
      config: {
        access: allowUsersWithProfile('qrcodes:own'),
        audit: auditAs('PRINT_SHEET_REQUESTED'),
        rateLimitClass: 'upload',
        findBodyErrors: (body: Static<typeof NewPrintSheet>) => [
          ...findPrintSheetErrors(body),
          ...findQrCodeKindFilterErrors(body.filter ?? {}).map((error) => ({
            ...error,
            field: `filter.${error.field}`,
          })),
        ],
      },
      schema: {
        operationId: 'printSheets.create',
        tags: ['Print sheets'],
        summary: 'Print labels for up to 5,000 codes on sheets, rolls or cards',
        description: `A job draws one PDF; the address in \`Location\` shows its progress. The file is kept for ${formatLifetime('printSheet')}. Print it at 100 %, without fitting it to the page. Limited to three at a time and 20 kept ones (409 TOO_MANY_PRINT_SHEETS) and 50,000 labels a day.`,
        headers: IdempotencyKeyHeader,
        body: NewPrintSheet,
        response: { 202: ACCEPTED_RESPONSE, ...createProblemResponseSchemas(403, 409) },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const created = await requestPrintSheet(services, getRequestContext(request), user, request.body);
      services.jobs.wake(PRINT_SHEET_QUEUE);
      const body = prepareReply(reply.code(202), created);
      return reply.send(body);
    },
  );

  app.get(
    '',
    {
      config: { access: allowUsers('qrcodes:own'), audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'printSheets.list',
        tags: ['Print sheets'],
        summary: 'List your print sheets, newest first',
        description: 'Those that wait, and those of the last seven days.',
        querystring: PageQuery,
        response: { 200: createPageSchema(PrintSheetSchema) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const { id } = requireAccount(request);
      const list = await listPrintSheets(database.forAccount(id).client, id, page);
      return toListPage(page, list, toView);
    },
  );

  app.get(
    '/:id',
    {
      config: { access: allowUsers('qrcodes:own'), audit: skipAudit('USER') },
      schema: {
        operationId: 'printSheets.get',
        tags: ['Print sheets'],
        summary: 'Get a print sheet, its progress and the codes that it left out',
        description: 'Poll it until `status` is READY or FAILED.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(PrintSheetDetails) },
      },
    },
    async (request) => {
      const row = await getOwnPrintSheet(database, getKey(request));
      return { ...toView(row), leftOut: getLeftOut(row) };
    },
  );

  app.get(
    '/:id/content',
    {
      config: { access: allowUsers('qrcodes:own'), audit: auditAs('PRINT_SHEET_DOWNLOADED') },
      schema: {
        operationId: 'printSheets.getContent',
        tags: ['Print sheets'],
        summary: 'Download the PDF of a print sheet',
        description: '409 PRINT_SHEET_NOT_READY unless it is READY.',
        params: createIdParamsSchema('id'),
        response: { 200: FILE_RESPONSE, ...createProblemResponseSchemas(409) },
      },
    },
    async (request, reply) => sendPrintSheet(services, request, reply, getKey(request)),
  );

  app.delete(
    '/:id',
    {
      config: {
        access: allowUsers('qrcodes:own'),
        audit: auditAs('PRINT_SHEET_DELETED'),
        storesResponse: true,
      },
      schema: {
        operationId: 'printSheets.delete',
        tags: ['Print sheets'],
        summary: 'Cancel or delete a print sheet',
        description: 'One that waits stops; the file of one that is READY is removed.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse) },
      },
    },
    async (request) => {
      const key = getKey(request);
      await deleteOwnPrintSheet(services, getRequestContext(request), key);
      return { id: key.id, deleted: true as const };
    },
  );
};
