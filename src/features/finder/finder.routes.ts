import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { recordAction, recordFailure } from '../../platform/audit.ts';
import { callerOf } from '../../platform/caller.ts';
import { toServiceError } from '../../platform/http/problem.ts';
import { audited, PUBLIC } from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import { isId } from '../../shared/ids.ts';
import { takeTestLink, testTokenHash } from '../qrcodes/test-link.repository.ts';
import { findOpenCode, showCode } from '../scans/scanned-code.ts';
import { givePin } from './answer-pin-form.ts';
import { sendErrorPage } from './error-page.ts';
import { codePath, type FinderServices, finderPath } from './finder-services.ts';
import { parseForm } from './form-body.ts';
import { scanOfForm } from './form-token.ts';
import { type CookieScope, ownPhoneCookie, ownPhoneOf } from './owner-phone-cookie.ts';
import { sendMessage } from './page-frame.ts';
import { pageLanguage } from './page-language.ts';
import { recordVisit, showWithoutScan, type Visit } from './record-visit.ts';
import { sendVisit, sendVisitPage } from './send-visit.ts';

const MAX_FORM_BYTES = 8_192;

// An id that is none must get the page of unknown codes: no pattern here.
const OfOneCode = Type.Object({ id: Type.String() });

const PAGE = { access: PUBLIC, audit: audited('MEDICAL_DATA_SCANNED'), rateLimitClass: 'page' } as const;

/** The pages behind printed codes, for whoever scans them with a phone. */
export const finderRoutes: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  const { database, vault } = services;
  const scope: CookieScope = {
    path: finderPath(services),
    secure: services.publicBaseUrl.startsWith('https:'),
  };

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES },
    async (_request: FastifyRequest, body: Buffer) => parseForm(body),
  );

  app.setErrorHandler<Error>(async (error, request, reply) => {
    try {
      const isLimited = toServiceError(error).code === 'RATE_LIMITED';
      const id = idIn(request.params);
      // Over a limit what everybody may see is still shown.
      if (isLimited && request.method === 'GET' && id) {
        return sendVisit(
          services,
          reply,
          await showWithoutScan(services, callerOf(request), id),
          pageLanguage(request),
        );
      }
    } catch (failure) {
      await recordFailure(database, request, failure);
      return sendErrorPage(failure, request, reply, addressOf(request));
    }
    return sendErrorPage(error, request, reply, addressOf(request));
  });

  app.get(
    '/:id',
    { exposeHeadRoute: true, config: PAGE, schema: { hide: true, params: OfOneCode } },
    async (request, reply) => {
      const id = codeIdOf(request.params);
      if (request.method === 'HEAD') {
        // Nothing is shown, so nothing is recorded.
        const code = await findOpenCode(database.client, id);
        return sendVisit(
          services,
          reply,
          { code, scanId: null, ...showCode(vault, code, false) },
          pageLanguage(request),
        );
      }
      return sendVisit(services, reply, await visit(request, id), pageLanguage(request));
    },
  );

  app.post(
    '/:id/pin',
    {
      config: { ...PAGE, audit: audited('SCAN_UNLOCKED') },
      schema: {
        hide: true,
        params: OfOneCode,
        body: Type.Object({ visit: Type.Optional(Type.String()), pin: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const codeId = codeIdOf(request.params);
      const { visit: token, pin = '' } = request.body;
      const language = pageLanguage(request);
      const scanId = scanOfForm(vault, codeId, token);
      if (scanId) return givePin(services, callerOf(request), reply, { codeId, scanId, pin }, language);
      const stale = { status: 403, complaint: language.finder.pinStale };
      return sendVisitPage(services, reply, await visit(request, codeId), language, stale);
    },
  );

  app.get(
    '/test/:token',
    {
      exposeHeadRoute: true,
      config: { ...PAGE, audit: audited('QRCODE_TEST_LINK_USED') },
      schema: { hide: true, params: Type.Object({ token: Type.String() }) },
    },
    async (request, reply) => {
      // A look at the link must not use it up.
      if (request.method === 'HEAD') return reply.code(204).send();
      const link = await database.transaction(async (tx) => {
        const taken = await takeTestLink(tx, testTokenHash(request.params.token));
        if (taken) await recordAction(tx, callerOf(request), { resourceId: taken.qrCodeId });
        return taken;
      });
      if (!link) {
        const language = pageLanguage(request);
        return sendMessage(reply, {
          status: 404,
          language,
          address: null,
          title: language.finder.testLinkTitle,
          text: language.finder.testLinkText,
        });
      }
      return reply
        .header('Set-Cookie', ownPhoneCookie(vault, link.ownerId, scope))
        .header('Cache-Control', 'no-store')
        .redirect(`${scope.path}/${link.qrCodeId}`, 303);
    },
  );

  /** The address of the code's own page, which any of its pages can be read at in another language. */
  function addressOf({ params }: FastifyRequest): string | null {
    const id = idIn(params);
    return id && codePath(services, id);
  }

  /** A visit, recorded unless this client opened the code too often. */
  function visit(request: FastifyRequest, codeId: string): Promise<Visit> {
    const isOver = app.overCodeLimit(request, codeId) !== undefined;
    if (isOver) return showWithoutScan(services, callerOf(request), codeId);
    return recordVisit(services, callerOf(request), codeId, ownPhoneOf(vault, request.headers.cookie, scope));
  }
};

/** The id among the parameters of any of the pages; null where there is none. */
function idIn(params: unknown): string | null {
  const id: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'id') : null;
  return isId(id) ? id : null;
}

/** The code in the path. Throws NOT_FOUND for what cannot be one. */
function codeIdOf(params: unknown): string {
  const id = idIn(params);
  if (!id) throw new ServiceError('NOT_FOUND');
  return id;
}
