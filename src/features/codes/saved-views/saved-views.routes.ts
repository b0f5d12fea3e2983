import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { requireAccount } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { parseListPage, selectListRange, toListPage } from '../../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../../shared/common.schemas.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import type { QrCodeServices } from '../qrcode-services.ts';
import {
  changeSavedView,
  createSavedView,
  deleteSavedView,
  getOwnSavedView,
  listOwnSavedViews,
  restoreSavedView,
} from './change-saved-views.use-case.ts';
import { SAVED_VIEW_ORDER, type SavedViewKey } from './saved-view.repository.ts';
import { toSavedViewView } from './saved-view.view.ts';
import { MAX_SAVED_VIEWS, NewSavedView, SavedViewChange, SavedViewSchema } from './saved-views.schemas.ts';

/** Views of the list of codes that an account saved. */
export const savedViewRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const access = allowUsers('qrcodes:own');
  const getKey = (request: FastifyRequest<{ Params: { id: string } }>): SavedViewKey => ({
    accountId: requireAccount(request).id,
    id: request.params.id,
  });

  app.post(
    '',
    {
      config: { access: allowUsersWithProfile('qrcodes:own'), audit: auditAs('SAVED_VIEW_CREATED') },
      schema: {
        operationId: 'savedViews.create',
        tags: ['QR codes'],
        summary: 'Save a view of the list of codes',
        description: `Filters and sort by a name. An account can have up to ${MAX_SAVED_VIEWS} (409 TOO_MANY_SAVED_VIEWS).`,
        headers: IdempotencyKeyHeader,
        body: NewSavedView,
        response: { 201: schemaRef(SavedViewSchema), ...createProblemResponseSchemas(409) },
      },
    },
    async (request, reply) => {
      const { id } = requireAccount(request);
      return prepareCreatedReply(
        reply,
        await createSavedView(services, getRequestContext(request), id, request.body),
      );
    },
  );

  app.get(
    '',
    {
      config: { access, audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'savedViews.list',
        tags: ['QR codes'],
        summary: 'List your saved views by position',
        description: 'Send `query` of one to GET /api/qrcodes.',
        querystring: PageQuery,
        response: { 200: createPageSchema(SavedViewSchema) },
      },
    },
    async (request) => {
      const rows = await listOwnSavedViews(services, requireAccount(request).id);
      const page = parseListPage(request, SAVED_VIEW_ORDER);
      return toListPage(page, selectListRange(page, rows), toSavedViewView);
    },
  );

  app.get(
    '/:id',
    {
      config: { access, audit: skipAudit('USER') },
      schema: {
        operationId: 'savedViews.get',
        tags: ['QR codes'],
        summary: 'Get a saved view',
        description: 'Its name, and the parameters of the list.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(SavedViewSchema) },
      },
    },
    async (request, reply) => {
      const row = await getOwnSavedView(services, getKey(request));
      return reply.header('ETag', formatVersionEtag(row.version)).send(toSavedViewView(row));
    },
  );

  app.patch(
    '/:id',
    {
      config: { access, audit: auditAs('SAVED_VIEW_UPDATED') },
      schema: {
        operationId: 'savedViews.patch',
        tags: ['QR codes'],
        summary: 'Update a saved view: its name, its position or what it lists',
        description: '`query` is replaced as a whole.',
        params: createIdParamsSchema('id'),
        body: SavedViewChange,
        response: { 200: schemaRef(SavedViewSchema), ...createProblemResponseSchemas(412) },
      },
    },
    async (request, reply) => {
      const row = await changeSavedView(
        services,
        getRequestContext(request),
        getKey(request),
        request.body,
        request.headers['if-match'],
      );
      return reply.header('ETag', formatVersionEtag(row.version)).send(toSavedViewView(row));
    },
  );

  app.delete(
    '/:id',
    {
      config: { access, audit: auditAs('SAVED_VIEW_DELETED') },
      schema: {
        operationId: 'savedViews.delete',
        tags: ['QR codes'],
        summary: `Delete a saved view; it can be restored for ${formatLifetime('deletedSavedView')}`,
        description: 'The codes stay as they are.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(412) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const context = getRequestContext(request);
      await deleteSavedView(services, context, getKey(request), request.headers['if-match']);
      return { id, deleted: true as const };
    },
  );

  app.post(
    '/:id/restore',
    {
      config: { access, audit: auditAs('SAVED_VIEW_RESTORED'), storesResponse: true },
      schema: {
        operationId: 'savedViews.restore',
        tags: ['QR codes'],
        summary: `Restore a deleted saved view within ${formatLifetime('deletedSavedView')}`,
        description: '404 if it is too late; 409 TOO_MANY_SAVED_VIEWS if there is no room for it.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(SavedViewSchema), ...createProblemResponseSchemas(409, 412) },
      },
    },
    async (request) =>
      toSavedViewView(
        await restoreSavedView(
          services,
          getRequestContext(request),
          getKey(request),
          request.headers['if-match'],
        ),
      ),
  );
};
