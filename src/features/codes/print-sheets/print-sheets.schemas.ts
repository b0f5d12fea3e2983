import { type Static, Type } from 'typebox';
import { Id, nullable, schemaRef, stringEnum, Timestamp } from '../../../shared/common.schemas.ts';
import { QrCodeListSelection } from '../list-filters.ts';
import { ERROR_CORRECTION_LEVELS, MIN_MODULE_MILLIMETERS } from './label-layout.ts';
import { LABEL_SHAPES, LABEL_TEMPLATE_GROUPS } from './label-templates.ts';

export const MAX_PRINT_SHEET_CODES = 5_000;

export const PRINT_SHEET_STATUSES = ['WAITING', 'READY', 'FAILED'] as const;

export const LABEL_TEXTS = ['TITLE', 'SHORT_NUMBER', 'EXTERNAL_ID', 'FOUND', 'METADATA'] as const;

export const LEFT_OUT_CATEGORIES = ['NOT_FOUND', 'DELETED', 'LABEL_TOO_SMALL', 'UNREADABLE'] as const;

/** What to change about a sheet, so that a label can be decoded. */
export const LABEL_ADVICE = ['LARGER_LABEL', 'LIGHTER_BACKGROUND', 'SMALLER_OFFSET'] as const;

const MAX_CELLS_PER_SIDE = 50;
const MAX_PAGE_MILLIMETERS = 1_000;
const MIN_LABEL_MILLIMETERS = 5;
const MAX_OFFSET_MILLIMETERS = 10;
const MAX_BLEED_MILLIMETERS = 5;

const createLength = (description: string, minimum: number) =>
  Type.Number({ minimum, maximum: MAX_PAGE_MILLIMETERS, description: `${description} in millimeters.` });

const GRID_PROPERTIES = {
  page: Type.Object({
    width: createLength('Width', MIN_LABEL_MILLIMETERS),
    height: createLength('Height', MIN_LABEL_MILLIMETERS),
  }),
  columns: Type.Integer({ minimum: 1, maximum: MAX_CELLS_PER_SIDE }),
  rows: Type.Integer({ minimum: 1, maximum: MAX_CELLS_PER_SIDE }),
  left: createLength('From the left edge of the page to the first label', 0),
  top: createLength('From the upper edge of the page to the first label', 0),
  pitchX: createLength('From the left edge of a label to that of the next', 0),
  pitchY: createLength('From the upper edge of a label to that of the next', 0),
  width: createLength('Width of a label', MIN_LABEL_MILLIMETERS),
  height: createLength('Height of a label', MIN_LABEL_MILLIMETERS),
};

export const CustomLabelGrid = Type.Object({
  ...GRID_PROPERTIES,
  shape: Type.Optional(stringEnum(LABEL_SHAPES, { description: 'Default RECTANGLE.' })),
});

export const LabelTemplateSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    group: stringEnum(LABEL_TEMPLATE_GROUPS),
    equivalents: Type.Array(Type.String(), { description: 'Other products with the same measures.' }),
    labelsPerPage: Type.Integer(),
    ...GRID_PROPERTIES,
    shape: stringEnum(LABEL_SHAPES),
  },
  { $id: 'LabelTemplate', description: 'A sheet, a roll or a card; all lengths in millimeters.' },
);

