import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { LABEL_TEMPLATES } from '../../codes/index.ts';
import { type Field, renderField, renderHiddenFields, renderSelect } from '../components.ts';
import { formatMillimeters, formatNumber } from './format-millimeters.ts';
import { MEASURE_NAMES, type MeasureName } from './measures.rules.ts';
import { type PrintForm, TEXT_CHOICE_NAMES, TEXT_CHOICES } from './print-form.ts';

const MEASURE_LABELS = {
  'custom.page.width': 'app.sheets.measure.pageWidth',
  'custom.page.height': 'app.sheets.measure.pageHeight',
  'custom.columns': 'app.sheets.measure.columns',
  'custom.rows': 'app.sheets.measure.rows',
  'custom.left': 'app.sheets.measure.left',
  'custom.top': 'app.sheets.measure.top',
  'custom.width': 'app.sheets.measure.width',
  'custom.height': 'app.sheets.measure.height',
  'custom.pitchX': 'app.sheets.measure.pitchX',
  'custom.pitchY': 'app.sheets.measure.pitchY',
  'custom.shape': 'app.sheets.measure.shape',
} as const satisfies Record<MeasureName, MessageKey>;

/** Render the options of a print: the labels, what is on them, and what a printer needs. */
export function renderOptions(form: PrintForm, locale: Locale): Html {
  const { group, template, texts, options, body } = form;
  const cells = body.custom
    ? body.custom.columns * body.custom.rows
    : (template?.columns ?? 1) * (template?.rows ?? 1);
  const field = (one: Field) => renderFormField(form, one, locale);
  const check = (name: string, label: string) =>
    html`<label class="choice"><input type="checkbox" name="${name}" value="1"${options[name] === '1' && html` checked`}> ${label}</label>`;
  return html`${group === 'CUSTOM' ? renderMeasures(form, locale) : renderTemplates(form, locale)}${renderSelect(
    {
      name: 'texts',
      label: t(locale, 'app.sheets.texts'),
      value: texts,
      script: 'submit-on-change',
      options: TEXT_CHOICE_NAMES.map((value) => ({ value, label: t(locale, TEXT_CHOICES[value].label) })),
    },
  )}${check('shortNumber', t(locale, 'app.code.shortNumber'))}${
    cells > 1 &&
    field({
      name: 'startCell',
      label: t(locale, 'app.sheets.startCell'),
      hint: t(locale, 'app.sheets.startCellHint', { count: formatNumber(cells, locale) }),
      value: String(body.startCell ?? 1),
      type: 'number',
      script: 'submit-on-change',
    })
  }${check('calibrate', t(locale, 'app.sheets.calibrate'))}<details${hasPrinterOptions(form) && html` open`}><summary>${t(locale, 'app.content.group.more')}</summary>${field(
    {
      name: 'metadataKey',
      label: t(locale, 'app.sheets.metadataKey'),
      hint: t(locale, 'app.codes.change.metadataKeyHint'),
      value: options.metadataKey,
      maxLength: 40,
    },
  )}${check('cutMarks', t(locale, 'app.sheets.cutMarks'))}${field({
    name: 'background',
    label: t(locale, 'app.sheets.background'),
    type: 'color',
    value: body.background ?? '#ffffff',
  })}${field({
    name: 'bleed',
    label: t(locale, 'app.sheets.bleed'),
    hint: t(locale, 'app.sheets.bleedHint'),
    value: options.bleed,
    inputMode: 'decimal',
  })}${field({
    name: 'offset.x',
    label: t(locale, 'app.sheets.offsetX'),
    hint: t(locale, 'app.sheets.offsetHint'),
    value: options['offset.x'],
  })}${field({ name: 'offset.y', label: t(locale, 'app.sheets.offsetY'), value: options['offset.y'] })}</details>`;
}

/** Whether an option is used, or wrong, that is closed by default. */
function hasPrinterOptions({ options, errors, body }: PrintForm): boolean {
  const names = ['metadataKey', 'cutMarks', 'bleed', 'offset.x', 'offset.y'];
  return (
    body.background !== undefined ||
    names.some((name) => options[name] || errors.some(({ field }) => field === name))
  );
}

function renderTemplates({ group, template }: PrintForm, locale: Locale): Html {
  const templates = LABEL_TEMPLATES.filter((one) => one.group === group);
  return renderSelect({
    name: 'template',
    label: t(locale, 'app.sheets.template'),
    value: template?.id,
    script: 'submit-on-change',
    options: templates.map((one) => ({
      value: one.id,
      label: t(locale, 'app.sheets.measures', {
        name: one.name,
        width: formatNumber(one.width, locale),
        height: formatMillimeters(one.height, locale),
      }),
    })),
  });
}

function renderMeasures(form: PrintForm, locale: Locale): Html {
  const { measures } = form;
  const getValue = (name: MeasureName): unknown => {
    const [, member = '', side = ''] = name.split('.');
    const value: unknown = Reflect.get(measures, member);
    return side === '' ? value : Reflect.get(Object(value), side);
  };
  const shapes = [
    { value: 'RECTANGLE', label: t(locale, 'app.sheets.shapes.rectangle') },
    { value: 'ROUND', label: t(locale, 'app.sheets.shapes.round') },
  ];
  const fields = MEASURE_NAMES.map((name) =>
    renderFormField(
      form,
      {
        name,
        label: t(locale, MEASURE_LABELS[name]),
        value: String(getValue(name)),
        ...(name === 'custom.shape' ? { options: shapes } : { inputMode: 'decimal' as const }),
      },
      locale,
    ),
  );
  return html`${renderHiddenFields({ group: 'CUSTOM' })}<p>${t(locale, 'app.sheets.measureHint')}</p><div class="measures">${fields.map((one) => html`<div>${one}</div>`)}</div>`;
}

function renderFormField({ errors }: PrintForm, field: Field, locale: Locale): Html {
  const error = errors.find((one) => one.field === field.name);
  if (error?.code !== 'OUT_OF_RANGE' || !field.name.startsWith('custom.'))
    return renderField(field, errors, locale);
  const isOverlap = field.name.startsWith('custom.pitch');
  const text = t(locale, isOverlap ? 'app.sheets.error.overlap' : 'app.sheets.error.page');
  return renderField({ ...field, error: text }, errors, locale);
}
