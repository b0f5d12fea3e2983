import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { assertHealthDataReadable } from '../../../platform/health-data.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  cancelImport,
  createCorrectedDraft,
  findImport,
  getImportDraft,
  type ImportRecord,
  type ImportRowError,
  parseColumnMapping,
  readImportErrors,
  readRejectedTable,
} from '../../codes/index.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import {
  EmptyBody,
  getImportsPath,
  IMPORT_ACCESS,
  IMPORT_PAGE_CONFIG,
  ImportParams,
  NEW_IMPORT_ACCESS,
} from './import-parts.ts';
import { renderImport } from './result-page.ts';

const MAX_READ_ERRORS = 1_000;

type PageRequest = FastifyRequest<{ Params: { accountId: string; id: string } }>;

/** An import that was started: its progress, its result, and corrections of rows that it rejected. */
export const importPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  // Rows of a file can be content of medical codes.
  app.addHook('preHandler', async (request) => assertHealthDataReadable(getRequestContext(request)));

  const { database, files } = services;
  const getPath = ({ params }: PageRequest) => `${getImportsPath(services, params)}/${params.id}`;

  app.get(
    '/:accountId/imports/:id',
    { config: IMPORT_PAGE_CONFIG, schema: { hide: true, params: ImportParams } },
    async (request, reply) => {
      const row = await findImport(database.client, request.params);
      if (!row) {
        await getImportDraft(services, request.params);
        return reply.redirect(`${getPath(request)}/columns`, 303);
      }
      return sendImport(request, reply, row);
    },
  );

  app.get(
    '/:accountId/imports/:id/updates',
    {
      config: { ...IMPORT_PAGE_CONFIG, rateLimitClass: 'read' },
      schema: { hide: true, params: ImportParams },
    },
    async (request, reply) =>
      reply
        .header('Cache-Control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send(getImportState(await getImport(request))),
  );

  app.post(
    '/:accountId/imports/:id/cancel',
    {
      config: { access: IMPORT_ACCESS, audit: auditAs('IMPORT_CANCELED') },
      schema: { hide: true, params: ImportParams, body: EmptyBody },
    },
    async (request, reply) => {
      try {
        await cancelImport(services, getRequestContext(request), request.params);
      } catch (error) {
        // The page says how it ended.
        if (!(error instanceof ServiceError) || error.code !== 'IMPORT_FINISHED') throw error;
      }
      return reply.redirect(getPath(request), 303);
    },
  );

  app.post(
    '/:accountId/imports/:id/corrections',
    {
      config: { access: NEW_IMPORT_ACCESS, audit: skipAudit('USER'), rateLimitClass: 'upload' },
      schema: { hide: true, params: ImportParams, body: Type.Record(Type.String(), Type.String()) },
    },
    async (request, reply) => {
      const { body, params } = request;
      const { requestId } = getRequestContext(request);
      const correct = (row: number, column: number) => body[`cell-${row}-${column}`];
      const id = await createCorrectedDraft(services, params, requestId, correct);
      return reply.redirect(`${getImportsPath(services, params)}/${id}/check`, 303);
    },
  );

  app.get(
    '/:accountId/imports/:id/rejected-rows',
    { config: IMPORT_PAGE_CONFIG, schema: { hide: true, params: ImportParams } },
    async (request, reply) => {
      const { accountId, finishedAt, fileId, format } = await getImport(request);
      const content = finishedAt && fileId && (await files.open(database.client, accountId, fileId));
      if (!content) throw new ServiceError('NOT_FOUND');
      const extension = format === 'jsonl' ? 'jsonl' : 'csv';
      return reply
        .type(format === 'jsonl' ? 'application/x-ndjson' : 'text/csv; charset=utf-8')
        .header('Content-Disposition', `attachment; filename="rejected-rows.${extension}"`)
        .send(content);
    },
  );

  /** @throws NOT_FOUND */
  async function getImport({ params }: PageRequest): Promise<ImportRecord> {
    const row = await findImport(database.client, params);
    if (!row) throw new ServiceError('NOT_FOUND');
    return row;
  }

  async function sendImport(
    request: PageRequest,
    reply: FastifyReply,
    row: ImportRecord,
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const errors: ImportRowError[] = [];
    for await (const batch of readImportErrors(database.client, row)) {
      errors.push(...batch);
      if (errors.length >= MAX_READ_ERRORS) break;
    }
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.imports.import'),
      entry: 'codes',
      body: renderImport({
        listPath: getImportsPath(services, request.params),
        path: getPath(request),
        token: getPermittedFormToken(services, request, reply),
        row,
        state: getImportState(row),
        errors,
        rejected: await readRejectedTable(services, row),
        mapping: parseColumnMapping(row.mapping),
        user: requireAuthenticatedUser(request),
        locale,
      }),
    });
  }
};

/** What the script compares to learn whether the page has changed. */
function getImportState({ status, rowNumber }: ImportRecord): string {
  return `${status}-${rowNumber}`;
}
