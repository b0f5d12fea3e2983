import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { translateEnumValue, translateFieldName } from '../../finder/index.ts';
import { type Field, type FormErrors, renderField, translateFieldError } from '../components.ts';
import {
  type FieldSchema,
  type FieldType,
  type FormValues,
  getFieldType,
  MAX_ENTRIES,
  REMOVE_SUFFIX,
  STORED_SUFFIX,
} from './form-fields.rules.ts';

export interface FieldContext {
  kind: string;
  locale: Locale;
  values: FormValues;
  errors: FormErrors;
  timeZone: string;
  /** Groups without a value. */
  foldsGroups?: boolean;
}

const INPUTS: Partial<Record<FieldType, Partial<Field>>> = {
  text: { isMultiline: true },
  lines: { isMultiline: true },
  phone: { type: 'tel' },
  email: { type: 'email' },
  // With another type browsers refuse an address without a scheme, which is added.
  url: { inputMode: 'url' },
  date: { type: 'date' },
  dateTime: { type: 'datetime-local' },
  number: { inputMode: 'decimal' },
};

const HINTS: Partial<
  Record<FieldType, MessageKey & (`app.content.hint.${string}` | 'app.error.badCountry')>
> = {
  lines: 'app.content.hint.lines',
  country: 'app.error.badCountry',
  partialDate: 'app.content.hint.partialDate',
};

const HINTS_BY_NAME: Readonly<Record<string, MessageKey & `app.content.hint.${string}`>> = {
  languages: 'app.content.hint.languages',
  microchip: 'app.content.hint.microchip',
  vin: 'app.content.hint.vin',
  bagTag: 'app.content.hint.bagTag',
};

const UNITS: Readonly<Record<string, string>> = { weightKg: 'kilogram', heightCm: 'centimeter' };

/** For machines: folded, since few people have one. */
const FOLDED_GROUPS = ['coding'];

/** Render the input of a field, or the group of its members. */
export function renderContentField(
  context: FieldContext,
  key: string,
  schema: FieldSchema,
  isRequired: boolean,
): Html {
  const name = `data.${key}`;
  const type = getFieldType(schema);
  if (type === 'groups') return renderList(context, name, key, schema.items ?? {});
  if (type === 'group') {
    const isFolded = context.foldsGroups === true && !isFilled(context, name);
    return renderGroup(context, name, translateFieldName(context, key), schema, { isFolded });
  }
  return renderInput(context, name, key, schema, isRequired);
}

function renderList(context: FieldContext, name: string, key: string, item: FieldSchema): Html {
  const { locale } = context;
  const entries = countEntries(context.values, name);
  const label = translateFieldName(context, `${key}.item`);
  const present = Array.from({ length: entries }, (_one, index) => {
    const entry = `${name}[${index}]`;
    const remove = html`<label class="choice"><input type="checkbox" name="${entry}${REMOVE_SUFFIX}" value="1"> ${t(locale, 'app.content.remove')}</label>`;
    return renderGroup(context, entry, label, item, { end: remove });
  });
  const next = renderGroup(context, `${name}[${entries}]`, label, item);
  return html`<fieldset class="group list" id="${name}"${describeByError(context, name)}><legend>${translateFieldName(context, key)}</legend>${renderError(context, name)}${present}<details><summary>${t(locale, 'app.content.addEntry')}</summary>${next}</details></fieldset>
`;
}

function renderGroup(
  context: FieldContext,
  name: string,
  label: string,
  { properties = {} }: FieldSchema,
  { end = null, isFolded = false }: { end?: Html | null; isFolded?: boolean } = {},
): Html {
  const members = Object.entries(properties).map(([key, member]) => {
    const field = `${name}.${key}`;
    if (getFieldType(member) !== 'group') return renderInput(context, field, key, member, false);
    const isMemberFolded = FOLDED_GROUPS.includes(key) && !isFilled(context, field);
    return renderGroup(context, field, translateFieldName(context, key), member, {
      isFolded: isMemberFolded,
    });
  });
  const content = html`${renderError(context, name)}${members}${end}`;
  return isFolded
    ? html`<details class="group" id="${name}"><summary>${label}</summary>${content}</details>\n`
    : html`<fieldset class="group" id="${name}"${describeByError(context, name)}><legend>${label}</legend>${content}</fieldset>\n`;
}

function renderInput(
  context: FieldContext,
  name: string,
  key: string,
  schema: FieldSchema,
  isRequired: boolean,
): Html {
  const { locale, values, errors } = context;
  const type = getFieldType(schema);
  const label = translateFieldName(context, key);
  const unit = UNITS[key];
  const hint = HINTS_BY_NAME[key] ?? HINTS[type];
  const stored = values[name + STORED_SUFFIX];
  const field: Field = {
    name,
    label: unit ? `${label} (${formatUnit(unit, locale)})` : label,
    value: values[name],
    isRequired,
    maxLength: type === 'lines' ? undefined : schema.maxLength,
    hint: type === 'dateTime' ? html`<bdi>${context.timeZone}</bdi>` : hint && t(locale, hint),
    autocomplete: 'off',
    ...INPUTS[type],
  };
  const options = listOptions(context, schema);
  return html`${renderField(options ? { ...field, options } : field, errors, locale)}${
    stored !== undefined && html`<input type="hidden" name="${name}${STORED_SUFFIX}" value="${stored}">`
  }`;
}

function listOptions(context: FieldContext, schema: FieldSchema) {
  const { locale } = context;
  const none = { value: '', label: t(locale, 'app.content.notStated') };
  if (getFieldType(schema) === 'yesOrNo')
    return [
      none,
      { value: 'true', label: t(locale, 'finder.yes') },
      { value: 'false', label: t(locale, 'finder.no') },
    ];
  const values = schema.enum?.filter((value) => typeof value === 'string');
  return values && [none, ...values.map((value) => ({ value, label: translateEnumValue(context, value) }))];
}

/** Of a group, which has no input of its own. */
function renderError({ errors, locale }: FieldContext, name: string): Html | null {
  const error = errors.find(({ field }) => field === name);
  return error ? html`<p class="error" id="${name}-error">${translateFieldError(error, locale)}</p>` : null;
}

function describeByError({ errors }: FieldContext, name: string): Html | false {
  return errors.some(({ field }) => field === name) && html` aria-describedby="${name}-error"`;
}

/** Entries are numbered without gaps. */
function countEntries(values: FormValues, name: string): number {
  let count = 0;
  while (count <= MAX_ENTRIES && Object.keys(values).some((one) => one.startsWith(`${name}[${count}].`)))
    count += 1;
  return count;
}

/** Whether a field or one of its members has a value or an error. */
export function isFilled({ values, errors }: Pick<FieldContext, 'values' | 'errors'>, name: string): boolean {
  const isOf = (one: string) => one === name || one.startsWith(`${name}.`) || one.startsWith(`${name}[`);
  return Object.keys(values).some(isOf) || errors.some(({ field }) => isOf(field));
}

function formatUnit(unit: string, { tag }: Locale): string {
  const parts = new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'short' }).formatToParts(1);
  return parts.find(({ type }) => type === 'unit')?.value ?? unit;
}
