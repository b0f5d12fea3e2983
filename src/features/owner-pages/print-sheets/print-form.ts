import { type Static, Type } from 'typebox';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import type { FieldError } from '../../../shared/errors.ts';
import type { MessageKey } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import {
  findLabelTemplate,
  findPrintSheetErrors,
  type LabelGrid,
  type LabelTemplate,
  NewPrintSheet,
  type NewPrintSheetBody,
} from '../../codes/index.ts';
import {
  CODE_LIST_PARAMS,
  type CodeListFilters,
  DEFAULT_SORT,
  parseCodeListFilters,
  toFilterParams,
  toListQuery,
} from '../codes/code-list-filters.ts';
import { MEASURE_PARAMS, type Measures, parseMeasures, parseNumber } from './measures.rules.ts';

const OptionalText = Type.Optional(Type.String());

/** How labels are printed, by their names in an address. */
const OPTION_PARAMS = {
  group: OptionalText,
  template: OptionalText,
  texts: OptionalText,
  shortNumber: OptionalText,
  metadataKey: OptionalText,
  startCell: OptionalText,
  calibrate: OptionalText,
  cutMarks: OptionalText,
  background: OptionalText,
  bleed: OptionalText,
  'offset.x': OptionalText,
  'offset.y': OptionalText,
  ...MEASURE_PARAMS,
};

/** Which codes, and how: in the address of the form, and in its body. */
export const PrintFormFields = Type.Object({
  /** Separated by commas; without them the filters of the list of codes count. */
  ids: OptionalText,
  ...CODE_LIST_PARAMS,
  ...OPTION_PARAMS,
  done: OptionalText,
});

type Fields = Static<typeof PrintFormFields>;

export const TEXT_CHOICES = {
  title: { label: 'app.print.captions.title', texts: ['TITLE'] },
  'title-found': { label: 'app.sheets.texts.titleAndFound', texts: ['TITLE', 'FOUND'] },
  'title-id': { label: 'app.sheets.texts.titleAndId', texts: ['TITLE', 'EXTERNAL_ID'] },
  found: { label: 'app.print.captions.found', texts: ['FOUND'] },
  none: { label: 'app.print.captions.none', texts: [] },
} as const satisfies Record<
  string,
  { label: MessageKey; texts: readonly NonNullable<NewPrintSheetBody['texts']>[number][] }
>;

export type TextChoice = keyof typeof TEXT_CHOICES;

export interface PrintForm {
  ids: string[] | undefined;
  filters: CodeListFilters;
  group: TemplateGroup;
  /** Null for measures of the form's own. */
  template: LabelTemplate | null;
  measures: Measures;
  texts: TextChoice;
  /** Its options as the form has them, for its address. */
  options: Readonly<Record<string, string>>;
  /** The body of POST /api/print-sheets that it means. */
  body: NewPrintSheetBody;
  /** By the fields of the form. */
  errors: readonly FieldError[];
}

/** Time zones of America where paper has the sizes of ISO 216. */
const A4_TIME_ZONES =
  /^America\/(Argentina|Buenos_Aires|Sao_Paulo|Fortaleza|Manaus|Bahia|Recife|Montevideo|Lima|Asuncion|La_Paz|Guayaquil)/;

/** The paper of the country. */
export function getPaper({ timeZone }: { timeZone: string }): 'A4' | 'LETTER' {
  const isAmerican = timeZone.startsWith('America/') || timeZone === 'Pacific/Honolulu';
  return isAmerican && !A4_TIME_ZONES.test(timeZone) ? 'LETTER' : 'A4';
}

const DEFAULT_TEMPLATE_IDS = {
  A4: 'avery-l7160',
  LETTER: 'avery-5160',
  ROLL: 'dymo-11354',
  CARD: 'id-1',
} as const satisfies Record<LabelTemplate['group'], string>;

/** Those of templates, and measures of one's own. */
export type TemplateGroup = LabelTemplate['group'] | 'CUSTOM';

export const TEMPLATE_GROUPS: readonly TemplateGroup[] = ['A4', 'LETTER', 'ROLL', 'CARD', 'CUSTOM'];

export const TEXT_CHOICE_NAMES = Object.keys(TEXT_CHOICES) as TextChoice[];

const findBodyErrors = createBodyValidator(NewPrintSheet);

