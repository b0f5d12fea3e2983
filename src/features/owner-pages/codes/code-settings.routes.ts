import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, skipAudit } from '../../../platform/route-access.ts';
import { html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  getOwnQrCode,
  QR_CODE_NOTIFY_ON_VALUES,
  type QrCodeRow,
  readFolders,
  updateOwnQrCode,
} from '../../codes/index.ts';
import {
  type Field,
  type FormErrors,
  renderErrorSummary,
  renderField,
  renderForm,
  renderNote,
} from '../components.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { CodeParams, ONE_CODE_ACCESS, ONE_CODE_FORM_ACCESS } from './code-actions.ts';
import { getCodePath, getCodeTabTitle, renderCodeTabs } from './code-parts.ts';
import { createFolderField, type Folder } from './folder-parts.ts';
import {
  type CodeSettings,
  CodeSettingsForm,
  parseCodeSettings,
  toCodeSettings,
} from './parse-code-settings.ts';
import { NOTIFY_LABELS } from './selected-change-page.ts';

type CodeRequest = FastifyRequest<{ Params: Static<typeof CodeParams> }>;

interface Refused {
  status: number;
  errors?: FormErrors;
  refusal?: string;
  settings: CodeSettings;
}

/** What a code does besides its content: number, last day, notifications, messages, own data. */
export const codeSettingsPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '/:accountId/codes/:id/settings',
    {
      config: { access: ONE_CODE_FORM_ACCESS, audit: skipAudit('QRCODE'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: CodeParams,
        querystring: Type.Object({ done: Type.Optional(Type.String()) }),
      },
    },
    async (request, reply) => sendSettingsPage(request, reply),
  );

  app.post(
    '/:accountId/codes/:id/settings',
    {
      config: { access: ONE_CODE_ACCESS, audit: auditAs('QRCODE_UPDATED') },
      schema: { hide: true, params: CodeParams, body: CodeSettingsForm },
    },
    async (request, reply) => {
      const { timeZone } = requireAuthenticatedUser(request);
      const locale = chooseOwnerPageLocale(request);
      const row = await getOwnQrCode(database.client, request.params);
      const { settings, change, errors } = parseCodeSettings(request.body, row, timeZone, new Date());
      if (errors.length > 0) return sendSettingsPage(request, reply, { status: 400, errors, settings });
      try {
        const ifMatch = formatVersionEtag(Number(request.body.version ?? row.version));
        await updateOwnQrCode(services, getRequestContext(request), row, change, ifMatch);
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, locale, {
          EXTERNAL_ID_TAKEN: t(locale, 'app.codeSettings.taken'),
          PRECONDITION_FAILED: t(locale, 'app.content.changed'),
          PLAN_LIMIT_REACHED: t(locale, 'app.content.limit'),
          VALIDATION_FAILED: t(locale, 'app.codeSettings.tooMuch'),
        });
        return sendSettingsPage(request, reply, { status, refusal: text, settings });
      }
      return reply.redirect(`${getCodePath(services, request.params)}/settings?done=saved`, 303);
    },
  );

  async function sendSettingsPage(
    request: CodeRequest,
    reply: FastifyReply,
    refused?: Refused,
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const { timeZone } = requireAuthenticatedUser(request);
    const row = await getOwnQrCode(database.client, request.params);
    const folders = await readFolders(services, request.params.accountId, requireAccount(request).folderIds);
    const path = getCodePath(services, request.params);
    const isSaved = !refused && Reflect.get(Object(request.query), 'done') === 'saved';
    const { status = 200, errors = [], refusal, settings = toCodeSettings(row, timeZone) } = refused ?? {};
    return sendOwnerPage(services, request, reply, {
      title: row.title,
      tabTitle: getCodeTabTitle(row, locale),
      entry: 'codes',
      status,
      body: html`${renderCodeTabs(path, 'settings', { canEdit: true, canRead: true, locale })}${
        refusal ? renderNote(refusal, 'wrong') : renderErrorSummary(errors, locale)
      }${isSaved && renderNote(t(locale, 'app.content.done.saved'))}<div class="narrow">${renderForm({
        action: `${path}/settings`,
        token: getPermittedFormToken(services, request, reply),
        hidden: { version: String(row.version) },
        submit: t(locale, 'app.content.save'),
        fields: html`${listFields(row, settings, folders, locale).map((field) => renderField(field, errors, locale))}`,
      })}</div>`,
    });
  }
};

function listFields(
  row: QrCodeRow,
  settings: CodeSettings,
  folders: readonly Folder[],
  locale: Locale,
): Field[] {
  const yesOrNo = [
    { value: 'yes', label: t(locale, 'finder.yes') },
    { value: 'no', label: t(locale, 'finder.no') },
  ];
  return [
    {
      name: 'externalId',
      label: t(locale, 'app.codes.ownNumber'),
      hint: t(locale, 'app.codeSettings.numberHint'),
      value: settings.externalId,
      maxLength: 100,
      autocomplete: 'off',
    },
    ...(folders.length > 0 ? [createFolderField(folders, settings.folder, locale)] : []),
    {
      name: 'notifyOn',
      label: t(locale, 'app.codes.change.notifyOn'),
      value: settings.notifyOn,
      options: QR_CODE_NOTIFY_ON_VALUES.map((value) => ({ value, label: t(locale, NOTIFY_LABELS[value]) })),
    },
    {
      name: 'contactable',
      label: t(locale, 'app.codeSettings.contactable'),
      value: settings.contactable,
      options: yesOrNo,
    },
    ...(row.kind === 'URL'
      ? [
          {
            name: 'showsPage',
            label: t(locale, 'app.codeSettings.showsPage'),
            value: settings.showsPage,
            options: yesOrNo,
          },
        ]
      : []),
    {
      name: 'lastDay',
      label: t(locale, 'app.codes.change.lastDay'),
      hint: t(locale, 'app.codeSettings.lastDayHint'),
      value: settings.lastDay,
      type: 'date',
    },
    {
      name: 'metadata',
      label: t(locale, 'app.history.field.metadata'),
      hint: t(locale, 'app.codeSettings.metadataHint'),
      value: settings.metadata,
      isMultiline: true,
      rows: 5,
    },
  ];
}
