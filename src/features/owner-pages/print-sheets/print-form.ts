import { type Static, Type } from 'typebox';
import type { MessageKey } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { findLabelTemplate, type LabelTemplate, type NewPrintSheetBody } from '../../codes/index.ts';
import {
  CODE_LIST_PARAMS,
  type CodeListFilters,
  parseCodeListFilters,
  toFilterParams,
  toListQuery,
} from '../codes/code-list-filters.ts';

/** Which codes, and how: in the address of the form, and in its body. */
export const PrintFormFields = Type.Object({
  /** Separated by commas; without them the filters of the list of codes count. */
  ids: Type.Optional(Type.String()),
  ...CODE_LIST_PARAMS,
  group: Type.Optional(Type.String()),
  template: Type.Optional(Type.String()),
  texts: Type.Optional(Type.String()),
  startCell: Type.Optional(Type.String()),
  calibrate: Type.Optional(Type.String()),
  done: Type.Optional(Type.String()),
});

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
  template: LabelTemplate;
  texts: TextChoice;
  startCell: number;
  calibrate: boolean;
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

export const TEMPLATE_GROUPS = Object.keys(DEFAULT_TEMPLATE_IDS) as LabelTemplate['group'][];

/** Parse a form; what it cannot have is as if it were missing. */
export function parsePrintForm(
  fields: Static<typeof PrintFormFields>,
  user: { timeZone: string },
): PrintForm {
  const ids = fields.ids?.split(',').filter(isId);
  const group = TEMPLATE_GROUPS.find((one) => one === fields.group) ?? getPaper(user);
  const template = findLabelTemplate(fields.template) ?? findLabelTemplate(DEFAULT_TEMPLATE_IDS[group]);
  if (!template) throw new Error('The default template is missing.');
  const cells = template.columns * template.rows;
  const startCell = Math.trunc(Number(fields.startCell ?? 1));
  return {
    ids: ids && ids.length > 0 ? ids : undefined,
    filters: parseCodeListFilters(fields),
    template,
    texts: TEXT_CHOICE_NAMES.find((name) => name === fields.texts) ?? 'title-found',
    startCell: startCell >= 1 && startCell <= cells ? startCell : 1,
    calibrate: fields.calibrate === '1',
  };
}

export const TEXT_CHOICE_NAMES = Object.keys(TEXT_CHOICES) as TextChoice[];

/** The parameters that name the codes. */
export function toSelectionParams({ ids, filters }: PrintForm): Record<string, string | undefined> {
  return ids ? { ids: ids.join(',') } : toFilterParams(filters);
}

/** The body of POST /api/print-sheets that a form means. */
export function toPrintSheetBody(form: PrintForm): NewPrintSheetBody {
  const { filters } = form;
  return {
    ...(form.ids ? { ids: form.ids } : { filter: { ...toListQuery(filters), sort: filters.sort } }),
    template: form.template.id,
    texts: [...TEXT_CHOICES[form.texts].texts],
    startCell: form.startCell,
    calibrationPage: form.calibrate,
  };
}
