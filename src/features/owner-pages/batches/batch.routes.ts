import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowWriters, auditAs } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  type BatchRecord,
  cancelBatch,
  changeBatchTags,
  DELETE_BATCH_QUEUE,
  deleteBatch,
  getOwnBatch,
  listBatchTags,
  MAX_BATCH_TAGS,
  sendBatchExport,
  sendBatchImages,
} from '../../codes/index.ts';
import { renderNote } from '../components.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { renderBatch, TAGS_PER_PAGE } from './batch-page.ts';
import { BATCH_ACCESS, BATCH_PAGE_CONFIG, BatchParams, EmptyBody, getBatchesPath } from './batch-parts.ts';

const OptionalText = Type.Optional(Type.String());

/** Of the form that prints labels, too. */
const ImagesQuery = Type.Object({
  format: OptionalText,
  batchId: OptionalText,
  sort: OptionalText,
  tagFrom: OptionalText,
  tagTo: OptionalText,
});

const MarkForm = Type.Object({ from: OptionalText, to: OptionalText, mark: OptionalText });

const MARKS: Readonly<Record<string, { printed: boolean } | { handedOut: boolean }>> = {
  printed: { printed: true },
  'not-handed-out': { handedOut: false },
  'not-printed': { printed: false },
};

type PageRequest = FastifyRequest<{ Params: { accountId: string; id: string } }>;

/** A batch of tags: its progress, what became of its tags, and its files. */
export const batchPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;
  const getPath = ({ params }: PageRequest) => `${getBatchesPath(services, params)}/${params.id}`;

  app.get(
    '/:accountId/batches/:id',
    {
      config: BATCH_PAGE_CONFIG,
      schema: { hide: true, params: BatchParams, querystring: Type.Object({ from: OptionalText }) },
    },
    async (request, reply) => sendBatch(request, reply, parseNumber(request.query.from) ?? 1),
  );

  app.get(
    '/:accountId/batches/:id/updates',
    {
      config: { ...BATCH_PAGE_CONFIG, rateLimitClass: 'read' },
      schema: { hide: true, params: BatchParams },
    },
    async (request, reply) =>
      reply
        .header('Cache-Control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send(getState(await getOwnBatch(database.client, request.params))),
  );

  app.get(
    '/:accountId/batches/:id/export',
    {
      config: {
        access: allowWriters(BATCH_ACCESS),
        audit: auditAs('BATCH_EXPORTED'),
        rateLimitClass: 'page',
      },
      schema: { hide: true, params: BatchParams },
    },
    async (request, reply) =>
      sendBatchExport(services, request, reply, request.params, { format: 'csv', bom: true }),
  );

  app.get(
    '/:accountId/batches/:id/images',
    {
      config: { access: BATCH_ACCESS, audit: auditAs('BATCH_EXPORTED'), rateLimitClass: 'upload' },
      schema: { hide: true, params: BatchParams, querystring: ImagesQuery },
    },
    async (request, reply) => {
      const { format, tagFrom, tagTo } = request.query;
      const [first, last] = [parseNumber(tagFrom), parseNumber(tagTo)];
      try {
        return await sendBatchImages(services, request, reply, request.params, {
          format: format === 'svg' ? 'svg' : 'png',
          ...(first && { from: first }),
          ...(last && { to: last }),
        });
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_FAILED') throw error;
        return sendBatch(request, reply.code(400), 1);
      }
    },
  );

  app.post(
    '/:accountId/batches/:id/cancel',
    {
      config: { access: BATCH_ACCESS, audit: auditAs('BATCH_CANCELED') },
      schema: { hide: true, params: BatchParams, body: EmptyBody },
    },
    async (request, reply) => {
      try {
        await cancelBatch(services, getRequestContext(request), request.params);
      } catch (error) {
        // The page says how it ended.
        if (!(error instanceof ServiceError) || error.code !== 'BATCH_FINISHED') throw error;
      }
      return reply.redirect(getPath(request), 303);
    },
  );

  app.post(
    '/:accountId/batches/:id/tags',
    {
      config: { access: BATCH_ACCESS, audit: auditAs('BATCH_TAGS_UPDATED'), rateLimitClass: 'upload' },
      schema: { hide: true, params: BatchParams, body: MarkForm },
    },
    async (request, reply) => {
      const { from, to, mark = '' } = request.body;
      const last = parseNumber(to);
      const change = {
        from: parseNumber(from) ?? 1,
        ...(last && { to: last }),
        ...(MARKS[mark] ?? { handedOut: true }),
      };
      try {
        await changeBatchTags(services, getRequestContext(request), request.params, change);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'VALIDATION_FAILED') throw error;
        return sendBatch(request, reply.code(400), 1);
      }
      return reply.redirect(getPath(request), 303);
    },
  );

  app.post(
    '/:accountId/batches/:id/delete',
    {
      config: { access: BATCH_ACCESS, audit: auditAs('BATCH_DELETED') },
      schema: { hide: true, params: BatchParams, body: EmptyBody },
    },
    async (request, reply) => {
      await deleteBatch(services, getRequestContext(request), request.params);
      services.jobs.wake(DELETE_BATCH_QUEUE);
      return reply.redirect(`${getBatchesPath(services, request.params)}?done=deleted`, 303);
    },
  );

  async function sendBatch(request: PageRequest, reply: FastifyReply, from: number): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const { params } = request;
    const row = await getOwnBatch(database.client, params);
    const tags = await listBatchTags(
      database.client,
      params,
      { from, to: MAX_BATCH_TAGS },
      TAGS_PER_PAGE + 1,
    );
    const body = renderBatch({
      accountPath: getAccountPath(services, params.accountId),
      listPath: getBatchesPath(services, params),
      path: getPath(request),
      token: getPermittedFormToken(services, request, reply),
      row,
      state: getState(row),
      tags,
      user: requireAuthenticatedUser(request),
      locale,
    });
    return sendOwnerPage(services, request, reply, {
      title: row.prefix,
      entry: 'codes',
      status: reply.statusCode,
      body: html`${reply.statusCode === 400 && renderNote(t(locale, 'app.error.invalid'), 'wrong')}${body}`,
    });
  }
};

/** What the script compares to learn whether the page has changed. */
function getState({ status, created }: BatchRecord): string {
  return `${status}-${created}`;
}

function parseNumber(text = ''): number | null {
  return /^[1-9]\d{0,5}$/.test(text.trim()) ? Number(text) : null;
}
