import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { consumeAttempts } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import type { Db, Tx } from '../../../platform/database.ts';
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
import { DAY_SECONDS } from '../../../shared/durations.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import { assertQrCodeCreationAllowed } from '../create-qrcode.use-case.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import { cancelImport } from './cancel-import.use-case.ts';
import {
  countOpenImports,
  findImport,
  findImportErrorsAfter,
  type ImportKey,
  type ImportRecord,
  insertImport,
  listImports,
  lockImportsOfOwner,
} from './import.repository.ts';
import { getImportPath, toImportView } from './import.view.ts';
import { IMPORT_CODES_QUEUE } from './import-codes.job.ts';
import {
  createImportUploadHandler,
  discardImportUpload,
  findMissingImportFileErrors,
  requireImportUpload,
} from './import-upload.ts';
import { IMPORT_ERROR_COLUMNS, ImportErrorsQuery, ImportSchema, NewImport } from './imports.schemas.ts';

const MAX_OPEN_IMPORTS = 3;

/** Each occupies a worker for minutes, and its errors are kept for a week. */
const MAX_IMPORTS_PER_DAY = 50;

const ACCEPTED_RESPONSE = {
  description: 'The import, which waits for a job.',
  headers: LOCATION_HEADER,
  content: { 'application/json': { schema: schemaRef(ImportSchema) } },
};

export const importRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const { database, files, jobs } = services;
  const toView = (row: ImportRecord) => toImportView(services.publicBaseUrl, row);
  const getKey = (request: FastifyRequest<{ Params: { id: string } }>): ImportKey => ({
    accountId: requireAuthenticatedUser(request).id,
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
          streamed: createImportUploadHandler(services, async (request) => {
            const { id } = requireAuthenticatedUser(request);
            // A repeat gets the stored response.
            if (getRequestContext(request).idempotencyKey === undefined)
              await assertImportAllowed(database.client, id);
          }),
        },
      },
      schema: {
        operationId: 'imports.create',
        tags: ['Imports'],
        summary: 'Import up to 100,000 codes from a file of CSV or JSON Lines',
        description:
          'A job creates the codes; the address in `Location` shows its progress. A row with `externalId` creates or updates as PUT /api/qrcodes/by-external-id/{externalId}, so that you can import a file again; without one, send an Idempotency-Key. A row with errors does not affect others. Limited to 100 MiB, three imports at a time (409 TOO_MANY_IMPORTS) and 50 a day.',
        headers: IdempotencyKeyHeader,
        body: NewImport,
        response: { 202: ACCEPTED_RESPONSE, ...createProblemResponseSchemas(403, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const { id: accountId } = requireAuthenticatedUser(request);
      const context = getRequestContext(request);
      const { format } = request.body;
      const { file, digest } = await requireImportUpload(request, format);
      const once = { who: accountId, fingerprint: { format, digest } };
      const created = await services.createIdempotently(context, once, async (tx) => {
        await lockImportsOfOwner(tx, accountId);
        await assertImportAllowed(tx, accountId);
        const key = `import:${services.fieldCipher.hash('import', accountId).toString('hex')}`;
        await consumeAttempts(tx, [{ key, allowed: MAX_IMPORTS_PER_DAY, windowSeconds: DAY_SECONDS }]);
        const id = generateId();
        const { requestId } = context;
        const row = { accountId, id, format, fileId: file.id, size: file.size, requestId };
        await files.commit(tx, file);
        const inserted = await insertImport(tx, row);
        await jobs.enqueue(tx, IMPORT_CODES_QUEUE, { accountId, importId: id });
        await recordAuditEntry(tx, context, { resourceId: accountId });
        return { body: toView(inserted), location: getImportPath(id) };
      });
      if (created.isReplayed) await discardImportUpload(services, request);
      jobs.wake(IMPORT_CODES_QUEUE);
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
      const list = await listImports(database.client, requireAuthenticatedUser(request).id, page);
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
        createTableExportStream(key.accountId, readErrors(database.client, key), IMPORT_ERROR_COLUMNS, {
          format,
          bom,
        }),
      );
    },
  );
};

/** @throws TOO_MANY_IMPORTS, RATE_LIMITED */
async function assertImportAllowed(db: Db | Tx, accountId: string): Promise<void> {
  if ((await countOpenImports(db, accountId)) >= MAX_OPEN_IMPORTS) throw new ServiceError('TOO_MANY_IMPORTS');
  await assertQrCodeCreationAllowed(db, accountId);
}

/** @throws NOT_FOUND */
async function getOwnImport(db: Db, key: ImportKey): Promise<ImportRecord> {
  const row = await findImport(db, key);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

async function* readErrors(db: Db, key: ImportKey): AsyncGenerator<string[]> {
  for (let after = -1; ; ) {
    const batch = await findImportErrorsAfter(db, key, after);
    if (!batch) return;
    yield batch.errors.map((error) => JSON.stringify(error));
    after = batch.rowNumber;
  }
}
