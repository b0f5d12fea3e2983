import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { t } from '../../shared/i18n/translate.ts';
import { hasValidOwnerPreviewSignature } from '../codes/index.ts';
import { type FinderServices, getQrCodePagePath } from './finder-services.ts';
import { verifyScanFormToken, verifyVisitFormToken } from './form-token.ts';
import { MESSAGE_FORM_FIELDS, parseMessageFormFields } from './message-fields.ts';
import { getQrCodeIdParam } from './page-scope.ts';
import { CONVERSATION_SCRIPT, COPY_SCRIPT, createGeolocationFormScript } from './page-scripts.ts';
import { sendRejectedFormPage } from './send-rejected-form.ts';
import { sendVisitPage, sendVisitPageOrRedirect } from './send-visit.ts';
import { submitFinderLocation } from './submit-location.ts';
import { submitFirstMessage } from './submit-message.ts';
import { submitPin } from './submit-pin.ts';
import { type PageCache, sendPageAboveLimit, sendUnrecordedPage } from './unrecorded-page.ts';
import { consumeUnrecordedPageLimit, getVisitWithoutScan, recordPageVisit, startFormVisit } from './visit.ts';

// No pattern: an invalid id gets the page for unknown codes.
const CodeParams = Type.Object({ id: Type.String() });

const POSITION_FIELDS = {
  latitude: Type.Optional(Type.String()),
  longitude: Type.Optional(Type.String()),
  accuracy: Type.Optional(Type.String()),
};

const ROUTE_CONFIG = {
  access: PUBLIC_ACCESS,
  audit: auditAs('MEDICAL_DATA_SCANNED'),
  rateLimitClass: 'page',
} as const;

export const finderPageRoutes: FastifyPluginAsyncTypebox<FinderServices & { pageCache: PageCache }> = async (
  app,
  services,
) => {
  const { fieldCipher } = services;
  const startNewVisit = (request: FastifyRequest, codeId: string) =>
    startFormVisit(app, services, request, codeId);

  app.get(
    '/:id',
    { config: ROUTE_CONFIG, schema: { hide: true, params: CodeParams } },
    async (request, reply) => {
      const id = getQrCodeIdParam(request.params);
      // HEAD shows nothing, so no scan is recorded.
      if (request.method === 'HEAD') return sendUnrecordedPage(services, request, reply, id);
      if (hasValidOwnerPreviewSignature(fieldCipher, id, request.query)) {
        // A preview records no scan, so it counts against the limit of unrecorded pages.
        await consumeUnrecordedPageLimit(app, request, id);
        const previewVisit = {
          ...(await getVisitWithoutScan(services, getRequestContext(request), id)),
          isOwnerPreview: true,
        };
        return sendVisitPageOrRedirect(services, reply, previewVisit, choosePageLocale(request));
      }
      if ((await app.consumeCodeRateLimit(request, id)) !== undefined)
        return sendPageAboveLimit(app, services, request, reply, id);
      const visit = await recordPageVisit(services, request, id);
      return sendVisitPageOrRedirect(services, reply, visit, choosePageLocale(request));
    },
  );

  app.post(
    '/:id/pin',
    {
      config: { ...ROUTE_CONFIG, audit: auditAs('SCAN_UNLOCKED') },
      schema: {
        hide: true,
        params: CodeParams,
        body: Type.Object({ visit: Type.Optional(Type.String()), pin: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => {
      const codeId = getQrCodeIdParam(request.params);
      const { visit: token, pin = '' } = request.body;
      const locale = choosePageLocale(request);
      const scanId = verifyScanFormToken(fieldCipher, codeId, token);
      if (scanId)
        return submitPin(services, getRequestContext(request), reply, { codeId, scanId, pin }, locale);
      const pinError = { status: 403, errorMessage: t(locale, 'finder.pinPageExpired') };
      return sendVisitPage(services, reply, await startNewVisit(request, codeId), locale, pinError);
    },
  );

  app.post(
    '/:id/message',
    {
      config: { ...ROUTE_CONFIG, audit: auditAs('CONVERSATION_OPENED') },
      schema: {
        hide: true,
        params: CodeParams,
        body: Type.Object({
          ...MESSAGE_FORM_FIELDS,
          preset: Type.Optional(Type.String()),
          email: Type.Optional(Type.String()),
          located: Type.Optional(Type.String()),
          ...POSITION_FIELDS,
        }),
      },
    },
    async (request, reply) => {
      const codeId = getQrCodeIdParam(request.params);
      const { visit: token = '', ...fields } = request.body;
      const locale = choosePageLocale(request);
      const formVisit = verifyVisitFormToken(fieldCipher, codeId, token);
      if (formVisit) {
        const submission = { codeId, visit: formVisit };
        return submitFirstMessage(services, getRequestContext(request), reply, submission, fields, locale);
      }
      const messageForm = {
        errorMessage: t(locale, 'conversation.pageExpired'),
        draft: parseMessageFormFields(fields),
        needsConfirmation: false,
      };
      const newVisitForm = { codeId, visit: null, getVisit: () => startNewVisit(request, codeId) };
      return sendRejectedFormPage(services, reply, newVisitForm, locale, { status: 403, messageForm });
    },
  );

  app.post(
    '/:id/location',
    {
      config: { ...ROUTE_CONFIG, audit: auditAs('SCAN_LOCATED') },
      schema: {
        hide: true,
        params: CodeParams,
        body: Type.Object({
          visit: Type.Optional(Type.String()),
          place: Type.Optional(Type.String()),
          ...POSITION_FIELDS,
          confirmed: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const codeId = getQrCodeIdParam(request.params);
      const { visit: token = '', ...fields } = request.body;
      const locale = choosePageLocale(request);
      const formVisit = verifyVisitFormToken(fieldCipher, codeId, token);
      if (formVisit?.isScan) {
        const submission = { codeId, visit: formVisit };
        return submitFinderLocation(services, getRequestContext(request), reply, submission, fields, locale);
      }
      const locationForm = {
        errorMessage: t(locale, 'conversation.pageExpired'),
        place: fields.place ?? '',
        needsConfirmation: false,
      };
      const newVisitForm = { codeId, visit: null, getVisit: () => startNewVisit(request, codeId) };
      return sendRejectedFormPage(services, reply, newVisitForm, locale, { status: 403, locationForm });
    },
  );

  // Somebody bookmarks the answer to a form.
  for (const form of ['pin', 'message', 'location', 'guest-book'])
    app.get(
      `/:id/${form}`,
      {
        config: { access: PUBLIC_ACCESS, audit: skipAudit('SCAN') },
        schema: { hide: true, params: CodeParams },
      },
      async (request, reply) =>
        reply.redirect(
          `${getQrCodePagePath(services, getQrCodeIdParam(request.params))}?lang=${choosePageLocale(request).tag}`,
        ),
    );

  const scriptOptions = {
    config: { access: PUBLIC_ACCESS, audit: skipAudit('SCAN'), rateLimitClass: 'static' },
    schema: { hide: true },
  } as const;
  const sendScript = (reply: FastifyReply, script: string) =>
    reply
      .header('Cache-Control', 'public, max-age=86400')
      .type('text/javascript; charset=utf-8')
      .send(script);
  app.get('/position.js', scriptOptions, (request, reply) =>
    sendScript(reply, createGeolocationFormScript(choosePageLocale(request))),
  );
  app.get('/copy.js', scriptOptions, (_request, reply) => sendScript(reply, COPY_SCRIPT));
  app.get('/conversation.js', scriptOptions, (_request, reply) => sendScript(reply, CONVERSATION_SCRIPT));
};
