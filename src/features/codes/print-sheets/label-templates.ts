/** Millimeters. */
export interface LabelGrid {
  page: { width: number; height: number };
  columns: number;
  rows: number;
  /** From the edges of the page to the first label. */
  left: number;
  top: number;
  /** From one label to the next. */
  pitchX: number;
  pitchY: number;
  width: number;
  height: number;
  shape: (typeof LABEL_SHAPES)[number];
}

export interface LabelTemplate extends LabelGrid {
  id: string;
  name: string;
  group: (typeof LABEL_TEMPLATE_GROUPS)[number];
  /** Other products with the same measures. */
  equivalents: readonly string[];
}

export const LABEL_SHAPES = ['RECTANGLE', 'ROUND'] as const;

/** Sheets by their paper, rolls with a page for each label, and cards. */
export const LABEL_TEMPLATE_GROUPS = ['A4', 'LETTER', 'ROLL', 'CARD'] as const;

const A4 = { width: 210, height: 297 };
const LETTER = { width: 215.9, height: 279.4 };

type SheetType = Pick<LabelTemplate, 'group' | 'page' | 'shape'>;

const A4_SHEET: SheetType = { group: 'A4', page: A4, shape: 'RECTANGLE' };
const LETTER_SHEET: SheetType = { group: 'LETTER', page: LETTER, shape: 'RECTANGLE' };
const A4_CARDS: SheetType = { group: 'CARD', page: A4, shape: 'RECTANGLE' };
const LETTER_CARDS: SheetType = { group: 'CARD', page: LETTER, shape: 'RECTANGLE' };

/**
 * Measures that the makers publish: columns, rows, left, top, horizontal and vertical pitch, width, height. Sources: the
 * label databases of LibreOffice (extras/source/labels/labels.xml) and gLabels (templates/), and templates of Avery.
 */
