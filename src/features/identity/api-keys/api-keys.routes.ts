import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { actIdempotently } from '../../../platform/http/act-idempotently.ts';
import { RETURNED_DELETED } from '../../../platform/http/api-versions.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { findApiKey, listApiKeys } from './api-key.repository.ts';
import { type ApiKeyInput, findApiKeyInputErrors, MAX_ACTIVE_API_KEYS } from './api-key.rules.ts';
import { toApiKeyView } from './api-key.view.ts';
import {
  ApiKeyRequest,
  ApiKeyRotationRequest,
  ApiKeySchema,
  ApiKeyWithTokenSchema,
} from './api-keys.schemas.ts';
import {
  type ApiKeyManager,
  createApiKey,
  revokeApiKey,
  rotateApiKey,
  selectManagedApiKeys,
  takeOverApiKey,
} from './manage-api-keys.use-case.ts';

const OWN_ACCESS = allowUsers('api-keys:own');
const RECENT_LOGIN = `Requires a login within the last ${formatLifetime('freshSession')}: 403 REAUTHENTICATION_REQUIRED.`;

const findBodyErrors = (body: ApiKeyInput) => findApiKeyInputErrors(body, new Date());

export const apiKeyRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  const { database } = services;

  app.post(
    '',
    {
      config: { access: OWN_ACCESS, audit: auditAs('API_KEY_CREATED'), findBodyErrors },
      schema: {
        operationId: 'apiKeys.create',
        tags: ['API keys'],
        summary: 'Create an API key',
        description: `Returns the token only once. The key acts for the account, within its scopes and with at most your role, while you are a member. Up to ${MAX_ACTIVE_API_KEYS} active keys; without \`expiresAt\` a key lasts ${formatLifetime('apiKey')}. You get an email. ${RECENT_LOGIN}`,
        headers: IdempotencyKeyHeader,
        body: ApiKeyRequest,
        response: { 201: schemaRef(ApiKeyWithTokenSchema), ...createProblemResponseSchemas(403, 409) },
      },
    },
    async (request, reply) => {
      return prepareCreatedReply(
        reply,
        await createApiKey(services, getRequestContext(request), toManager(request), request.body),
      );
    },
  );

  app.get(
    '',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('USER'), cache: 'revalidate' },
      schema: {
        operationId: 'apiKeys.list',
        tags: ['API keys'],
        summary: 'List the API keys of the account, newest first',
        description:
          'Includes expired, revoked and stopped keys: `status` says which. Owners and managers get all keys, editors their own. Tokens are not shown again.',
        querystring: PageQuery,
        response: { 200: createPageSchema(ApiKeySchema) },
      },
    },
    async (request) => {
      const page = parseListPage(request, NEWEST_FIRST);
      const list = await listApiKeys(database.client, selectManagedApiKeys(toManager(request)), page);
      return toListPage(page, list, toApiKeyView);
    },
  );

  app.get(
    '/:id',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('USER') },
      schema: {
        operationId: 'apiKeys.get',
        tags: ['API keys'],
        summary: 'Get an API key',
        description: 'Without its token.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(ApiKeySchema) },
      },
    },
    async (request) => {
      const selection = selectManagedApiKeys(toManager(request));
      const row = await findApiKey(database.client, selection, request.params.id);
      if (!row) throw new ServiceError('NOT_FOUND');
      return toApiKeyView(row);
    },
  );

  app.post(
    '/:id/rotate',
    {
      config: { access: OWN_ACCESS, audit: auditAs('API_KEY_ROTATED'), findBodyErrors },
      schema: {
        operationId: 'apiKeys.rotate',
        tags: ['API keys'],
        summary: 'Rotate the token of an API key',
        description: `Returns another token once. The previous one works on for the overlap, ${formatLifetime('rotationOverlap')} by default; one before that ends at once, unless the previous one was never used. You get an email. An ended key is 409 API_KEY_ENDED. ${RECENT_LOGIN}`,
        headers: IdempotencyKeyHeader,
        params: createIdParamsSchema('id'),
        body: ApiKeyRotationRequest,
        response: { 200: schemaRef(ApiKeyWithTokenSchema), ...createProblemResponseSchemas(403, 409) },
      },
    },
    async (request, reply) => {
      const manager = toManager(request);
      const context = getRequestContext(request);
      const { id } = request.params;
      const owner = { who: manager.account.id, isSecret: true };
      return actIdempotently(services, request, reply, owner, async (joined) => ({
        body: await rotateApiKey(joined, context, manager, id, request.body),
      }));
    },
  );

  app.post(
    '/:id/take-over',
    {
      config: { access: OWN_ACCESS, audit: auditAs('API_KEY_TAKEN_OVER'), findBodyErrors },
      schema: {
        operationId: 'apiKeys.takeOver',
        tags: ['API keys'],
        summary: 'Take over an API key of another member',
        description: `For owners and managers. The key acts as you from then on, with at most your role, and works again if it was STOPPED. Returns another token once; the previous one works on for the overlap, ${formatLifetime('rotationOverlap')} by default, but not if the key was STOPPED. You get an email. An ended key is 409 API_KEY_ENDED. ${RECENT_LOGIN}`,
        headers: IdempotencyKeyHeader,
        params: createIdParamsSchema('id'),
        body: ApiKeyRotationRequest,
        response: { 200: schemaRef(ApiKeyWithTokenSchema), ...createProblemResponseSchemas(403, 409) },
      },
    },
    async (request, reply) => {
      const manager = toManager(request);
      const context = getRequestContext(request);
      const { id } = request.params;
      const owner = { who: manager.account.id, isSecret: true };
      return actIdempotently(services, request, reply, owner, async (joined) => ({
        body: await takeOverApiKey(joined, context, manager, id, request.body),
      }));
    },
  );

  app.delete(
    '/:id',
    {
      config: {
        access: OWN_ACCESS,
        audit: auditAs('API_KEY_REVOKED'),
        versionChanges: [RETURNED_DELETED],
      },
      schema: {
        operationId: 'apiKeys.revoke',
        tags: ['API keys'],
        summary: 'Revoke an API key immediately',
        description: `Returns the key, which stays in the list as REVOKED. Also ends the token before a rotation. Repeating it is 200. ${RECENT_LOGIN}`,
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(ApiKeySchema), ...createProblemResponseSchemas(403) },
      },
    },
    async (request) => {
      const context = getRequestContext(request);
      return toApiKeyView(await revokeApiKey(services, context, toManager(request), request.params.id));
    },
  );
};

function toManager(request: FastifyRequest): ApiKeyManager {
  return { user: requireAuthenticatedUser(request), account: requireAccount(request) };
}
