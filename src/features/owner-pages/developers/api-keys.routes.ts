import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { API_KEY_SCOPES } from '../../../permissions.ts';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { DAY_SECONDS } from '../../../shared/durations.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { generateId } from '../../../shared/ids.ts';
import {
  type ApiKeyManager,
  ApiKeyRequest,
  createApiKey,
  findApiKey,
  listApiKeys,
  MAX_ACTIVE_API_KEYS,
  revokeApiKey,
  rotateApiKey,
  selectManagedApiKeys,
  takeOverApiKey,
  toApiKeyView,
} from '../../identity/index.ts';
import { getFormContext } from '../form-context.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { canUse } from '../reader-permissions.ts';
import {
  AccountParams,
  describeRefusal,
  type FormRefusal,
  getDevelopersPath,
  redirectWithDone,
  SETTINGS_PAGE_CONFIG,
  sendSettingsPage,
} from '../settings/settings-page.ts';
import {
  LIFETIME_DAYS,
  OVERLAP_SECONDS,
  renderApiKey,
  renderApiKeys,
  renderNewApiKey,
  SCOPE_PREFIX,
} from './api-key-pages.ts';
import { sendSecretPage } from './secret-page.ts';

const KeyParams = createIdParamsSchema('accountId', 'keyId');

const KEYS_ACCESS = allowByCookie(allowUsers('api-keys:own'));

const KEYS_PAGE_CONFIG = { ...SETTINGS_PAGE_CONFIG, access: KEYS_ACCESS };

const FormBody = Type.Record(Type.String(), Type.String());

/** Revoked and expired ones are listed for a time, too. */
const MAX_LISTED = { skip: 0, take: 200, after: null };

const findNameErrors = createBodyValidator(Type.Pick(ApiKeyRequest, ['name']));