export const LABEL_TEMPLATES: readonly LabelTemplate[] = [
  createSheet(A4_SHEET, 'Avery L7159', [3, 8, 6.46, 13.06, 66.54, 33.86, 64, 33.86], ['J8159', 'Herma 4474']),
  createSheet(A4_SHEET, 'Avery L7160', [3, 7, 7.2, 15.15, 66.04, 38.1, 63.5, 38.1], ['J8160', 'L7060']),
  createSheet(A4_SHEET, 'Avery L7161', [3, 6, 7.21, 8.82, 66.04, 46.56, 63.5, 46.56], ['J8161']),
  createSheet(A4_SHEET, 'Avery L7162', [2, 8, 4.67, 13.02, 101.6, 33.87, 99.06, 33.87], ['J8162']),
  createSheet(A4_SHEET, 'Avery L7163', [2, 7, 4.67, 15.15, 101.6, 38.1, 99.06, 38.1], ['J8163', 'L7063']),
  createSheet(A4_SHEET, 'Avery L7164', [3, 4, 7.21, 4.57, 66.04, 71.97, 63.5, 71.97], ['J8164']),
  createSheet(A4_SHEET, 'Avery L7165', [2, 4, 4.67, 13.04, 101.6, 67.73, 99.06, 67.73], ['J8165']),
  createSheet(A4_SHEET, 'Avery L7166', [2, 3, 4.67, 8.81, 101.6, 93.13, 99.06, 93.13], ['J8166']),
  createSheet(A4_SHEET, 'Avery L7173', [2, 5, 4.67, 6, 101.6, 57, 99.06, 57], ['J8173']),
  createSheet(A4_SHEET, 'Avery L7651', [5, 13, 4.67, 10.9, 40.64, 21.17, 38.1, 21.17], ['J8651', 'L7051']),
  createSheet(A4_SHEET, 'Avery L7636', [4, 12, 9.75, 21.41, 48.26, 21.17, 45.72, 21.17], ['L6009', 'L6113']),
  createSheet(A4_SHEET, 'Avery L7654', [4, 10, 9.75, 21.43, 48.26, 25.4, 45.72, 25.4], ['J8654', 'L4770']),
  createSheet(A4_SHEET, 'Avery L4731REV', [7, 27, 8.48, 13.43, 27.94, 10, 25.4, 10], ['L4731', 'J8658']),
  createSheet(A4_SHEET, 'Avery L4732REV', [5, 16, 11, 13, 38.1, 16.9, 35.6, 16.9], ['L4732']),
  createSheet(A4_SHEET, 'Avery L6008', [7, 27, 8.48, 13.43, 27.94, 10, 25.4, 10]),
  createSheet(A4_SHEET, 'Avery L6011', [3, 9, 7.21, 15.1, 66.04, 29.63, 63.5, 29.63], ['L6114']),
  createSheet(A4_SHEET, 'Avery L6012', [2, 5, 7.73, 21.43, 98.54, 50.8, 96, 50.8]),
  createSheet({ ...A4_SHEET, shape: 'ROUND' }, 'Avery L6112', [4, 6, 16, 13.43, 46, 46, 40, 40]),
  createSheet(A4_SHEET, 'Avery Zweckform 3424', [2, 6, 0, 4.5, 105, 48, 105, 48], ['Herma 4457']),
  createSheet(A4_SHEET, 'Avery Zweckform 3474', [3, 8, 0, 0.5, 70, 37, 70, 37], ['Herma 4464']),
  createSheet(A4_SHEET, 'Avery Zweckform 3475', [3, 8, 0, 4.5, 70, 36, 70, 36], ['3490', 'Herma 4453']),
  createSheet(A4_SHEET, 'Avery Zweckform 3651', [4, 10, 0.9, 1, 52, 29.5, 52, 29.5]),
  createSheet(A4_SHEET, 'Avery Zweckform 3659', [2, 6, 8, 21.3, 97, 42.4, 97, 42.4]),
  createSheet(A4_SHEET, 'Herma 4346', [4, 12, 10, 22, 48.72, 21.2, 45.72, 21.2]),
  createSheet(A4_SHEET, 'Herma 4677', [3, 7, 6.75, 15.5, 66.5, 38.1, 63.5, 38.1]),
  createSheet(A4_SHEET, 'Herma 5051', [4, 11, 8.5, 8.5, 48.3, 25.4, 48.3, 25.4], ['4272']),
  createSheet(A4_SHEET, 'Herma 4223', [2, 5, 8, 21.5, 99, 50.8, 96, 50.8]),
  createSheet(
    LETTER_SHEET,
    'Avery 5160',
    [3, 10, 4.76, 12.7, 69.85, 25.4, 66.67, 25.4],
    ['8160', '8460', '5260'],
  ),
  createSheet(LETTER_SHEET, 'Avery 5161', [2, 10, 3.97, 12.7, 106.36, 25.4, 101.6, 25.4], ['8161', '5261']),
  createSheet(LETTER_SHEET, 'Avery 5162', [2, 7, 3.97, 21.17, 106.36, 33.87, 101.6, 33.87], ['8162', '5262']),
  createSheet(LETTER_SHEET, 'Avery 5163', [2, 5, 3.97, 12.7, 106.36, 50.8, 101.6, 50.8], ['8163', '5263']),
  createSheet(LETTER_SHEET, 'Avery 5164', [2, 3, 3.97, 12.7, 106.36, 84.67, 101.6, 84.67], ['8164', '5264']),
  createSheet(LETTER_SHEET, 'Avery 5167', [4, 20, 7.14, 12.7, 52.39, 12.7, 44.45, 12.7], ['8167', '5267']),
  createSheet(LETTER_SHEET, 'Avery 5195', [4, 15, 7.14, 12.7, 52.39, 16.93, 44.45, 16.93], ['8195']),
  createSheet(
    { ...LETTER_SHEET, shape: 'ROUND' },
    'Avery 5293',
    [4, 6, 10.56, 13.95, 51.17, 42.05, 41.27, 41.27],
  ),
  createSheet(
    { ...LETTER_SHEET, shape: 'ROUND' },
    'Avery 5294',
    [3, 4, 5.33, 10.79, 69.85, 63.88, 63.5, 63.5],
  ),
  createSheet({ ...LETTER_SHEET, shape: 'ROUND' }, 'Avery 8293', [4, 5, 12.7, 19.05, 50.8, 50.8, 38.1, 38.1]),
  createSheet(LETTER_SHEET, 'Avery 22805', [4, 6, 19.84, 12.7, 46.04, 43.18, 38.1, 38.1]),
  createSheet(LETTER_SHEET, 'Avery 22806', [3, 4, 15.88, 15.88, 66.67, 65.62, 50.8, 50.8]),
  createSheet(LETTER_SHEET, 'Avery 94102', [8, 10, 9.52, 15.88, 25.4, 25.4, 19.05, 19.05]),
  createSheet(A4_CARDS, 'Avery L7414', [2, 5, 15, 18.5, 90, 52, 90, 52]),
  createSheet(A4_CARDS, 'Avery C32011', [2, 5, 15, 13.5, 95, 54, 85, 54]),
  createSheet(A4_CARDS, 'Avery C32015', [2, 4, 17, 31.5, 91, 60, 85, 54]),
  createSheet(LETTER_CARDS, 'Avery 5371', [2, 5, 19.05, 12.7, 88.9, 50.8, 88.9, 50.8], ['8371', '8877']),
  createSingleLabel('CARD', 'ID-1', 85.6, 53.98, ['CR80']),
  createSingleLabel('ROLL', 'Roll 25 × 25', 25, 25),
  createSingleLabel('ROLL', 'Roll 40 × 20', 40, 20),
  createSingleLabel('ROLL', 'Roll 50 × 30', 50, 30),
  createSingleLabel('ROLL', 'Brother DK-11209', 62, 29, ['DK-1209']),
  createSingleLabel('ROLL', 'Brother DK-11201', 90, 29, ['DK-1201']),
  createSingleLabel('ROLL', 'Brother DK-11204', 54, 17, ['DK-1204']),
  createSingleLabel('ROLL', 'Brother DK-11221', 23, 23, ['DK-1221']),
  createSingleLabel('ROLL', 'Dymo 11352', 54, 25, ['S0722520']),
  createSingleLabel('ROLL', 'Dymo 11354', 57, 32, ['S0722540']),
  createSingleLabel('ROLL', 'Dymo 11353', 25, 13),
  createSingleLabel('ROLL', 'Dymo 11355', 51, 19),
  createSingleLabel('ROLL', 'Dymo 99010', 89, 28, ['30252']),
  createSingleLabel('ROLL', 'Dymo 99012', 89, 36),
  createSingleLabel('ROLL', 'Dymo 99014', 101, 54),
];

function createSheet(
  type: SheetType,
  name: string,
  [columns, rows, left, top, pitchX, pitchY, width, height]: readonly [
    columns: number,
    rows: number,
    left: number,
    top: number,
    pitchX: number,
    pitchY: number,
    width: number,
    height: number,
  ],
  equivalents: readonly string[] = [],
): LabelTemplate {
  const grid = { columns, rows, left, top, pitchX, pitchY, width, height };
  return { id: createTemplateId(name), name, ...type, ...grid, equivalents };
}

/** A page for each label. */
function createSingleLabel(
  group: LabelTemplate['group'],
  name: string,
  width: number,
  height: number,
  equivalents: readonly string[] = [],
): LabelTemplate {
  const type: SheetType = { group, page: { width, height }, shape: 'RECTANGLE' };
  return createSheet(type, name, [1, 1, 0, 0, width, height, width, height], equivalents);
}

function createTemplateId(name: string): string {
  return name.toLowerCase().replaceAll(' × ', 'x').replaceAll(' ', '-');
}
