import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { type Html, html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  changeOwnQrCodeStatus,
  getOwnQrCode,
  LOST_ITEM_REPORT,
  LostItemDetails,
  startLostReport,
} from '../../codes/index.ts';
import { PosterQuery, readOwnPoster, sendPoster } from '../../finder/index.ts';
import { type FormErrors, renderErrorSummary, renderField, renderForm } from '../components.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import {
  ActionBody,
  CodeParams,
  getPathAfter,
  ONE_CODE_ACCESS,
  ONE_CODE_FORM_ACCESS,
} from './code-actions.ts';
import { getCodePath } from './code-parts.ts';
import { listLostPresets } from './lost-presets.ts';
import { drawIfReadable, type UnreadablePrint } from './unreadable-print.ts';

const LostForm = Type.Object({
  ...ActionBody.properties,
  preset: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  reward: Type.Optional(Type.String()),
  lastSeen: Type.Optional(Type.String()),
});

type LostRequest = FastifyRequest<{ Params: Static<typeof CodeParams> }>;

const findErrors = createBodyValidator(LostItemDetails);

/** The form that marks a code as lost; sent as it opens, it does so. And the poster of what is lost. */
export const lostPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '/:accountId/codes/:id/lost',
    {
      config: { access: ONE_CODE_FORM_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams, querystring: ActionBody },
    },
    async (request, reply) => sendLostPage(request, reply, { to: request.query.to }),
  );

  app.post(
    '/:accountId/codes/:id/lost',
    {
      config: { access: ONE_CODE_ACCESS, audit: auditAs('QRCODE_REPORTED_LOST') },
      schema: { hide: true, params: CodeParams, body: LostForm },
    },
    async (request, reply) => {
      const { body } = request;
      const row = await getOwnQrCode(database.client, request.params);
      const presets = listLostPresets(chooseOwnerPageLocale(request), row);
      const own = toText(body.message);
      const preset = own === null ? presets.find(({ name }) => name === body.preset) : undefined;
      const details = {
        message: own ?? preset?.text ?? null,
        reward: toText(body.reward),
        lastSeen: toText(body.lastSeen),
      };
      const errors = findErrors(details);
      if (errors.length > 0) return sendLostPage(request, reply, { to: body.to, values: body, errors });
      await changeOwnQrCodeStatus(services, getRequestContext(request), request.params, (before) =>
        startLostReport(before, fieldCipher, { ...details, preset: preset?.name }),
      );
      return reply.redirect(getPathAfter(services, request.params, body.to, 'lost'), 303);
    },
  );

  app.get(
    '/:accountId/codes/:id/poster',
    {
      config: { access: ONE_CODE_ACCESS, audit: auditAs('MEDICAL_DATA_READ'), rateLimitClass: 'page' },
      schema: { hide: true, params: CodeParams, querystring: PosterQuery },
    },
    async (request, reply) => {
      const options = { ...request.query, language: chooseOwnerPageLocale(request).tag };
      const poster = await drawIfReadable(
        services.posters.draw(request.params.accountId, () =>
          readOwnPoster(services, getRequestContext(request), request.params, options),
        ),
      );
      if (poster === null) {
        const done: UnreadablePrint = 'unreadable-poster';
        return reply.redirect(`${getCodePath(services, request.params)}/print?done=${done}`, 303);
      }
      return sendPoster(reply, poster, 'attachment');
    },
  );

  async function sendLostPage(
    request: LostRequest,
    reply: FastifyReply,
    {
      to,
      values: input,
      errors = [],
    }: { to?: string | undefined; values?: Static<typeof LostForm>; errors?: FormErrors },
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const row = await getOwnQrCode(database.client, request.params);
    const isLost = row.status === 'LOST';
    const report = LOST_ITEM_REPORT.decrypt(fieldCipher, row);
    const presets = listLostPresets(locale, row);
    const stored = presets.find(({ name, text }) => name === report?.preset || text === report?.message);
    const values = input ?? {
      preset: report ? (stored?.name ?? '') : presets[0]?.name,
      message: stored ? '' : (report?.message ?? ''),
      reward: report?.reward ?? '',
      lastSeen: report?.lastSeen ?? '',
    };
    const field = (one: Parameters<typeof renderField>[0]) => renderField(one, errors, locale);
    return sendOwnerPage(services, request, reply, {
      title: t(locale, isLost ? 'app.code.editLost' : 'app.code.lostButton'),
      isNarrow: true,
      entry: 'codes',
      status: errors.length > 0 ? 400 : 200,
      body: html`${renderErrorSummary(errors, locale)}<p><a href="${getCodePath(services, request.params)}"><bdi>${row.title}</bdi></a></p>
<p>${t(locale, 'app.lost.text')}</p>
${renderForm({
  action: `${getCodePath(services, request.params)}/lost`,
  token: getPermittedFormToken(services, request, reply),
  submit: t(locale, isLost ? 'app.lost.saveButton' : 'app.lost.button'),
  hidden: { to },
  fields: [
    renderPresets(),
    renderOwnMessage(),
    field({
      name: 'reward',
      label: t(locale, 'app.lost.reward'),
      value: values.reward,
      maxLength: 200,
    }),
    field({
      name: 'lastSeen',
      label: t(locale, 'app.lost.lastSeen'),
      value: values.lastSeen,
      maxLength: 200,
    }),
  ],
})}`,
    });

    function renderOwnMessage(): Html {
      const isOpen = Boolean(values.message) || errors.some(({ field: name }) => name === 'message');
      return html`<details${isOpen && html` open`}><summary>${t(locale, 'app.lost.ownMessage')}</summary>${field(
        {
          name: 'message',
          label: t(locale, 'app.lost.message'),
          value: values.message,
          isMultiline: true,
          maxLength: 1000,
        },
      )}</details>`;
    }

    function renderPresets(): Html {
      const choices = [...presets, { name: '', text: t(locale, 'app.lost.noMessage') }];
      return html`<fieldset><legend>${t(locale, 'app.lost.message')}</legend>${choices.map(
        ({ name, text }) =>
          html`<label><input type="radio" name="preset" value="${name}"${name === values.preset && html` checked`}>${text}</label>`,
      )}</fieldset>\n`;
    }
  }
};

/** Null for a field that was left empty. */
function toText(value: string | undefined): string | null {
  return value?.trim().replaceAll('\r\n', '\n') || null;
}