/** Parse a form; a choice that it cannot have is as if it were missing, a measure that cannot be is an error. */
export function parsePrintForm(fields: Fields, user: { timeZone: string }): PrintForm {
  const ids = fields.ids?.split(',').filter(isId);
  const chosen = findLabelTemplate(fields.template);
  const wanted = chosen?.group ?? TEMPLATE_GROUPS.find((one) => one === fields.group) ?? getPaper(user);
  const paper = getTemplate(DEFAULT_TEMPLATE_IDS[wanted === 'CUSTOM' ? getPaper(user) : wanted]);
  const template = wanted === 'CUSTOM' ? null : (chosen ?? paper);
  const form = {
    ids: ids && ids.length > 0 ? ids : undefined,
    filters: parseCodeListFilters(fields),
    group: wanted,
    template,
    measures: parseMeasures(fields, paper),
    texts: TEXT_CHOICE_NAMES.find((name) => name === fields.texts) ?? 'title-found',
  };
  const body = toPrintSheetBody(form, fields);
  return { ...form, body, errors: findErrors(body), options: listOptions(form, fields, body) };
}

/** Get the measures of the labels of a form without errors. */
export function getFormGrid({ template, body }: Pick<PrintForm, 'template' | 'body'>): LabelGrid {
  const { custom } = body;
  if (template) return template;
  if (!custom) throw new Error('The form has no labels.');
  return { ...custom, shape: custom.shape ?? 'RECTANGLE' };
}

/** The parameters that name the codes. */
export function toSelectionParams({
  ids,
  filters,
}: Pick<PrintForm, 'ids' | 'filters'>): Record<string, string | undefined> {
  return ids ? { ids: ids.join(',') } : toFilterParams(filters);
}

function getTemplate(id: string): LabelTemplate {
  const template = findLabelTemplate(id);
  if (!template) throw new Error(`There is no template ${id}.`);
  return template;
}

/** Labels follow the spreadsheet that the codes come from, unless the table has an order of its own. */
function toLabelOrder(sort: CodeListFilters['sort']): CodeListFilters['sort'] {
  return sort === DEFAULT_SORT ? 'createdAt' : sort;
}

type FormChoices = Pick<PrintForm, 'ids' | 'filters' | 'template' | 'measures' | 'texts'>;

/** What is no number stays a text, so that the schema refuses it. */
function toPrintSheetBody(
  { ids, filters, template, measures, texts }: FormChoices,
  fields: Fields,
): NewPrintSheetBody {
  const metadataKey = fields.metadataKey?.trim();
  const background = fields.background?.toLowerCase() === '#ffffff' ? undefined : fields.background;
  const cells = template ? template.columns * template.rows : Number.POSITIVE_INFINITY;
  const startCell = Math.trunc(Number(fields.startCell ?? 1));
  const offset = { x: parseNumber(fields['offset.x'], 0), y: parseNumber(fields['offset.y'], 0) };
  const body = {
    ...(ids ? { ids } : { filter: { ...toListQuery(filters), sort: toLabelOrder(filters.sort) } }),
    ...(template ? { template: template.id } : { custom: measures }),
    texts: [
      ...TEXT_CHOICES[texts].texts,
      ...(fields.shortNumber === '1' ? ['SHORT_NUMBER'] : []),
      ...(metadataKey ? ['METADATA'] : []),
    ],
    ...(metadataKey && { metadataKey }),
    startCell: startCell >= 1 && startCell <= cells ? startCell : 1,
    calibrationPage: fields.calibrate === '1',
    cutMarks: fields.cutMarks === '1',
    ...(background && { background }),
    bleed: parseNumber(fields.bleed, 0),
    offset,
  };
  return body as NewPrintSheetBody;
}

/** Codes of errors whose text would be another one in other forms. */
const ERROR_CODES: Readonly<Record<string, string>> = {
  WRONG_TYPE: 'BAD_NUMBER',
  LOW_CONTRAST: 'NOT_ALLOWED',
};

function findErrors(body: NewPrintSheetBody): FieldError[] {
  const errors = findBodyErrors(structuredClone(body));
  const all = errors.length > 0 ? errors : findPrintSheetErrors(body);
  return all.map((error) => ({ ...error, code: ERROR_CODES[error.code] ?? error.code }));
}

function listOptions(
  { group, template, texts }: Pick<PrintForm, 'group' | 'template' | 'texts'>,
  fields: Fields,
  { startCell }: NewPrintSheetBody,
): Record<string, string> {
  const names = Object.keys(OPTION_PARAMS) as (keyof typeof OPTION_PARAMS)[];
  const entered = names.flatMap((name) => (fields[name] ? [[name, fields[name]] as const] : []));
  return {
    ...Object.fromEntries(entered),
    group,
    ...(template && { template: template.id }),
    texts,
    startCell: String(startCell ?? 1),
  };
}
