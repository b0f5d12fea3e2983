import { Type } from 'typebox';
import type { LabelGrid, NewPrintSheetBody } from '../../codes/index.ts';

const LENGTHS = ['left', 'top', 'width', 'height', 'pitchX', 'pitchY'] as const;
const COUNTS = ['columns', 'rows'] as const;
const PAGE_LENGTHS = ['width', 'height'] as const;

const OptionalText = Type.Optional(Type.String());

/** The measures of labels, by their names in a form. */
export const MEASURE_PARAMS = {
  'custom.page.width': OptionalText,
  'custom.page.height': OptionalText,
  'custom.columns': OptionalText,
  'custom.rows': OptionalText,
  'custom.left': OptionalText,
  'custom.top': OptionalText,
  'custom.width': OptionalText,
  'custom.height': OptionalText,
  'custom.pitchX': OptionalText,
  'custom.pitchY': OptionalText,
  'custom.shape': OptionalText,
};

export type MeasureName = keyof typeof MEASURE_PARAMS;

export const MEASURE_NAMES = Object.keys(MEASURE_PARAMS) as MeasureName[];

/** As the API takes them; what is no number is the text that was entered. */
export type Measures = NonNullable<NewPrintSheetBody['custom']>;

/** Parse a number with a point or a comma; what is none stays as it is. */
export function parseNumber(text: string | undefined, missing: number): number | string {
  const entered = text?.trim() ?? '';
  if (entered === '') return missing;
  return /^-?\d{1,9}(?:[.,]\d{1,9})?$/.test(entered) ? Number(entered.replace(',', '.')) : entered;
}

/** Parse measures; those that are missing are those of `usual`. */
export function parseMeasures(fields: Partial<Record<MeasureName, string>>, usual: LabelGrid): Measures {
  const parse = (name: MeasureName, missing: number) => parseNumber(fields[name], missing);
  const measures = {
    page: Object.fromEntries(
      PAGE_LENGTHS.map((side) => [side, parse(`custom.page.${side}`, usual.page[side])]),
    ),
    ...Object.fromEntries(
      [...COUNTS, ...LENGTHS].map((name) => [name, parse(`custom.${name}`, usual[name])]),
    ),
    shape: fields['custom.shape'] === 'ROUND' ? 'ROUND' : 'RECTANGLE',
  };
  return measures as Measures;
}
