import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { FORM_RESULT_HTML_ATTRIBUTES, sendLocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { translateWaitingTime } from '../../shared/i18n/wait.ts';
import { findPublicQrCode } from '../codes/index.ts';
import { MAX_REPORT_NOTE_CHARACTERS, MODERATION_CATEGORIES, reportQrCode } from '../moderation/index.ts';
import { assertQrCodeNotWithheld } from '../scans/index.ts';
import { type FinderServices, getQrCodePagePath } from './finder-services.ts';
import { createReportFormToken, getReportFormAgeSeconds } from './form-token.ts';
import { MIN_FILL_SECONDS } from './message-fields.ts';
import { getQrCodeIdParam } from './page-scope.ts';
import { type CodeReportForm, renderCodeReportForm } from './sections/report-form.ts';

// No pattern: an invalid id gets the page for unknown codes.
const CodeParams = Type.Object({ id: Type.String() });

/** Form to report a code, also for codes that redirect or are paused and show no page of their own. */
export const codeReportPageRoutes: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '/:id/report',
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams },
    },
    async (request, reply) => {
      const codeId = getQrCodeIdParam(request.params);
      await assertReportable(codeId);
      return sendForm(reply, codeId, choosePageLocale(request), 200, {});
    },
  );

  app.post(
    '/:id/report',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('QRCODE_REPORTED'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: CodeParams,
        body: Type.Object({
          visit: Type.Optional(Type.String()),
          category: Type.Optional(Type.String()),
          note: Type.Optional(Type.String()),
          /** Honeypot. */
          nothing: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const codeId = getQrCodeIdParam(request.params);
      const locale = choosePageLocale(request);
      const { visit: token, category: input = 'OTHER', nothing } = request.body;
      const category = MODERATION_CATEGORIES.find((one) => one === input) ?? 'OTHER';
      const note = [...(request.body.note ?? '')].slice(0, MAX_REPORT_NOTE_CHARACTERS).join('');
      const draft = { category, note };
      await assertReportable(codeId);
      const ageSeconds = getReportFormAgeSeconds(fieldCipher, codeId, token);
      if (token === undefined || ageSeconds === null)
        return sendForm(reply, codeId, locale, 403, {
          ...draft,
          errorMessage: t(locale, 'conversation.pageExpired'),
        });
      // The browser may have filled the field in, so the user can correct it.
      if (nothing) {
        const field = t(locale, 'conversation.honeypotLabel');
        const errorMessage = t(locale, 'conversation.honeypotFilled', { field });
        return sendForm(reply, codeId, locale, 400, { ...draft, token, errorMessage, showsHoneypot: true });
      }
      if (ageSeconds < MIN_FILL_SECONDS)
        return sendForm(reply, codeId, locale, 403, {
          ...draft,
          token,
          errorMessage: t(locale, 'conversation.tooFast'),
        });
      try {
        await reportQrCode(services, getRequestContext(request), codeId, draft);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'RATE_LIMITED') throw error;
        const seconds = error.retryAfterSeconds ?? 60;
        reply.header('Retry-After', seconds);
        const errorMessage = `${t(locale, 'finder.limitedTitle')} ${translateWaitingTime(locale, seconds)}`;
        return sendForm(reply, codeId, locale, 429, { ...draft, token, errorMessage });
      }
      const title = t(locale, 'finder.reportTitle');
      const pageLink = `${getQrCodePagePath(services, codeId)}?lang=${locale.tag}`;
      return sendLocalizedHtmlPage(reply, {
        status: 200,
        locale,
        address: null,
        title,
        body: html`<div${FORM_RESULT_HTML_ATTRIBUTES}><h1>${title}</h1>\n<p>${t(locale, 'conversation.reported')}</p></div>
<p><a class="act plain" href="${pageLink}">${t(locale, 'memorial.backToPage')}</a></p>`,
      });
    },
  );

  /** @throws NOT_FOUND, CODE_UNAVAILABLE */
  async function assertReportable(codeId: string): Promise<void> {
    const code = await findPublicQrCode(database.client, codeId);
    if (!code) throw new ServiceError('NOT_FOUND');
    assertQrCodeNotWithheld(code);
  }

  function sendForm(
    reply: FastifyReply,
    codeId: string,
    locale: Locale,
    status: number,
    form: Partial<Omit<CodeReportForm, 'action'>>,
  ): FastifyReply {
    const address = `${getQrCodePagePath(services, codeId)}/report`;
    const body = renderCodeReportForm(
      {
        category: '',
        note: '',
        errorMessage: null,
        showsHoneypot: false,
        ...form,
        action: address,
        token: form.token ?? createReportFormToken(fieldCipher, codeId),
      },
      locale,
    );
    return sendLocalizedHtmlPage(reply, {
      status,
      locale,
      address,
      title: t(locale, 'finder.reportTitle'),
      body,
    });
  }
};
