import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import {
  FIELD_VISIBILITIES,
  filterVisibleFields,
  getQrCodeKindByName,
  parseFieldVisibilities,
} from '../../codes/index.ts';
import { type ProfileFieldSchema, renderProfileFieldValue, translateFieldName } from '../../finder/index.ts';
import { type FormErrors, renderField, renderOptions } from '../components.ts';
import { type FieldGroupName, groupFields } from './field-groups.rules.ts';
import { type FieldSchema, toFormValues } from './form-fields.rules.ts';
import { isFilled, renderContentField } from './render-fields.ts';
import type { EditedCode } from './save-content.ts';

export interface ContentForm {
  kind: string;
  code: EditedCode;
  errors: FormErrors;
  timeZone: string;
  /** What is stored of the values that somebody else changed meanwhile. */
  clashes: readonly string[];
  stored: EditedCode;
}

const GROUP_TITLES = {
  main: 'app.content.group.main',
  contact: 'app.content.group.contact',
  health: 'app.content.group.health',
  more: 'app.content.group.more',
} as const satisfies Record<FieldGroupName, MessageKey>;

export const VISIBILITY_LABELS = {
  PUBLIC: 'app.content.visibility.PUBLIC',
  PIN: 'app.content.visibility.PIN',
  PRIVATE: 'app.content.visibility.PRIVATE',
} as const satisfies Record<(typeof FIELD_VISIBILITIES)[number], MessageKey>;

/** Render the fields of a code in groups, each with who sees it. */
export function renderContentFields(form: ContentForm, locale: Locale): Html {
  const { kind: kindName, code, errors, timeZone } = form;
  const kind = getQrCodeKindByName(kindName);
  const { required = [], properties = {} }: FieldSchema = kind.schema;
  const values = toFormValues(kind.schema, code.data, timeZone);
  const context = { kind: kindName, locale, values, errors, timeZone, foldsGroups: true };
  const groups = groupFields(kindName, Object.keys(properties)).map(({ name, fields }) => {
    const rows = fields.map((key) => renderRow(key, properties[key] ?? {}));
    if (name === 'main') return html`${rows}`;
    const isOpen = fields.some(
      (key) => isFilled(context, `data.${key}`) || form.clashes.includes(`data.${key}`),
    );
    return html`<details${isOpen && html` open`}><summary>${t(locale, GROUP_TITLES[name])}</summary>${rows}</details>\n`;
  });
  const pictures = renderVisibility('pictures');
  return html`${renderTitle()}${groups}${pictures && html`<div class="field"><p>${t(locale, 'app.content.pictures')}</p>${pictures}${renderClash('visibility.pictures')}</div>`}`;

  function renderTitle(): Html {
    const hint = kind.sensitive === 'ALWAYS' ? t(locale, 'app.content.titleNotSecret') : undefined;
    const label = t(locale, 'app.newCode.name');
    const field = { name: 'title', label, value: code.title, hint, isRequired: true, maxLength: 200 };
    return html`<div>${renderField(field, errors, locale)}${renderClash('title')}</div>`;
  }

  function renderRow(key: string, schema: FieldSchema): Html {
    const input = renderContentField(context, key, schema, required.includes(key));
    return html`<div class="field"><div>${input}</div>${renderVisibility(key)}${renderClash(`data.${key}`)}${renderClash(`visibility.${key}`)}</div>
`;
  }

  function renderVisibility(key: string): Html | null {
    const level = code.visibility[key];
    if (level === undefined) return null;
    const fieldName =
      key === 'pictures' ? t(locale, 'app.content.pictures') : translateFieldName(context, key);
    const label = t(locale, 'app.content.whoSees', { field: fieldName });
    const options = FIELD_VISIBILITIES.map((value) => ({
      value,
      label: t(locale, VISIBILITY_LABELS[value]),
    }));
    const name = `visibility.${key}`;
    return html`<div class="who"><select id="${name}" name="${name}" aria-label="${label}">${renderOptions(options, level)}</select></div>`;
  }

  function renderClash(name: string): Html | null {
    if (!form.clashes.includes(name)) return null;
    return html`<p class="clash">${t(locale, 'app.content.theirs')} ${renderStored(name)}</p>`;
  }

  function renderStored(name: string): Html {
    const [area, key = ''] = name.split('.');
    if (area === 'title') return html`<bdi>${form.stored.title}</bdi>`;
    if (area === 'visibility') {
      const { [key]: level } = parseFieldVisibilities(form.stored.visibility);
      return html`${level && t(locale, VISIBILITY_LABELS[level])}`;
    }
    const value = form.stored.data[key];
    if (value === undefined) return html`–`;
    const schema: ProfileFieldSchema = properties[key] ?? {};
    return html`<bdi>${renderProfileFieldValue(value, schema, { kind: kindName, locale })}</bdi>`;
  }
}

/** Say how much a stranger sees. */
export function describeVisibleFields(
  { data, visibility }: Pick<EditedCode, 'data' | 'visibility'>,
  locale: Locale,
): string {
  const total = Object.keys(data).length;
  if (total === 0) return t(locale, 'app.content.visibleNone');
  const visible = filterVisibleFields('FINDER', data, parseFieldVisibilities(visibility)) ?? {};
  return t(locale, 'app.content.visible', { visible: Object.keys(visible).length, total });
}
