import { createBodyValidator } from '../../../platform/http/validation.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  applyVisibilityPreset,
  findNewQrCodeErrors,
  NewQrCode,
  QR_CODE_KINDS,
  type QrCodeKindDefinition,
  resolveFieldVisibilities,
} from '../../codes/index.ts';
import { renderIcon, translateQrCodeKind } from '../../finder/index.ts';
import { renderErrorSummary, renderField, renderForm, renderNote } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { groupFields } from './field-groups.rules.ts';
import {
  type FieldSchema,
  type FormValues,
  parseFormValues,
  toFormErrors,
  toFormValues,
} from './form-fields.rules.ts';
import { MAIN_KIND_TILES, OTHER_KIND_TILES } from './kind-tiles.ts';
import { renderPreviewButton, renderPreviewSection } from './preview.ts';
import { isFilled, renderContentField } from './render-fields.ts';

const findBodyErrors = createBodyValidator(NewQrCode);

const EMERGENCY_PRESET = { visibilityPreset: 'EMERGENCY' } as const;

const AUDIENCES = ['EVERYONE', 'NOBODY'];

/** Get the kind of an address such as `memory-tag`. @throws NOT_FOUND */
export function getKindByPath(path: string): QrCodeKindDefinition {
  const kind = QR_CODE_KINDS.find((one) => toKindPath(one.kind) === path);
  if (!kind) throw new ServiceError('NOT_FOUND');
  return kind;
}

export function toKindPath(kind: string): string {
  return kind.toLowerCase().replaceAll('_', '-');
}

/** Render the kinds as links to the addresses of their forms. */
export function renderKindTiles(
  getAddress: (kindPath: string) => string,
  locale: Locale,
  memorialPath?: string,
): Html {
  const renderTiles = (tiles: typeof MAIN_KIND_TILES) =>
    html`<ul class="tiles">${tiles.map(
      ({ kind, icon, label }) =>
        html`<li><a href="${(kind === 'MEMORY_TAG' && memorialPath) || getAddress(toKindPath(kind))}">${renderIcon(icon)}${label ? t(locale, label) : translateQrCodeKind(locale, kind)}</a></li>\n`,
    )}</ul>`;
  return html`${renderTiles(MAIN_KIND_TILES)}
<details><summary>${t(locale, 'app.newCode.other')}</summary>${renderTiles(OTHER_KIND_TILES)}</details>`;
}

/** Convert the form to a code, its errors, and the values to show again. */
export function parseNewCodeForm(
  services: OwnerPageServices,
  kind: QrCodeKindDefinition,
  values: FormValues,
  { timeZone, locale }: { timeZone: string; locale: Locale },
) {
  const data = parseFormValues(kind.schema, values, timeZone);
  const input = {
    kind: kind.kind,
    title: values.title?.trim() || createTitle(kind, data, locale),
    data,
    ...(isForEveryone(kind, values) && EMERGENCY_PRESET),
  };
  const errors: FieldError[] = [
    ...toFormErrors(kind.schema, [
      ...findBodyErrors({ ...input, data: {} }),
      ...findNewQrCodeErrors(services, input),
    ]),
    ...(kind.emergencyFields && !AUDIENCES.includes(values.audience ?? '')
      ? [{ field: 'audience', code: 'REQUIRED', message: 'Is required.' }]
      : []),
  ];
  return {
    input,
    errors,
    values: { ...toFormValues(kind.schema, data, timeZone), ...pickOwnFields(values) },
  };
}

/** What the answers of the form say about who sees a field. */
export function getNewCodeVisibility(kind: QrCodeKindDefinition, values: FormValues): object {
  const preset = isForEveryone(kind, values) ? EMERGENCY_PRESET.visibilityPreset : undefined;
  return applyVisibilityPreset(kind, preset, {}) ?? {};
}

interface NewCodeFields {
  values: FormValues;
  errors: readonly FieldError[];
  timeZone: string;
  locale: Locale;
}

function renderNewCodeFields(
  kind: QrCodeKindDefinition,
  { values, errors, timeZone, locale }: NewCodeFields,
): Html[] {
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
  return [
    ...renderFields(main),
    ...(kind.emergencyFields ? [renderAudience()] : []),
    ...(details.length > 0
      ? [
          html`<details${isOpen && html` open`}><summary>${t(locale, 'app.content.group.more')}</summary>${renderFields(details)}</details>`,
        ]
      : []),
    renderTitle(),
  ];

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

interface NewCodePage extends NewCodeFields {
  action: string;
  /** Of the choice of a kind. */
  back: string;
  preview: string;
  token: FormToken;
  submit: string;
  hidden?: Readonly<Record<string, string>>;
  /** After the fields of the kind. */
  otherFields?: Html;
  refusal: string | undefined;
}

/** Render the form of a new code beside the page that it makes. */
export function renderNewCodePage(kind: QrCodeKindDefinition, page: NewCodePage): Html {
  const { errors, locale, action, back, preview, token, submit, hidden, otherFields, refusal } = page;
  const form = renderForm({
    action,
    token,
    submit,
    ...(hidden && { hidden }),
    fields: [...renderNewCodeFields(kind, page), ...(otherFields ? [otherFields] : [])],
    others: renderPreviewButton(locale, preview),
  });
  return html`${refusal && renderNote(refusal, 'wrong')}${renderErrorSummary(errors, locale)}<div class="split"><div><p>${t(locale, 'app.newCode.text')}</p>
${form}<p><a href="${back}">${t(locale, 'app.newCode.back')}</a></p></div>
${renderPreviewSection(t(locale, 'app.newCode.previewText'), preview, locale)}</div>`;
}

function isForEveryone({ emergencyFields }: QrCodeKindDefinition, { audience }: FormValues): boolean {
  return audience === 'EVERYONE' && emergencyFields !== undefined;
}

function pickOwnFields({ title, audience }: FormValues): FormValues {
  return { ...(title !== undefined && { title }), ...(audience !== undefined && { audience }) };
}

/** Titles are not encrypted: the name of a person is in none that nobody wrote. */
function createTitle(
  { kind, sensitive }: QrCodeKindDefinition,
  { name }: Record<string, unknown>,
  locale: Locale,
): string {
  return sensitive !== 'ALWAYS' && typeof name === 'string' ? name : translateQrCodeKind(locale, kind);
}
