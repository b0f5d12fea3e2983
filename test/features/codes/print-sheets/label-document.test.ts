import {
  createLabelDocument,
  type Label,
  type LabelSheet,
  type PlacedLabel,
} from '../../../../src/features/codes/print-sheets/label-document.ts';
import { toLabelFailure } from '../../../../src/features/codes/print-sheets/label-failure.rules.ts';
import {
  createLabelLayout,
  MIN_MODULE_MILLIMETERS,
} from '../../../../src/features/codes/print-sheets/label-layout.ts';
import {
  countLabelsPerPage,
  findLabelGridErrors,
} from '../../../../src/features/codes/print-sheets/label-sheet.rules.ts';
import {
  LABEL_TEMPLATES,
  type LabelGrid,
} from '../../../../src/features/codes/print-sheets/label-templates.ts';
import { findUnreadableSymbol, openPdfToDecode } from '../../../../src/platform/qr-image/decode-pdf.ts';
import { readPdfLines } from '../../../platform/pdf/read-pdf.ts';
import { t } from '../../../tap.ts';
import { decodeLabels } from './decode-labels.ts';

const SHEET: Omit<LabelSheet, 'grid'> = {
  startCell: 1,
  background: null,
  bleedMillimeters: 0,
  cutMarks: false,
  calibrationPage: false,
  offset: { x: 0, y: 0 },
  errorCorrection: null,
  language: 'en',
};

const createContent = (index: number) => `https://qr.example.org/s/${String(index).padStart(24, '0')}`;

const createLabels = (count: number, texts: Label['texts']): Label[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), content: createContent(index), texts }));

async function draw(sheet: LabelSheet, labels: readonly Label[]) {
  const document = await createLabelDocument(sheet);
  const { placed, tooSmall } = document.add(labels);
  document.end();
  return { pdf: Buffer.concat(await document.takeBytes()), pages: document.pages, placed, tooSmall };
}

const getTemplate = (id: string): LabelGrid => {
  const found = LABEL_TEMPLATES.find((template) => template.id === id);
  if (!found) throw new Error(id);
  return found;
};

t.test('the labels of every template lie on the page and do not overlap', async (t) => {
  t.ok(LABEL_TEMPLATES.filter(({ group }) => group !== 'ROLL').length >= 30);
  t.equal(new Set(LABEL_TEMPLATES.map(({ id }) => id)).size, LABEL_TEMPLATES.length);
  for (const { id, group, ...template } of LABEL_TEMPLATES) {
    t.match(id, /^[a-z0-9-]+$/);
    t.same(findLabelGridErrors(template, 'custom'), [], id);
    const last = { x: template.left, y: template.top };
    t.ok(last.x >= 0 && last.y >= 0, id);
    if (template.shape === 'ROUND') t.equal(template.width, template.height, id);
    // Sheets are symmetrical to a few millimeters; a typing error is not.
    const right =
      template.page.width - template.left - (template.columns - 1) * template.pitchX - template.width;
    if (group !== 'ROLL') t.ok(Math.abs(right - template.left) < 3, `${id}: ${template.left} and ${right}`);
  }
});

t.test('texts and symbol stay on the label and apart, whatever its size', async (t) => {
  for (const { id, ...template } of LABEL_TEMPLATES)
    for (const modules of [29, 33, 57])
      for (const lines of [0, 1, 2, 5]) {
        const layout = createLabelLayout(template, modules, lines);
        if (!layout) {
          t.ok(Math.min(template.width, template.height) < (modules + 8) * MIN_MODULE_MILLIMETERS * 1.5, id);
          continue;
        }
        const { symbol, texts } = layout;
        const name = `${id}, ${modules} modules, ${lines} lines`;
        t.ok(symbol.module >= MIN_MODULE_MILLIMETERS - 1e-9, name);
        const isInside = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) =>
          x >= -1e-9 &&
          y >= -1e-9 &&
          x + width <= template.width + 1e-9 &&
          y + height <= template.height + 1e-9;
        t.ok(isInside({ ...symbol, width: symbol.side, height: symbol.side }), name);
        if (lines === 0) t.equal(texts, null);
        if (!texts) continue;
        t.ok(isInside(texts), name);
        t.ok(texts.x >= symbol.x + symbol.side - 1e-9 || texts.y >= symbol.y + symbol.side - 1e-9, name);
      }
});

