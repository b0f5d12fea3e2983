import { assertScannableColors } from '../../../platform/qr-image/color.rules.ts';
import { createValidationError, type FieldError, ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { getQrCodeScanUrl } from '../qrcode.view.ts';
import type { LabelSheet } from './label-document.ts';
import { countTextLines, MIN_MODULE_MILLIMETERS, placeLabelSymbol } from './label-layout.ts';
import { countLabelsPerPage, findLabelGridErrors } from './label-sheet.rules.ts';
import type { LabelGrid } from './label-templates.ts';
import { findLabelTemplate } from './print-sheet.view.ts';
import type { LABEL_TEXTS, NewPrintSheetBody } from './print-sheets.schemas.ts';

type LabelTextName = (typeof LABEL_TEXTS)[number];

/** What is stored with a print sheet, as JSON. */
export interface PrintSheetOptions {
  sheet: LabelSheet;
  texts: LabelTextName[];
  metadataKey: string | null;
}

const DEFAULT_TEXTS: LabelTextName[] = ['TITLE'];

/** Rules between the fields of a body. */
export function findPrintSheetErrors(body: NewPrintSheetBody): FieldError[] {
  const { ids, filter, template, custom, startCell = 1, texts = DEFAULT_TEXTS, metadataKey } = body;
  const errors: FieldError[] = [];
  const add = (field: string, code: string, message: string) => errors.push({ field, code, message });
  if (ids === undefined && filter === undefined) add('ids', 'REQUIRED', 'Send `ids` or `filter`.');
  if (ids !== undefined && filter !== undefined) add('filter', 'NOT_ALLOWED', 'Send `ids` or `filter`.');
  if (template === undefined && custom === undefined)
    add('template', 'REQUIRED', 'Send `template` or `custom`.');
  if (template !== undefined && custom !== undefined)
    add('custom', 'NOT_ALLOWED', 'Send `template` or `custom`.');
  if (template !== undefined && !findLabelTemplate(template))
    add('template', 'NOT_ALLOWED', 'Must be an id of GET /api/print-sheets/templates.');
  if (custom) errors.push(...findLabelGridErrors(toLabelGrid(custom), 'custom'));
  const grid = getLabelGrid(body);
  if (grid && startCell > countLabelsPerPage(grid))
    add('startCell', 'OUT_OF_RANGE', `The sheet has ${countLabelsPerPage(grid)} labels.`);
  if (texts.includes('METADATA') && metadataKey === undefined)
    add('metadataKey', 'REQUIRED', 'Name the pair to print.');
  return [...errors, ...findBackgroundErrors(body)];
}

function findBackgroundErrors({ background }: NewPrintSheetBody): FieldError[] {
  if (background === undefined) return [];
  try {
    assertScannableColors({ foreground: '#000000', background });
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [{ field: 'background', code: 'LOW_CONTRAST', message: error.message }];
  }
}

/** Get the measures of the labels; undefined without valid ones. */
export function getLabelGrid({ template, custom }: NewPrintSheetBody): LabelGrid | undefined {
  if (custom) return toLabelGrid(custom);
  const found = findLabelTemplate(template);
  if (!found) return undefined;
  const { id, name, group, equivalents, ...grid } = found;
  return grid;
}

function toLabelGrid({ shape = 'RECTANGLE', ...grid }: NonNullable<NewPrintSheetBody['custom']>): LabelGrid {
  return { ...grid, shape };
}

/** @throws VALIDATION_FAILED for labels that are too small for the address of a code */
export function parsePrintSheetOptions(
  { publicBaseUrl }: { publicBaseUrl: string },
  body: NewPrintSheetBody,
  language: string,
): PrintSheetOptions {
  const errors = findPrintSheetErrors(body);
  const grid = getLabelGrid(body);
  if (errors.length > 0 || !grid) throw createValidationError(...errors);
  const options: PrintSheetOptions = {
    sheet: {
      grid,
      startCell: body.startCell ?? 1,
      background: body.background ?? null,
      bleedMillimeters: body.bleed ?? 0,
      cutMarks: body.cutMarks ?? false,
      calibrationPage: body.calibrationPage ?? false,
      offset: body.offset ?? { x: 0, y: 0 },
      errorCorrection: body.errorCorrection ?? null,
      language,
    },
    texts: body.texts ?? DEFAULT_TEXTS,
    metadataKey: body.metadataKey ?? null,
  };
  if (!placeScanUrl(publicBaseUrl, options)) throw createTooSmallError(body);
  return options;
}

/** Fit the address of any code on a label; null if it is too small. */
export function placeScanUrl(
  publicBaseUrl: string,
  {
    sheet: { grid, errorCorrection },
    texts,
  }: Pick<PrintSheetOptions, 'texts'> & { sheet: Pick<LabelSheet, 'grid' | 'errorCorrection'> },
) {
  const content = getQrCodeScanUrl(publicBaseUrl, generateId());
  const lines = countTextLines(texts.map((name) => ({ isTitle: name === 'TITLE' })));
  return placeLabelSymbol(grid, content, errorCorrection ?? undefined, lines);
}

function createTooSmallError({ errorCorrection, custom }: NewPrintSheetBody): ServiceError {
  const hint =
    errorCorrection && errorCorrection !== 'L'
      ? 'a lower error correction or a larger label'
      : 'a larger label';
  return createValidationError({
    field: custom ? 'custom' : 'template',
    code: 'LABEL_TOO_SMALL',
    message: `A module of the code would have less than ${MIN_MODULE_MILLIMETERS} mm, which phones do not read. Choose ${hint}.`,
  });
}