/** The API keys of an account, for programs. */
export const apiKeyPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;
  const getPath = (request: FastifyRequest) => getDevelopersPath(services, requireAccount(request).id);

  app.get(
    '',
    { config: KEYS_PAGE_CONFIG, schema: { hide: true, params: AccountParams } },
    async (request, reply) => {
      const manager = toManager(request);
      const { user } = manager;
      const locale = chooseOwnerPageLocale(request);
      const { rows } = await listApiKeys(database.client, selectManagedApiKeys(manager), MAX_LISTED);
      const keys = rows.map(toApiKeyView);
      return sendSettingsPage(services, request, reply, {
        tab: 'developers',
        body: renderApiKeys({
          path: getPath(request),
          keys,
          readsEvents: canUse(request, 'webhooks:own', 'GET'),
          user,
          locale,
        }),
      });
    },
  );

  app.get(
    '/keys/new',
    { config: KEYS_PAGE_CONFIG, schema: { hide: true, params: AccountParams } },
    async (request, reply) => sendForm(request, reply, {}),
  );

  app.post(
    '/keys',
    {
      config: { access: KEYS_ACCESS, audit: auditAs('API_KEY_CREATED') },
      schema: { hide: true, params: AccountParams, body: FormBody },
    },
    async (request, reply) => {
      const { body } = request;
      const name = body.name?.trim() ?? '';
      const scopes = API_KEY_SCOPES.filter((scope) => body[SCOPE_PREFIX + scope] !== undefined);
      const days = LIFETIME_DAYS.find((count) => String(count) === body.days);
      const expiresAt =
        days === undefined ? null : new Date(Date.now() + days * DAY_SECONDS * 1000).toISOString();
      const errors: FieldError[] = [
        ...(name === '' ? [{ field: 'name', code: 'REQUIRED', message: '' }] : findNameErrors({ name })),
        ...(scopes.length === 0 ? [{ field: 'scopes', code: 'REQUIRED', message: '' }] : []),
      ];
      if (errors.length > 0) return sendForm(request, reply, { errors });
      // Sent twice it is created once.
      const context = getFormContext(request, body.key);
      try {
        const { body: key } = await createApiKey(services, context, toManager(request), {
          name,
          scopes,
          expiresAt,
        });
        return sendSecret(request, reply, key.token);
      } catch (error) {
        return sendForm(request, reply, describeKeyRefusal(error, request, reply));
      }
    },
  );

  app.get(
    '/keys/:keyId',
    { config: KEYS_PAGE_CONFIG, schema: { hide: true, params: KeyParams } },
    async (request, reply) => sendKey(request, reply, request.params.keyId, {}),
  );

  app.post(
    '/keys/:keyId/rotate',
    {
      config: { access: KEYS_ACCESS, audit: auditAs('API_KEY_ROTATED') },
      schema: { hide: true, params: KeyParams, body: FormBody },
    },
    async (request, reply) => replaceSecret(request, reply, rotateApiKey),
  );

  app.post(
    '/keys/:keyId/take-over',
    {
      config: { access: KEYS_ACCESS, audit: auditAs('API_KEY_TAKEN_OVER') },
      schema: { hide: true, params: KeyParams, body: FormBody },
    },
    async (request, reply) => replaceSecret(request, reply, takeOverApiKey),
  );

  app.post(
    '/keys/:keyId/revoke',
    {
      config: { access: KEYS_ACCESS, audit: auditAs('API_KEY_REVOKED') },
      schema: { hide: true, params: KeyParams, body: FormBody },
    },
    async (request, reply) => {
      await revokeApiKey(services, getRequestContext(request), toManager(request), request.params.keyId);
      return redirectWithDone(reply, getPath(request), 'key-revoked');
    },
  );

  async function replaceSecret(
    request: FastifyRequest<{ Params: { keyId: string }; Body: Record<string, string> }>,
    reply: FastifyReply,
    replace: typeof rotateApiKey,
  ): Promise<FastifyReply> {
    const { body, params } = request;
    const overlapSeconds = OVERLAP_SECONDS.find((seconds) => String(seconds) === body.overlap) ?? DAY_SECONDS;
    try {
      const context = getRequestContext(request);
      const key = await replace(services, context, toManager(request), params.keyId, { overlapSeconds });
      return sendSecret(request, reply, key.token);
    } catch (error) {
      return sendKey(request, reply, params.keyId, describeKeyRefusal(error, request, reply));
    }
  }

  function describeKeyRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): FormRefusal {
    const locale = chooseOwnerPageLocale(request);
    const texts = {
      TOO_MANY_API_KEYS: t(locale, 'app.developers.tooMany', { count: MAX_ACTIVE_API_KEYS }),
      RESPONSE_NOT_STORED: t(locale, 'app.developers.again'),
      IDEMPOTENCY_KEY_REUSED: t(locale, 'app.developers.again'),
      API_KEY_ENDED: t(locale, 'app.developers.revoked'),
    };
    return describeRefusal(error, reply, locale, {}, texts);
  }

  function sendForm(request: FastifyRequest, reply: FastifyReply, refused: FormRefusal): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    return sendSettingsPage(services, request, reply, {
      tab: 'developers',
      title: t(locale, 'app.developers.newKey'),
      isNarrow: true,
      refused,
      body: renderNewApiKey({
        path: getPath(request),
        token: getPermittedFormToken(services, request, reply),
        key: generateId(),
        values: request.method === 'POST' ? (request.body as Record<string, string>) : {},
        errors: refused.errors ?? [],
        locale,
      }),
    });
  }

  async function sendKey(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    refused: FormRefusal,
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const manager = toManager(request);
    const row = await findApiKey(database.client, selectManagedApiKeys(manager), id);
    if (!row) throw new ServiceError('NOT_FOUND');
    return sendSettingsPage(services, request, reply, {
      tab: 'developers',
      title: row.name,
      isNarrow: true,
      refused,
      body: renderApiKey({
        path: getPath(request),
        token: getPermittedFormToken(services, request, reply),
        key: toApiKeyView(row),
        canTakeOver: manager.account.role !== 'EDITOR',
        user: manager.user,
        locale,
      }),
    });
  }

  function sendSecret(request: FastifyRequest, reply: FastifyReply, secret: string): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    return sendSecretPage(services, request, reply, {
      title: t(locale, 'app.developers.secret'),
      text: t(locale, 'app.developers.secretText'),
      secret,
      nextPath: getPath(request),
    });
  }
};

function toManager(request: FastifyRequest): ApiKeyManager {
  return { user: requireAuthenticatedUser(request), account: requireAccount(request) };
}
