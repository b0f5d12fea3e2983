import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { FIRST_PAGE_CURSOR, NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { listAuditEntries, toOwnAuditEntryView } from '../../audit/index.ts';
import { requireRecentLogin } from '../../identity/index.ts';
import {
  findDataExportRecipientErrors,
  listDataExports,
  requestOwnDataExport,
  sendDataExport,
  toDataExportView,
} from '../../personal-data/index.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import { getOwnerPagesPath, type OwnerPageServices } from '../owner-page-services.ts';
import { renderAccesses } from './accesses-page.ts';
import { renderData } from './data-page.ts';
import {
  ACCOUNT_ACCESS,
  AccountParams,
  describeRefusal,
  type FormRefusal,
  getSettingsPath,
  hasPassword,
  redirectWithDone,
  SETTINGS_PAGE_CONFIG,
  sendSettingsPage,
} from './settings-page.ts';

const ExportForm = Type.Object({
  password: Type.Optional(Type.String()),
  ageRecipient: Type.Optional(Type.String()),
});

const ACCESSES_PER_PAGE = 30;

/** What the service knows about somebody: archives of it, and who saw it. */
export const dataPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;
  const getPath = (request: FastifyRequest) => `${getSettingsPath(services, request)}/data`;

  app.get(
    '/data',
    { config: SETTINGS_PAGE_CONFIG, schema: { hide: true, params: AccountParams } },
    async (request, reply) => sendDataPage(request, reply),
  );

  app.post(
    '/data/exports',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('DATA_EXPORT_REQUESTED'), rateLimitClass: 'auth' },
      schema: { hide: true, params: AccountParams, body: ExportForm },
    },
    async (request, reply) => {
      const { password, ageRecipient: key = '' } = request.body;
      const user = requireAuthenticatedUser(request);
      const ageRecipient = key.trim() || undefined;
      const errors = await findDataExportRecipientErrors(ageRecipient, 'ageRecipient');
      if (errors.length > 0) return sendDataPage(request, reply, { errors });
      try {
        await requestOwnDataExport(services, getRequestContext(request), user, { password, ageRecipient });
      } catch (error) {
        const locale = chooseOwnerPageLocale(request);
        const fields = {
          CREDENTIALS_INVALID: { field: 'password', code: 'WRONG_PASSWORD' },
          VALIDATION_FAILED: { field: 'password', code: 'REQUIRED' },
          EXPORT_KEY_REQUIRED: { field: 'ageRecipient', code: 'REQUIRED' },
        };
        const texts = { EXPORT_IN_PROGRESS: t(locale, 'app.settings.export.inProgress') };
        return sendDataPage(request, reply, describeRefusal(error, reply, locale, fields, texts));
      }
      return redirectWithDone(reply, getPath(request), 'exported');
    },
  );

  app.get(
    '/data/exports/:exportId',
    {
      config: { access: ACCOUNT_ACCESS, audit: auditAs('DATA_EXPORT_DOWNLOADED'), rateLimitClass: 'auth' },
      schema: { hide: true, params: createIdParamsSchema('accountId', 'exportId') },
    },
    async (request, reply) => sendDataExport(services, request, reply, request.params.exportId),
  );

  app.get(
    '/data/accesses',
    {
      config: { ...SETTINGS_PAGE_CONFIG, access: allowByCookie(allowUsers('account:use')) },
      schema: {
        hide: true,
        params: AccountParams,
        querystring: Type.Object({ by: Type.Optional(Type.String()), cursor: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const { cursor = FIRST_PAGE_CURSOR, by: name } = request.query;
      const by = name === 'me' ? 'ME' : 'OTHERS';
      const query = { limit: ACCESSES_PER_PAGE, cursor };
      const page = parseListPage(
        { routeOptions: request.routeOptions, params: request.params, query },
        NEWEST_FIRST,
      );
      const filter = { concerningUser: { id: user.id, by } } as const;
      const list = await database.read(({ client }) => listAuditEntries(client, filter, page));
      const locale = chooseOwnerPageLocale(request);
      const { data, pagination } = toListPage(page, list, (row) => toOwnAuditEntryView(row, user.id, locale));
      return sendSettingsPage(services, request, reply, {
        tab: 'data',
        title: t(locale, 'app.settings.accesses'),
        hasTabs: true,
        body: renderAccesses({
          locale,
          path: `${getPath(request)}/accesses`,
          user,
          by,
          entries: data,
          nextCursor: pagination.nextCursor,
        }),
      });
    },
  );

  async function sendDataPage(
    request: FastifyRequest,
    reply: FastifyReply,
    refused: FormRefusal = {},
  ): Promise<FastifyReply> {
    const user = requireAuthenticatedUser(request);
    const [withPassword, mustEncrypt, exports, isLoginRecent] = await Promise.all([
      hasPassword(services, request),
      services.mustEncryptExport(database.client, user.id),
      listDataExports(database.client, user.id, { skip: 0, take: 20 }),
      hasRecentLogin(request),
    ]);
    const path = getPath(request);
    const again = new URLSearchParams({ to: path, reason: 'again' });
    return sendSettingsPage(services, request, reply, {
      tab: 'data',
      refused,
      body: renderData({
        request,
        locale: chooseOwnerPageLocale(request),
        path,
        token: getFormToken(services, request, reply),
        user,
        errors: refused.errors ?? [],
        withPassword,
        mustEncrypt,
        exports: exports.rows.map((row) => toDataExportView(services.publicBaseUrl, row)),
        signInAgainPath: isLoginRecent ? null : `${getOwnerPagesPath(services)}/sign-in?${again}`,
      }),
    });
  }

  async function hasRecentLogin(request: FastifyRequest): Promise<boolean> {
    try {
      await requireRecentLogin(database.client, requireAuthenticatedUser(request));
      return true;
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  }
};