export const NewPrintSheet = Type.Object({
  ids: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: MAX_PRINT_SHEET_CODES,
      description: 'Codes in the order of their labels. Instead of `filter`.',
    }),
  ),
  filter: Type.Optional(
    Type.Object(QrCodeListSelection.properties, {
      description:
        'The codes that GET /api/qrcodes lists with these filters, in its order. Instead of `ids`.',
    }),
  ),
  template: Type.Optional(
    Type.String({
      maxLength: 60,
      description: 'Id of GET /api/print-sheets/templates. Instead of `custom`.',
    }),
  ),
  custom: Type.Optional(
    Type.Object(CustomLabelGrid.properties, {
      description: 'Measures of other labels, which must lie on the page and not overlap.',
    }),
  ),
  startCell: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_CELLS_PER_SIDE * MAX_CELLS_PER_SIDE,
      description: 'First free label of the first sheet, counted row by row. Default 1.',
    }),
  ),
  texts: Type.Optional(
    Type.Array(stringEnum(LABEL_TEXTS), {
      maxItems: LABEL_TEXTS.length,
      uniqueItems: true,
      description:
        'Lines in this order, as many as fit. FOUND asks finders to scan, in your language; METADATA is the value of `metadataKey`. Default TITLE.',
    }),
  ),
  metadataKey: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  errorCorrection: Type.Optional(
    stringEnum(ERROR_CORRECTION_LEVELS, { description: 'Default M, or L where only that fits.' }),
  ),
  background: Type.Optional(
    Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', description: 'Color of the labels, #rrggbb. Default none.' }),
  ),
  bleed: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: MAX_BLEED_MILLIMETERS,
      description: 'Millimeters of the background beyond the edges of a label. Default 0.',
    }),
  ),
  cutMarks: Type.Optional(Type.Boolean({ description: 'Marks in the margins. Default false.' })),
  offset: Type.Optional(
    Type.Object(
      {
        x: Type.Number({ minimum: -MAX_OFFSET_MILLIMETERS, maximum: MAX_OFFSET_MILLIMETERS }),
        y: Type.Number({ minimum: -MAX_OFFSET_MILLIMETERS, maximum: MAX_OFFSET_MILLIMETERS }),
      },
      { description: 'Millimeters to the right and down, where a printer draws beside the labels.' },
    ),
  ),
  calibrationPage: Type.Optional(
    Type.Boolean({
      description: 'A first page with outlines of the labels and rulers, for plain paper. Default false.',
    }),
  ),
});

export type NewPrintSheetBody = Static<typeof NewPrintSheet>;

const LeftOutCode = Type.Object({ id: Id, category: stringEnum(LEFT_OUT_CATEGORIES) });

const LabelFailure = Type.Object({
  qrCodeId: Id,
  page: Type.Integer({ description: 'From 1, the calibration page included.' }),
  label: Type.Integer({ description: 'On the page, from 1.' }),
  advice: Type.Array(stringEnum(LABEL_ADVICE), { description: 'What to change in the next request.' }),
  message: Type.String(),
});

const PRINT_SHEET_PROPERTIES = {
  id: Id,
  template: nullable(Type.String({ description: 'Null for measures of your own.' })),
  status: stringEnum(PRINT_SHEET_STATUSES, {
    description:
      'WAITING: for a worker, or while it draws and decodes. FAILED: request it again; if there is a `failure`, with other options.',
  }),
  codes: Type.Integer({ description: 'How many codes were requested.' }),
  processed: Type.Integer({ description: 'How many of them are drawn or left out so far.' }),
  labels: Type.Integer(),
  pages: Type.Integer(),
  decoded: Type.Integer({
    description:
      'How many labels have been decoded from the drawn pages at 300 dpi. All of them, once it is READY.',
  }),
  leftOutCount: Type.Integer({ description: 'How many codes have no label.' }),
  size: nullable(Type.Integer({ description: 'Bytes of the file.' })),
  failure: nullable(
    Type.Object(LabelFailure.properties, {
      description: 'The label of a FAILED sheet that could not be decoded; null where drawing failed.',
    }),
  ),
  contentUrl: nullable(Type.String({ description: 'Where to download the PDF; null unless READY.' })),
  createdAt: Timestamp,
  finishedAt: nullable(Timestamp),
  expiresAt: nullable(Timestamp),
};

export const PrintSheetSchema = Type.Object(PRINT_SHEET_PROPERTIES, {
  $id: 'PrintSheet',
  description: 'A PDF with a label for each of many codes.',
});

export const PrintSheetDetails = Type.Object(
  {
    ...PRINT_SHEET_PROPERTIES,
    leftOut: Type.Array(LeftOutCode, {
      description: `Codes without a label, once it is READY. LABEL_TOO_SMALL: a module would have less than ${MIN_MODULE_MILLIMETERS} mm; UNREADABLE: the stored content failed its check.`,
    }),
  },
  { $id: 'PrintSheetDetails', description: 'A print sheet with the codes that it left out.' },
);

export const LabelTemplateList = Type.Object({ data: Type.Array(schemaRef(LabelTemplateSchema)) });

export type PrintSheetView = Static<typeof PrintSheetSchema>;
export type PrintSheetFailure = Static<typeof LabelFailure>;
export type LeftOut = Static<typeof LeftOutCode>;
