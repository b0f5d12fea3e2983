import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { findTagOfCode } from '../memory-tags/memory-tag.repository.ts';
import { withdrawEntry } from '../memory-tags/withdraw-entry.ts';
import { findScan } from '../scans/scan.repository.ts';
import { findOpenCode, isUnlocked } from '../scans/scanned-code.ts';
import { sendNoEntry, sendOwnEntry } from './entry-page.ts';
import { codePath, type FinderServices } from './finder-services.ts';
import { scanOfForm, visitOfForm } from './form-token.ts';
import { type Asked, sendEntries, sendStory } from './memorial-pages.ts';
import { newVisit } from './new-visit.ts';
import { choosePageLocale } from './page-locale.ts';
import { codeIdOf, idIn } from './page-scope.ts';
import { sendUnsent } from './send-unsent.ts';
import { takeEntry } from './take-entry.ts';
import { typedOf, WRITTEN_FIELDS } from './typed-message.ts';

const OfOneCode = Type.Object({ id: Type.String() });
const OfOneEntry = Type.Object({ id: Type.String(), entry: Type.String() });
const place = { part: Type.Optional(Type.String()), cursor: Type.Optional(Type.String()) };
/** A language that is not one is as none. */
const Query = Type.Object({ lang: Type.Optional(Type.Unknown()), ...place });

const READ = { access: PUBLIC_ACCESS, audit: skipAudit('MEMORY_TAG'), rateLimitClass: 'page' } as const;

/** The pages beside that of a memory tag's code, which has no room for all of it, and the form of its guest book. */
export const memorialPages: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  for (const [path, send] of [
    ['story', sendStory],
    ['entries', sendEntries],
  ] as const) {
    app.get(
      `/:id/${path}`,
      { config: READ, schema: { hide: true, params: OfOneCode, querystring: Query } },
      async (request, reply) => {
        const shown = await openTag(request, undefined);
        return send(services, reply, { ...request.query, ...shown }, choosePageLocale(request));
      },
    );

    // What is behind a PIN: the token of the visit that it was given in must not be in an address.
    app.post(
      `/:id/${path}`,
      {
        config: READ,
        schema: {
          hide: true,
          params: OfOneCode,
          body: Type.Object({ visit: Type.Optional(Type.String()), ...place }),
        },
      },
      async (request, reply) => {
        const shown = await openTag(request, request.body.visit);
        return send(services, reply, { ...request.body, ...shown }, choosePageLocale(request));
      },
    );
  }

  app.post(
    '/:id/guest-book',
    {
      config: { ...READ, audit: auditAs('GUEST_BOOK_SIGNED') },
      schema: {
        hide: true,
        params: OfOneCode,
        body: Type.Object(WRITTEN_FIELDS),
      },
    },
    async (request, reply) => {
      const codeId = codeIdOf(request.params);
      const { visit: token = '', ...fields } = request.body;
      const locale = choosePageLocale(request);
      const visit = visitOfForm(fieldCipher, codeId, token);
      if (visit?.isScan)
        return takeEntry(services, getRequestContext(request), reply, { codeId, visit }, fields, locale);
      const sign = {
        complaint: t(locale, 'conversation.pageExpired'),
        typed: typedOf(fields),
        asksToConfirm: false,
      };
      const anew = { codeId, visit: null, show: () => newVisit(app, services, request, codeId) };
      return sendUnsent(services, reply, anew, locale, { status: 403, sign });
    },
  );

  app.get(
    '/:id/entries/:entry',
    { config: READ, schema: { hide: true, params: OfOneEntry, querystring: Query } },
    async (request, reply) => {
      const locale = choosePageLocale(request);
      const { entry: token } = request.params;
      return sendOwnEntry(services, reply, { codeId: codeIdOf(request.params), token }, locale).catch(
        (error: unknown) => gone(reply, error, locale),
      );
    },
  );

  app.post(
    '/:id/entries/:entry/withdraw',
    {
      config: { ...READ, audit: auditAs('GUEST_BOOK_ENTRY_WITHDRAWN') },
      schema: { hide: true, params: OfOneEntry },
    },
    async (request, reply) => {
      const locale = choosePageLocale(request);
      return withdrawEntry(services, getRequestContext(request), request.params.entry).then(
        () => sendNoEntry(reply, true, locale),
        (error: unknown) => gone(reply, error, locale),
      );
    },
  );

  function gone(reply: FastifyReply, error: unknown, locale: Locale): FastifyReply {
    if (!(error instanceof ServiceError) || error.code !== 'NOT_FOUND') throw error;
    return sendNoEntry(reply, false, locale);
  }

  /** The memory tag that a code shows in a visit. Throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED. */
  async function openTag(
    request: FastifyRequest,
    visit: string | undefined,
  ): Promise<Pick<Asked, 'tag' | 'place'>> {
    const id = idIn(request.params);
    const code = id && (await findOpenCode(database.client, id));
    const tag = code && code.kind === 'MEMORY_TAG' ? await findTagOfCode(database.client, code) : null;
    if (!code || !tag) throw new ServiceError('NOT_FOUND');
    const address = codePath(services, code.id);
    if (code.pinHash === null) return { tag, place: { address, visit: null } };
    const scanId = scanOfForm(fieldCipher, code.id, visit);
    const scan = scanId && (await findScan(database.client, scanId));
    if (!scan || !visit || !isUnlocked(scan, code)) throw new ServiceError('NOT_FOUND');
    return { tag, place: { address, visit } };
  }
};
