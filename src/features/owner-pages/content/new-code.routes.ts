import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsersWithProfile, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, Id } from '../../../shared/common.schemas.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { generateId, isId } from '../../../shared/ids.ts';
import {
  createQrCode,
  findNewQrCodeErrors,
  NewQrCode,
  QR_CODE_KINDS,
  resolveFieldVisibilities,
} from '../../codes/index.ts';
import { renderIcon, translateQrCodeKind } from '../../finder/index.ts';
import { renderErrorSummary, renderField, renderForm, renderNote } from '../components.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { groupFields } from './field-groups.rules.ts';
import {
  type FieldSchema,
  type FormValues,
  parseFormValues,
  toFormErrors,
  toFormValues,
} from './form-fields.rules.ts';
import { MAIN_KIND_TILES, OTHER_KIND_TILES } from './kind-tiles.ts';
import { isFilled, renderContentField } from './render-fields.ts';

type Kind = (typeof QR_CODE_KINDS)[number];

interface NewCodeForm {
  values?: FormValues;
  errors?: readonly FieldError[];
  status?: number;
  refusal?: string;
}

const AccountParams = createIdParamsSchema('accountId');
const KindParams = Type.Object({ accountId: Id, kind: Type.String() });

const findBodyErrors = createBodyValidator(NewQrCode);

