import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import { actIdempotently } from '../../platform/http/act-idempotently.ts';
import { formatVersionEtag } from '../../platform/http/if-match.ts';
import { parseListPage, selectListRange, toListPage } from '../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, allowUsersWithProfile, auditAs, skipAudit } from '../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../shared/common.schemas.ts';
import { type FieldError, ServiceError } from '../../shared/errors.ts';
import { OLDEST_FIRST } from '../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../shared/pagination.ts';
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  verifyWebhookEndpoint,
} from './change-endpoint.use-case.ts';
import { findWebhookEndpoint, listWebhookEndpoints } from './webhook-endpoint.repository.ts';
import { toWebhookEndpointView } from './webhook-endpoint.view.ts';
import type { WebhookServices } from './webhook-services.ts';
import { findWebhookUrlProblem, WEBHOOK_URL_PROBLEMS } from './webhook-url.rules.ts';
import {
  NewWebhookEndpoint,
  SecretRotation,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointWithSecret,
  WebhookVerification,
} from './webhooks.schemas.ts';

const OWN_ACCESS = allowUsers('webhooks:own');

export const webhookEndpointRoutes: FastifyPluginAsyncTypebox<WebhookServices> = async (app, services) => {
  const { database, fieldCipher, allowsLoopback } = services;

  const findUrlErrors = ({ url }: { url?: string }): FieldError[] => {
    const problem = url === undefined ? null : findWebhookUrlProblem(url, allowsLoopback);
    if (problem === null) return [];
    return [{ field: 'url', code: 'NOT_ALLOWED', message: WEBHOOK_URL_PROBLEMS[problem] }];
  };

  app.post(
    '',
    {
      config: {
        access: allowUsersWithProfile('webhooks:own'),
        audit: auditAs('WEBHOOK_ENDPOINT_CREATED'),
        findBodyErrors: findUrlErrors,
      },
      schema: {
        operationId: 'webhookEndpoints.create',
        tags: ['Webhooks'],
        summary: 'Create a webhook endpoint',
        description:
          'The secret is returned only once. A public address gets events once it has returned the challenge of `webhook_endpoint.verification`. An account can have up to 10 endpoints. `include` requires a login within the last ten minutes, or an API key that may read what is sent.',
        headers: IdempotencyKeyHeader,
        body: NewWebhookEndpoint,
        response: { 201: schemaRef(WebhookEndpointWithSecret), ...createProblemResponseSchemas(409) },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const created = await createWebhookEndpoint(services, getRequestContext(request), user, request.body);
      return prepareCreatedReply(reply, created);
    },
  );

  app.get(
    '',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'webhookEndpoints.list',
        tags: ['Webhooks'],
        summary: 'List your webhook endpoints, oldest first',
        description: 'Without their secrets.',
        querystring: PageQuery,
        response: { 200: createPageSchema(WebhookEndpoint) },
      },
    },
    async (request) => {
      const rows = await listWebhookEndpoints(database.client, requireAccount(request).id);
      const page = parseListPage(request, OLDEST_FIRST);
      return toListPage(page, selectListRange(page, rows), (row) => toWebhookEndpointView(fieldCipher, row));
    },
  );

  app.get(
    '/:id',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('USER') },
      schema: {
        operationId: 'webhookEndpoints.get',
        tags: ['Webhooks'],
        summary: 'Get a webhook endpoint',
        description: 'Without its secret.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(WebhookEndpoint) },
      },
    },
    async (request, reply) => {
      const { id: accountId } = requireAccount(request);
      const row = await findWebhookEndpoint(database.client, accountId, request.params.id);
      if (!row) throw new ServiceError('NOT_FOUND');
      return reply
        .header('ETag', formatVersionEtag(row.version))
        .send(toWebhookEndpointView(fieldCipher, row));
    },
  );

  app.patch(
    '/:id',
    {
      config: {
        access: OWN_ACCESS,
        audit: auditAs('WEBHOOK_ENDPOINT_UPDATED'),
        findBodyErrors: findUrlErrors,
      },
      schema: {
        operationId: 'webhookEndpoints.patch',
        tags: ['Webhooks'],
        summary: 'Update or disable a webhook endpoint',
        description:
          'Nothing is sent, and no new delivery stored, while it is disabled. Replay what it missed. Another public address has to be verified. `include`, and `url` or `eventTypes` of an endpoint with it, require what POST does.',
        params: createIdParamsSchema('id'),
        body: WebhookEndpointChange,
        response: { 200: schemaRef(WebhookEndpoint), ...createProblemResponseSchemas(403, 412) },
      },
    },
    async (request, reply) => {
      const row = await changeWebhookEndpoint(
        services,
        getRequestContext(request),
        requireAuthenticatedUser(request),
        request.params.id,
        request.body,
        request.headers['if-match'],
      );
      return reply
        .header('ETag', formatVersionEtag(row.version))
        .send(toWebhookEndpointView(fieldCipher, row));
    },
  );

  app.post(
    '/:id/verify',
    {
      config: { access: OWN_ACCESS, audit: auditAs('WEBHOOK_ENDPOINT_VERIFIED'), storesResponse: true },
      schema: {
        operationId: 'webhookEndpoints.verify',
        tags: ['Webhooks'],
        summary: 'Verify a webhook endpoint by hand',
        description: 'For an address that cannot return the challenge: enter what it received.',
        params: createIdParamsSchema('id'),
        body: WebhookVerification,
        response: { 200: schemaRef(WebhookEndpoint), ...createProblemResponseSchemas(400, 412) },
      },
    },
    async (request) => {
      const { challenge } = request.body;
      const context = getRequestContext(request);
      const ifMatch = request.headers['if-match'];
      const row = await verifyWebhookEndpoint(services, context, getOwnedKey(request), challenge, ifMatch);
      return toWebhookEndpointView(fieldCipher, row);
    },
  );

  app.delete(
    '/:id',
    {
      config: { access: OWN_ACCESS, audit: auditAs('WEBHOOK_ENDPOINT_DELETED') },
      schema: {
        operationId: 'webhookEndpoints.delete',
        tags: ['Webhooks'],
        summary: 'Delete a webhook endpoint',
        description: 'What is still pending is not sent.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(412) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const context = getRequestContext(request);
      await removeWebhookEndpoint(services, context, getOwnedKey(request), request.headers['if-match']);
      return { id, deleted: true as const };
    },
  );

  app.post(
    '/:id/rotate-secret',
    {
      config: { access: OWN_ACCESS, audit: auditAs('WEBHOOK_SECRET_ROTATED') },
      schema: {
        operationId: 'webhookEndpoints.rotateSecret',
        tags: ['Webhooks'],
        summary: 'Rotate the secret of a webhook endpoint',
        description:
          'The new secret is returned only once. Until the overlap ends, deliveries have a signature of each secret.',
        headers: IdempotencyKeyHeader,
        params: createIdParamsSchema('id'),
        body: SecretRotation,
        response: { 200: schemaRef(WebhookEndpointWithSecret), ...createProblemResponseSchemas(412) },
      },
    },
    async (request, reply) => {
      const { overlapSeconds } = request.body;
      const key = getOwnedKey(request);
      const context = getRequestContext(request);
      const ifMatch = request.headers['if-match'];
      const owner = { who: key.accountId, isSecret: true };
      const view = await actIdempotently(services, request, reply, owner, async (joined) => {
        const { row, secret } = await rotateWebhookSecret(joined, context, key, overlapSeconds, ifMatch);
        return { body: { ...toWebhookEndpointView(fieldCipher, row), secret } };
      });
      return reply.header('ETag', formatVersionEtag(view.version)).send(view);
    },
  );
};

function getOwnedKey(request: FastifyRequest<{ Params: { id: string } }>) {
  return { accountId: requireAccount(request).id, id: request.params.id };
}
