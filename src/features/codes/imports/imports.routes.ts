import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { requireAccount } from '../../../platform/authentication.ts';
import type { Db } from '../../../platform/database.ts';
import { assertHealthDataReadable } from '../../../platform/health-data.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { sendHeadersOnly } from '../../../platform/http/send-headers-only.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { LOCATION_HEADER } from '../../../platform/openapi-headers.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../../platform/route-access.ts';
import {
  createTableExportResponseSchema,
  createTableExportStream,
  setTableExportHeaders,
} from '../../../platform/table-export.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { cancelImport } from './cancel-import.use-case.ts';
import { dryRunImport } from './dry-run-import.ts';
import { findImport, type ImportKey, type ImportRecord, listImports } from './import.repository.ts';
import { toImportView } from './import.view.ts';
import {
  createImportUploadHandler,
  discardImportUpload,
  findMissingImportFileErrors,
  requireImportUpload,
} from './import-upload.ts';
import {
  IMPORT_ERROR_COLUMNS,
  ImportCheckSchema,
  ImportErrorsQuery,
  ImportSchema,
  NewImport,
  NewImportQuery,
} from './imports.schemas.ts';
import { openUploadedFile } from './open-import-file.ts';
import { toStoredFormat } from './read-rows.ts';
import { readImportErrors } from './rejected-rows.ts';
import { assertImportAllowed, requestImport } from './request-import.use-case.ts';

const ACCEPTED_RESPONSE = {
  description: 'The import, which waits for a job.',
  headers: LOCATION_HEADER,
  content: { 'application/json': { schema: schemaRef(ImportSchema) } },
};