t.test('the first and the last label of every template are decoded at 300 dpi', async (t) => {
  for (const { id, ...grid } of LABEL_TEMPLATES) {
    const count = Math.min(countLabelsPerPage(grid), 3);
    const startCell = countLabelsPerPage(grid) - count + 1;
    const labels = createLabels(count, [{ text: 'Rex', isTitle: true }]);
    const { pdf, placed, tooSmall } = await draw({ ...SHEET, grid, startCell }, labels);
    t.same(tooSmall, [], id);
    const [page] = await decodeLabels(pdf, grid);
    t.same(
      page?.slice(-count),
      labels.map(({ content }) => content),
      id,
    );
    const raster = await openPdfToDecode(pdf);
    t.equal(await findUnreadableSymbol(raster, placed), null, id);
    raster.close();
  }
});

t.test('a label from which no code, or another one, is decoded is found', async (t) => {
  const grid = getTemplate('avery-l7160');
  const labels = createLabels(3, [{ text: 'Rex', isTitle: true }]);
  const find = async (sheet: LabelSheet, change: (label: PlacedLabel) => PlacedLabel = (label) => label) => {
    const { pdf, placed } = await draw(sheet, labels);
    const raster = await openPdfToDecode(pdf);
    const found = await findUnreadableSymbol(raster, placed.map(change));
    raster.close();
    return found && { ...found, failure: toLabelFailure(found, sheet) };
  };
  const sheet = { ...SHEET, grid };
  t.equal(await find({ ...sheet, background: '#ffee88', offset: { x: 2, y: 3 } }), null);
  t.match(await find({ ...sheet, background: '#101010' }), {
    id: '0',
    failure: { qrCodeId: '0', page: 1, label: 1, advice: ['LARGER_LABEL', 'LIGHTER_BACKGROUND'] },
  });
  const atEdge = { ...grid, left: 0, width: grid.height };
  const moved = await find({ ...sheet, grid: atEdge, offset: { x: -10, y: 0 } });
  t.match(moved, { failure: { advice: ['SMALLER_OFFSET'] } });
  const other = await find(sheet, (label) => (label.id === '1' ? { ...label, content: 'other' } : label));
  t.match(other, { id: '1', failure: { label: 2, advice: ['LARGER_LABEL'] } });
});

t.test('a sheet has start cell, marks and calibration, and goes on on further pages', async (t) => {
  const grid = getTemplate('avery-l7160');
  const sheet = {
    ...SHEET,
    grid,
    startCell: 20,
    background: '#ffee88',
    bleedMillimeters: 2,
    cutMarks: true,
    calibrationPage: true,
  };
  const { pdf, pages } = await draw(
    sheet,
    createLabels(25, [{ text: 'Schlüssel 東京', isTitle: true }, { text: 'A-17' }]),
  );
  t.equal(pages, 4);
  const [calibration, first, second, third] = await decodeLabels(pdf, grid);
  t.same(calibration?.filter(Boolean), []);
  t.same(first?.slice(0, 19).filter(Boolean), []);
  t.same(first?.slice(19), [createContent(0), createContent(1)]);
  t.same(
    second,
    Array.from({ length: 21 }, (_, index) => createContent(index + 2)),
  );
  t.same(third?.filter(Boolean), [createContent(23), createContent(24)]);
  const lines = readPdfLines(pdf).map((line) => line.join(''));
  t.equal(lines.join('\n').split('東京').length - 1, 25);
  t.ok(lines.includes('100 mm'));
});

t.test('an offset moves every label, and right-to-left languages have the symbol at the right', async (t) => {
  const grid = getTemplate('avery-l7163');
  const { pdf } = await draw({ ...SHEET, grid, offset: { x: 3, y: -2 } }, createLabels(14, []));
  const moved = { ...grid, left: grid.left + 3, top: grid.top - 2 };
  t.equal((await decodeLabels(pdf, moved))[0]?.filter(Boolean).length, 14);
  const arabic = await draw(
    { ...SHEET, grid, language: 'ar' },
    createLabels(1, [{ text: 'كلب', isTitle: true }]),
  );
  const rightHalf = { ...grid, left: grid.left + grid.width / 2, width: grid.width / 2 };
  t.equal((await decodeLabels(arabic.pdf, rightHalf))[0]?.[0], createContent(0));
  const english = await draw({ ...SHEET, grid }, createLabels(1, [{ text: 'dog', isTitle: true }]));
  t.equal((await decodeLabels(english.pdf, rightHalf))[0]?.[0], null);
});

t.test('content that is too dense for the label is left out', async (t) => {
  const grid = getTemplate('dymo-11353');
  const [short, long] = createLabels(2, []);
  const labels = [short, { ...long, content: 'x'.repeat(400) }] as Label[];
  const { pdf, tooSmall } = await draw({ ...SHEET, grid }, labels);
  t.same(tooSmall, ['1']);
  t.same(await decodeLabels(pdf, grid), [[createContent(0)]]);
});
