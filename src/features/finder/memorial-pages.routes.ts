import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { findMemoryTagOfCode, withdrawGuestBookEntry } from '../memory-tags/index.ts';
import { findScan, getOpenQrCode, isScanUnlocked } from '../scans/index.ts';
import { type FinderServices, getQrCodePagePath } from './finder-services.ts';
import { verifyScanFormToken, verifyVisitFormToken } from './form-token.ts';
import { sendGuestBookEntryRemovedPage, sendGuestBookWithdrawalPage } from './guest-book-entry-page.ts';
import {
  type MemorialPageRequest,
  sendGuestBookEntriesPage,
  sendMemorialStoryPage,
} from './memorial-pages.ts';
import { MESSAGE_FORM_FIELDS, parseMessageFormFields } from './message-fields.ts';
import { findIdParam, getQrCodeIdParam } from './page-scope.ts';
import { sendRejectedFormPage } from './send-rejected-form.ts';
import { submitGuestBookEntry } from './submit-guest-book-entry.ts';
import { TimeCursorParam } from './time-cursor-param.ts';
import { startFormVisit } from './visit.ts';

const CodeParams = Type.Object({ id: Type.String() });
const EntryParams = Type.Object({ id: Type.String(), entry: Type.String() });
const pagePosition = { part: Type.Optional(Type.String()), cursor: TimeCursorParam };
/** `lang` is unknown, because an invalid language is ignored. */
const MemorialPageQuery = Type.Object({ lang: Type.Optional(Type.Unknown()), ...pagePosition });

const READ_CONFIG = {
  access: PUBLIC_ACCESS,
  audit: skipAudit('MEMORY_TAG'),
  rateLimitClass: 'page',
} as const;

export const memorialPageRoutes: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  for (const [path, send] of [
    ['story', sendMemorialStoryPage],
    ['entries', sendGuestBookEntriesPage],
  ] as const) {
    app.get(
      `/:id/${path}`,
      { config: READ_CONFIG, schema: { hide: true, params: CodeParams, querystring: MemorialPageQuery } },
      async (request, reply) => {
        const visibleTag = await findVisibleTag(request, undefined);
        return send(services, reply, { ...request.query, ...visibleTag }, choosePageLocale(request));
      },
    );

    // Content behind a PIN is fetched by POST: the visit token must not be in a URL.
    app.post(
      `/:id/${path}`,
      {
        config: READ_CONFIG,
        schema: {
          hide: true,
          params: CodeParams,
          body: Type.Object({ visit: Type.Optional(Type.String()), ...pagePosition }),
        },
      },
      async (request, reply) => {
        const visibleTag = await findVisibleTag(request, request.body.visit);
        return send(services, reply, { ...request.body, ...visibleTag }, choosePageLocale(request));
      },
    );
  }

  app.post(
    '/:id/guest-book',
    {
      config: { ...READ_CONFIG, audit: auditAs('GUEST_BOOK_SIGNED') },
      schema: {
        hide: true,
        params: CodeParams,
        body: Type.Object(MESSAGE_FORM_FIELDS),
      },
    },
    async (request, reply) => {
      const codeId = getQrCodeIdParam(request.params);
      const { visit: token = '', ...fields } = request.body;
      const locale = choosePageLocale(request);
      const visit = verifyVisitFormToken(fieldCipher, codeId, token);
      if (visit?.isScan)
        return submitGuestBookEntry(
          services,
          getRequestContext(request),
          reply,
          { codeId, visit },
          fields,
          locale,
        );
      const guestBookForm = {
        errorMessage: t(locale, 'conversation.pageExpired'),
        draft: parseMessageFormFields(fields),
        needsConfirmation: false,
      };
      const newVisitForm = {
        codeId,
        visit: null,
        getVisit: () => startFormVisit(app, services, request, codeId),
      };
      return sendRejectedFormPage(services, reply, newVisitForm, locale, { status: 403, guestBookForm });
    },
  );

  app.get(
    '/:id/entries/:entry',
    { config: READ_CONFIG, schema: { hide: true, params: EntryParams, querystring: MemorialPageQuery } },
    async (request, reply) => {
      const locale = choosePageLocale(request);
      const { entry: token } = request.params;
      return sendGuestBookWithdrawalPage(
        services,
        reply,
        { codeId: getQrCodeIdParam(request.params), token },
        locale,
      ).catch((error: unknown) => handleMissingEntry(reply, error, locale));
    },
  );

  app.post(
    '/:id/entries/:entry/withdraw',
    {
      config: { ...READ_CONFIG, audit: auditAs('GUEST_BOOK_ENTRY_WITHDRAWN') },
      schema: { hide: true, params: EntryParams },
    },
    async (request, reply) => {
      const locale = choosePageLocale(request);
      return withdrawGuestBookEntry(services, getRequestContext(request), request.params.entry).then(
        () => sendGuestBookEntryRemovedPage(reply, true, locale),
        (error: unknown) => handleMissingEntry(reply, error, locale),
      );
    },
  );

  function handleMissingEntry(reply: FastifyReply, error: unknown, locale: Locale): FastifyReply {
    if (!(error instanceof ServiceError) || error.code !== 'NOT_FOUND') throw error;
    return sendGuestBookEntryRemovedPage(reply, false, locale);
  }

  /** @throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED */
  async function findVisibleTag(
    request: FastifyRequest,
    visit: string | undefined,
  ): Promise<Pick<MemorialPageRequest, 'tag' | 'target'>> {
    const id = findIdParam(request.params);
    const code = id && (await getOpenQrCode(database.client, id));
    const tag = code && code.kind === 'MEMORY_TAG' ? await findMemoryTagOfCode(database.client, code) : null;
    if (!code || !tag) throw new ServiceError('NOT_FOUND');
    const address = getQrCodePagePath(services, code.id);
    if (code.pinHash === null) return { tag, target: { address, visit: null } };
    const scanId = verifyScanFormToken(fieldCipher, code.id, visit);
    const scan = scanId && (await findScan(database.client, scanId));
    if (!scan || !visit || !isScanUnlocked(scan, code)) throw new ServiceError('NOT_FOUND');
    return { tag, target: { address, visit } };
  }
};
