import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { t } from '../../shared/i18n/translate.ts';
import { findOpenCode, showCode } from '../scans/scanned-code.ts';
import { givePin } from './answer-pin-form.ts';
import type { FinderServices } from './finder-services.ts';
import { scanOfForm, visitOfForm } from './form-token.ts';
import { newVisit } from './new-visit.ts';
import { isOwnerLook } from './owner-look.ts';
import { choosePageLocale } from './page-locale.ts';
import { codeIdOf } from './page-scope.ts';
import { POSITION_SCRIPT } from './position-script.ts';
import { showWithoutScan } from './record-visit.ts';
import { sendUnsent } from './send-unsent.ts';
import { sendVisit, sendVisitPage } from './send-visit.ts';
import { takeMessage } from './take-message.ts';
import { takePlace } from './take-place.ts';
import { typedOf, WRITTEN_FIELDS } from './typed-message.ts';

// An id that is none must get the page of unknown codes: no pattern here.
const OfOneCode = Type.Object({ id: Type.String() });

const PAGE = {
  access: PUBLIC_ACCESS,
  audit: auditAs('MEDICAL_DATA_SCANNED'),
  rateLimitClass: 'page',
} as const;

/** The pages behind printed codes, for whoever scans them with a phone. */
export const finderRoutes: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  const { database, fieldCipher } = services;
  const visit = (request: FastifyRequest, codeId: string) => newVisit(app, services, request, codeId);

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
          { code, scanId: null, ...showCode(fieldCipher, code, false) },
          choosePageLocale(request),
        );
      }
      if (isOwnerLook(fieldCipher, id, request.query)) {
        const look = {
          ...(await showWithoutScan(services, getRequestContext(request), id)),
          isOwnerLook: true,
        };
        return sendVisit(services, reply, look, choosePageLocale(request));
      }
      return sendVisit(services, reply, await visit(request, id), choosePageLocale(request));
    },
  );

  app.post(
    '/:id/pin',
    {
      config: { ...PAGE, audit: auditAs('SCAN_UNLOCKED') },
      schema: {
        hide: true,
        params: OfOneCode,
        body: Type.Object({ visit: Type.Optional(Type.String()), pin: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const codeId = codeIdOf(request.params);
      const { visit: token, pin = '' } = request.body;
      const locale = choosePageLocale(request);
      const scanId = scanOfForm(fieldCipher, codeId, token);
      if (scanId)
        return givePin(services, getRequestContext(request), reply, { codeId, scanId, pin }, locale);
      const stale = { status: 403, complaint: t(locale, 'finder.pinPageExpired') };
      return sendVisitPage(services, reply, await visit(request, codeId), locale, stale);
    },
  );

  app.post(
    '/:id/message',
    {
      config: { ...PAGE, audit: auditAs('CONVERSATION_OPENED') },
      schema: {
        hide: true,
        params: OfOneCode,
        body: Type.Object({
          ...WRITTEN_FIELDS,
          preset: Type.Optional(Type.String()),
          email: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const codeId = codeIdOf(request.params);
      const { visit: token = '', ...fields } = request.body;
      const locale = choosePageLocale(request);
      const formVisit = visitOfForm(fieldCipher, codeId, token);
      if (formVisit) {
        const opened = { codeId, visit: formVisit };
        return takeMessage(services, getRequestContext(request), reply, opened, fields, locale);
      }
      const write = {
        complaint: t(locale, 'conversation.pageExpired'),
        typed: typedOf(fields),
        asksToConfirm: false,
      };
      const anew = { codeId, visit: null, show: () => visit(request, codeId) };
      return sendUnsent(services, reply, anew, locale, { status: 403, write });
    },
  );

  app.post(
    '/:id/location',
    {
      config: { ...PAGE, audit: auditAs('SCAN_LOCATED') },
      schema: {
        hide: true,
        params: OfOneCode,
        body: Type.Object({
          visit: Type.Optional(Type.String()),
          place: Type.Optional(Type.String()),
          latitude: Type.Optional(Type.String()),
          longitude: Type.Optional(Type.String()),
          accuracy: Type.Optional(Type.String()),
          confirmed: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const codeId = codeIdOf(request.params);
      const { visit: token = '', ...fields } = request.body;
      const locale = choosePageLocale(request);
      const formVisit = visitOfForm(fieldCipher, codeId, token);
      if (formVisit?.isScan) {
        const opened = { codeId, visit: formVisit };
        return takePlace(services, getRequestContext(request), reply, opened, fields, locale);
      }
      const share = {
        ...{ complaint: t(locale, 'conversation.pageExpired'), place: fields.place ?? '' },
        asksToConfirm: false,
      };
      const anew = { codeId, visit: null, show: () => visit(request, codeId) };
      return sendUnsent(services, reply, anew, locale, { status: 403, share });
    },
  );

  app.get(
    '/position.js',
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('SCAN'), rateLimitClass: 'static' },
      schema: { hide: true },
    },
    (_request, reply) =>
      reply
        .header('Cache-Control', 'public, max-age=86400')
        .type('text/javascript; charset=utf-8')
        .send(POSITION_SCRIPT),
  );
};
