import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { getOwnQrCode } from '../../codes/index.ts';
import { AppealRequest, findLastOwnTakedown, submitAppeal, toTakedownView } from '../../moderation/index.ts';
import { type FormErrors, renderErrorSummary, renderNote } from '../components.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { CODE_ACCESS, CodeParams } from './code-actions.ts';
import { getCodePath, getCodeTabTitle } from './code-parts.ts';
import { renderTakedown } from './takedown-page.ts';

const AppealForm = Type.Object({ message: Type.Optional(Type.String()) });

type CodeRequest = FastifyRequest<{ Params: Static<typeof CodeParams> }>;

interface RejectedAppeal {
  message?: string | undefined;
  errors?: FormErrors;
  refusal?: string;
  status?: number;
}

const findErrors = createBodyValidator(AppealRequest);

/** Why a code was taken down, and the appeal of its owner. */
export const takedownPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '/:accountId/codes/:id/takedown',
    {
      config: { access: CODE_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams },
    },
    async (request, reply) => sendTakedownPage(request, reply, {}),
  );

  app.post(
    '/:accountId/codes/:id/takedown',
    {
      config: { access: CODE_ACCESS, audit: auditAs('QRCODE_APPEALED') },
      schema: { hide: true, params: CodeParams, body: AppealForm },
    },
    async (request, reply) => {
      const { message = '' } = request.body;
      const errors = findErrors(message.trim() === '' ? {} : { message });
      if (errors.length > 0) return sendTakedownPage(request, reply, { message, errors, status: 400 });
      try {
        await submitAppeal(services, getRequestContext(request), request.params, message);
      } catch (error) {
        const locale = chooseOwnerPageLocale(request);
        const { status, text } = translateRefusal(error, reply, locale, {
          APPEAL_ALREADY_OPEN: t(locale, 'app.takedown.open'),
          CODE_NOT_TAKEN_DOWN: t(locale, 'app.staff.appeals.reinstated'),
          RATE_LIMITED: t(locale, 'app.takedown.limited'),
        });
        return sendTakedownPage(request, reply, { message, status, refusal: text });
      }
      return reply.redirect(`${getCodePath(services, request.params)}/takedown`, 303);
    },
  );

  /** @throws NOT_FOUND for a code that was never taken down */
  async function sendTakedownPage(
    request: CodeRequest,
    reply: FastifyReply,
    { message, errors = [], refusal, status = 200 }: RejectedAppeal,
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const code = await getOwnQrCode(database.client, request.params);
    const row = await findLastOwnTakedown(database.client, code.accountId, code.id);
    if (!row) throw new ServiceError('NOT_FOUND');
    const path = getCodePath(services, request.params);
    const page = {
      takedown: toTakedownView(fieldCipher, row),
      action: `${path}/takedown`,
      token: getPermittedFormToken(services, request, reply),
      message,
      errors,
      timeZone: requireAuthenticatedUser(request).timeZone,
      locale,
    };
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.takedown.link'),
      tabTitle: getCodeTabTitle(code, locale),
      isNarrow: true,
      entry: 'codes',
      status,
      body: html`${refusal && renderNote(refusal, 'wrong')}${renderErrorSummary(errors, locale)}<p><a href="${path}"><bdi>${code.title}</bdi></a></p>
${renderTakedown(page)}`,
    });
  }
};