export const importRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const { database } = services;
  const toView = (row: ImportRecord) => toImportView(services.publicBaseUrl, row);
  const getKey = (request: FastifyRequest<{ Params: { id: string } }>): ImportKey => ({
    accountId: requireAccount(request).id,
    id: request.params.id,
  });
  app.addHook('onError', (request) => discardImportUpload(services, request));

  app.post(
    '',
    {
      config: {
        access: allowUsersWithProfile('qrcodes:own'),
        audit: auditAs('IMPORT_REQUESTED'),
        rateLimitClass: 'upload',
        findBodyErrors: findMissingImportFileErrors,
        form: {
          files: {},
          json: ['mapping'],
          streamed: createImportUploadHandler(services, async (request) => {
            const { id } = requireAccount(request);
            // A repeat gets the stored response.
            if (getRequestContext(request).idempotencyKey === undefined)
              await assertImportAllowed(database.client, id);
          }),
        },
      },
      schema: {
        operationId: 'imports.create',
        tags: ['Imports'],
        summary: 'Import up to 100,000 codes from a file of CSV, JSON Lines or Excel',
        description:
          'A job creates the codes; the address in `Location` shows its progress. A row with `externalId` creates or updates as PUT /api/qrcodes/by-external-id/{externalId}, so that you can import a file again; without one, send an Idempotency-Key. A row with errors does not affect others. `mapping` says what the columns of a file are that has other names. `dryRun=true` checks all rows and creates nothing (200). Limited to 100 MiB, an Excel workbook to 20 MiB, three imports at a time (409 TOO_MANY_IMPORTS) and 50 a day.',
        headers: IdempotencyKeyHeader,
        querystring: NewImportQuery,
        body: NewImport,
        response: {
          200: schemaRef(ImportCheckSchema),
          202: ACCEPTED_RESPONSE,
          ...createProblemResponseSchemas(403, 409, 413, 415),
        },
      },
    },
    async (request, reply) => {
      const { id: accountId } = requireAccount(request);
      const format = toStoredFormat(request.body.format);
      const { mapping, ...upload } = await requireImportUpload(request, request.body);
      if (request.query.dryRun) {
        const file = openUploadedFile(services, { format, mapping, file: upload.file });
        const check = await dryRunImport(services, accountId, file);
        await discardImportUpload(services, request);
        return check;
      }
      const context = getRequestContext(request);
      const created = await requestImport(services, context, { accountId, format, mapping, upload });
      if (created.isReplayed) await discardImportUpload(services, request);
      const body = prepareCreatedReply(reply, created);
      return reply.code(202).send(body);
    },
  );

  app.get(
    '',
    {
      config: { access: allowUsers('qrcodes:own'), audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'imports.list',
        tags: ['Imports'],
        summary: 'List your imports, newest first',
        description: 'An import is removed a week after it ended.',
        querystring: PageQuery,
        response: { 200: createPageSchema(ImportSchema) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const list = await listImports(database.client, requireAccount(request).id, page);
      return toListPage(page, list, toView);
    },
  );

  app.get(
    '/:id',
    {
      config: { access: allowUsers('qrcodes:own'), audit: skipAudit('USER') },
      schema: {
        operationId: 'imports.get',
        tags: ['Imports'],
        summary: 'Get an import and its progress',
        description: 'Poll it until `status` is COMPLETED, FAILED or CANCELED.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(ImportSchema) },
      },
    },
    async (request) => toView(await getOwnImport(database.client, getKey(request))),
  );

  app.post(
    '/:id/cancel',
    {
      config: { access: allowUsers('qrcodes:own'), audit: auditAs('IMPORT_CANCELED'), storesResponse: true },
      schema: {
        operationId: 'imports.cancel',
        tags: ['Imports'],
        summary: 'Cancel an import',
        description: 'Codes that it has created stay. 409 IMPORT_FINISHED if it has ended.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(ImportSchema), ...createProblemResponseSchemas(409) },
      },
    },
    async (request) => {
      return toView(await cancelImport(services, getRequestContext(request), getKey(request)));
    },
  );

  app.get(
    '/:id/errors',
    {
      config: { access: allowUsers('qrcodes:own'), audit: skipAudit('USER') },
      schema: {
        operationId: 'imports.getErrors',
        tags: ['Imports'],
        summary: 'Download the errors of rows as JSON Lines or CSV, in the order of the rows',
        description:
          'Each has `row` (of CSV the header is row 1), `field`, `code` and `message`. Of a running import: those so far.',
        params: createIdParamsSchema('id'),
        querystring: ImportErrorsQuery,
        response: {
          200: createTableExportResponseSchema('The errors; of a row up to ten, in all up to 1,000.'),
        },
      },
    },
    async (request, reply) => {
      const { format, bom } = request.query;
      const key = getKey(request);
      await getOwnImport(database.client, key);
      setTableExportHeaders(reply, 'import-errors', format);
      if (request.method === 'HEAD') return sendHeadersOnly(reply);
      return reply.send(
        createTableExportStream(key.accountId, formatErrors(database.client, key), IMPORT_ERROR_COLUMNS, {
          format,
          bom,
        }),
      );
    },
  );

  app.get(
    '/:id/rejected-rows',
    {
      config: { access: allowUsers('qrcodes:own'), audit: skipAudit('USER') },
      schema: {
        operationId: 'imports.getRejectedRows',
        tags: ['Imports'],
        summary: 'Download the rows that an import rejected, to correct and import them again',
        description:
          'In the format of the import; of CSV the last column, `importErrors`, says what is wrong, and an import leaves it out. Import them with the same mapping. 404 while the import runs, and where it rejected none; an import that was canceled has none. Rows of the first 1,000 errors, up to 5 MiB.',
        params: createIdParamsSchema('id'),
        response: { 200: createTableExportResponseSchema('The rows, with the header of the file.') },
      },
    },
    async (request, reply) => {
      assertHealthDataReadable(getRequestContext(request));
      const row = await getOwnImport(database.client, getKey(request));
      const format = row.format === 'jsonl' ? 'jsonl' : 'csv';
      const content =
        row.finishedAt &&
        row.fileId &&
        (await services.files.open(database.client, row.accountId, row.fileId));
      if (!content) throw new ServiceError('NOT_FOUND');
      setTableExportHeaders(reply, 'rejected-rows', format);
      if (request.method === 'HEAD') {
        content.destroy();
        return sendHeadersOnly(reply);
      }
      return reply.send(content);
    },
  );
};

/** @throws NOT_FOUND */
async function getOwnImport(db: Db, key: ImportKey): Promise<ImportRecord> {
  const row = await findImport(db, key);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

async function* formatErrors(db: Db, key: ImportKey): AsyncGenerator<string[]> {
  for await (const errors of readImportErrors(db, key)) yield errors.map((error) => JSON.stringify(error));
}