/** From the choice of a kind to a code. */
export const newCodePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const access = allowByCookie(allowUsersWithProfile('qrcodes:own'));
  const pageConfig = { access, audit: skipAudit('QRCODE'), rateLimitClass: 'page' } as const;

  app.get(
    '/:accountId/codes/new',
    { config: pageConfig, schema: { hide: true, params: AccountParams } },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const path = getNewCodePath(request.params.accountId);
      const renderTiles = (tiles: typeof MAIN_KIND_TILES) =>
        html`<ul class="tiles">${tiles.map(
          ({ kind, icon, label }) =>
            html`<li><a href="${path}/${toKindPath(kind)}">${renderIcon(icon)}${label ? t(locale, label) : translateQrCodeKind(locale, kind)}</a></li>\n`,
        )}</ul>`;
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.newCode.title'),
        body: html`${renderTiles(MAIN_KIND_TILES)}
<details><summary>${t(locale, 'app.newCode.other')}</summary>${renderTiles(OTHER_KIND_TILES)}</details>`,
      });
    },
  );

  app.get(
    '/:accountId/codes/new/:kind',
    { config: pageConfig, schema: { hide: true, params: KindParams } },
    async (request, reply) => sendForm(request, reply, getKind(request.params.kind), {}),
  );

  app.post(
    '/:accountId/codes/new/:kind',
    {
      config: { access, audit: auditAs('QRCODE_CREATED') },
      schema: { hide: true, params: KindParams, body: Type.Record(Type.String(), Type.String()) },
    },
    async (request, reply) => {
      const { accountId, kind: kindPath } = request.params;
      const { body: values } = request;
      const locale = chooseOwnerPageLocale(request);
      const kind = getKind(kindPath);
      const { timeZone } = requireAuthenticatedUser(request);
      const data = parseFormValues(kind.schema, values, timeZone);
      const input = {
        kind: kind.kind,
        title: values.title?.trim() || createTitle(kind, data, locale),
        data,
        ...(values.audience === 'EVERYONE' && kind.emergencyFields && EMERGENCY_PRESET),
      };
      const form = { ...toFormValues(kind.schema, data, timeZone), ...pickOwnFields(values) };
      const errors = [
        ...toFormErrors(kind.schema, [
          ...findBodyErrors({ ...input, data: {} }),
          ...findNewQrCodeErrors(services, input),
        ]),
        ...(kind.emergencyFields && !AUDIENCES.includes(values.audience ?? '')
          ? [{ field: 'audience', code: 'REQUIRED', message: 'Is required.' }]
          : []),
      ];
      if (errors.length > 0) return sendForm(request, reply, kind, { values: form, errors, status: 400 });
      try {
        // Sent twice it is created once.
        const idempotencyKey = isId(values.key) ? values.key : undefined;
        const context = { ...getRequestContext(request), idempotencyKey };
        const { body: code } = await createQrCode(services, context, accountId, input);
        return reply.redirect(
          `${getAccountPath(services, accountId)}/codes/${code.id}/content?done=created`,
          303,
        );
      } catch (error) {
        const { status, text } = translateRefusal(error, reply, locale, {
          PLAN_LIMIT_REACHED: t(locale, 'app.newCode.limit'),
          IDEMPOTENCY_KEY_REUSED: t(locale, 'app.newCode.sentBefore'),
        });
        return sendForm(request, reply, kind, { values: form, status, refusal: text });
      }
    },
  );

  function getNewCodePath(accountId: string): string {
    return `${getAccountPath(services, accountId)}/codes/new`;
  }

  function sendForm(
    request: FastifyRequest<{ Params: { accountId: string } }>,
    reply: FastifyReply,
    kind: Kind,
    { values = {}, errors = [], status = 200, refusal }: NewCodeForm,
  ): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    const { timeZone } = requireAuthenticatedUser(request);
    const { required = [], properties = {} }: FieldSchema = kind.schema;
    const context = { kind: kind.kind, locale, values, errors, timeZone };
    const [main, ...others] = groupFields(kind.kind, Object.keys(properties)).map((group) => group.fields);
    const visibility = resolveFieldVisibilities(kind, {}, false);
    const renderFields = (fields: readonly string[] = []) =>
      fields.flatMap((key) => {
        const schema = properties[key];
        if (!schema) return [];
        // Of a medical card the answer below decides.
        const isHidden = visibility[key] === 'PRIVATE' && !kind.emergencyFields;
        const note = isHidden && html`<p class="hint">${t(locale, 'app.newCode.onlyYou')}</p>\n`;
        return [html`${renderContentField(context, key, schema, required.includes(key))}${note}`];
      });
    const details = others.flat();
    const isOpen = details.some((key) => isFilled(context, `data.${key}`));
    const path = getNewCodePath(request.params.accountId);
    const form = renderForm({
      action: `${path}/${toKindPath(kind.kind)}`,
      token: getFormToken(services, request, reply),
      submit: t(locale, 'app.newCode.button'),
      hidden: { key: generateId() },
      fields: [
        ...renderFields(main),
        ...(kind.emergencyFields ? [renderAudience()] : []),
        ...(details.length > 0
          ? [
              html`<details${isOpen && html` open`}><summary>${t(locale, 'app.content.group.more')}</summary>${renderFields(details)}</details>`,
            ]
          : []),
        renderTitle(),
      ],
    });
    return sendOwnerPage(services, request, reply, {
      title: t(locale, 'app.newCode.heading', { kind: translateQrCodeKind(locale, kind.kind) }),
      status,
      isNarrow: true,
      body: html`${refusal && renderNote(refusal, 'wrong')}${renderErrorSummary(errors, locale)}<p>${t(locale, 'app.newCode.text')}</p>
${form}<p><a href="${path}">${t(locale, 'app.newCode.back')}</a></p>`,
    });

    function renderTitle() {
      const isSecret = kind.sensitive === 'ALWAYS';
      const hint = html`${t(locale, 'app.newCode.nameHint')}${isSecret && html` ${t(locale, 'app.content.titleNotSecret')}`}`;
      const field = { name: 'title', label: t(locale, 'app.newCode.name'), value: values.title, hint };
      return renderField({ ...field, maxLength: 200, autocomplete: 'off' }, errors, locale);
    }

    function renderAudience() {
      const options = [
        { value: '', label: t(locale, 'app.newCode.emergencyChoose') },
        { value: 'EVERYONE', label: t(locale, 'app.newCode.emergencyEveryone') },
        { value: 'NOBODY', label: t(locale, 'app.newCode.emergencyNobody') },
      ];
      const field = { name: 'audience', label: t(locale, 'app.newCode.emergency'), value: values.audience };
      return renderField({ ...field, isRequired: true, options }, errors, locale);
    }
  }
};

const EMERGENCY_PRESET = { visibilityPreset: 'EMERGENCY' } as const;

const AUDIENCES = ['EVERYONE', 'NOBODY'];

function pickOwnFields({ title, audience }: FormValues): FormValues {
  return { ...(title !== undefined && { title }), ...(audience !== undefined && { audience }) };
}

/** Titles are not encrypted: the name of a person is in none that nobody wrote. */
function createTitle({ kind, sensitive }: Kind, { name }: Record<string, unknown>, locale: Locale): string {
  return sensitive !== 'ALWAYS' && typeof name === 'string' ? name : translateQrCodeKind(locale, kind);
}

function toKindPath(kind: string): string {
  return kind.toLowerCase().replaceAll('_', '-');
}

/** @throws NOT_FOUND */
function getKind(path: string): Kind {
  const kind = QR_CODE_KINDS.find((one) => toKindPath(one.kind) === path);
  if (!kind) throw new ServiceError('NOT_FOUND');
  return kind;
}
