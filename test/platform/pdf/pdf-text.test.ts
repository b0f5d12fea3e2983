import {
  breakPdfLines,
  cleanPdfText,
  orderPdfRuns,
  type PdfTextRun,
  splitPdfText,
} from '../../../src/platform/pdf/pdf-text.rules.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';

const chooseFont = () => 'font';
/** Each code unit is one wide. */
const measure = (runs: readonly PdfTextRun<string>[]) => runs.reduce((sum, { text }) => sum + text.length, 0);
const ellipsis: PdfTextRun<string> = { start: 0, end: 1, text: '…', font: 'font', script: null, level: 0 };
const toText = (runs: readonly PdfTextRun<string>[]) => runs.map(({ text }) => text).join('');

function getLines(text: string, width: number, maxLines: number): string[] {
  const { runs } = splitPdfText(text, 'ltr', chooseFont);
  return breakPdfLines(text, runs, { width, maxLines, ellipsis, measure }).map(toText);
}

t.test('a text has one run for each script and direction, ordered from left to right', async (t) => {
  const read = (text: string, direction: 'ltr' | 'rtl' | 'auto') =>
    orderPdfRuns(splitPdfText(text, direction, chooseFont).runs).map(({ text: part }) => part);
  t.same(read('Łódź 12', 'ltr'), ['Łódź 12']);
  t.same(read('Rex की 東京', 'ltr'), ['Rex ', 'की ', '東京']);
  t.same(read('abc שלום 12 x', 'ltr'), ['abc ', '12', 'שלום ', ' x']);
  t.same(read('חדר 12 (A4)', 'rtl'), [')', 'A4', ' (', '12', 'חדר ']);
  t.same(read('שלום!', 'ltr'), ['שלום', '!']);
  t.same(read('שלום!', 'auto'), ['שלום!']);
  t.same(read('12:30، بولندا', 'rtl'), ['، بولندا', '12:30']);
});

t.test('lines break between words and East Asian characters, and the last one is truncated', async (t) => {
  t.same(getLines('a blue suitcase', 20, 1), ['a blue suitcase']);
  t.same(getLines('a blue suitcase', 10, 2), ['a blue', 'suitcase']);
  t.same(getLines('a blue suitcase', 10, 1), ['a blue su…']);
  t.same(getLines('東京の青い鞄。空港', 6, 2), ['東京の青い', '鞄。空港']);
  t.same(getLines('suitcases', 4, 2), ['suit', 'cas…']);
  t.same(getLines('👨‍👩‍👧👨‍👩‍👧', 9, 1), ['👨‍👩‍👧…'], 'no part of an emoji');
  t.same(getLines('', 10, 2), ['']);
});

t.test('any text is drawn whole, or truncated within the width', async (t) => {
  t.equal(cleanPdfText('a\u202eb\tc\ud800e\u0301'), 'ab c\ufffdé');
  const direction = fc.constantFrom('ltr' as const, 'rtl' as const, 'auto' as const);
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      direction,
      fc.integer({ min: 1, max: 40 }),
      (input, base, width) => {
        const text = cleanPdfText(input);
        const { runs } = splitPdfText(text, base, chooseFont);
        const lines = breakPdfLines(text, runs, { width, maxLines: 3, ellipsis, measure });
        const drawn = lines.map(toText).join('');
        const squeeze = (part: string) => part.replace(/\s/g, '');
        return (
          toText(runs) === text &&
          lines.length <= 3 &&
          lines.every((line) => orderPdfRuns(line).length === line.length) &&
          (squeeze(drawn) === squeeze(text) || drawn.endsWith('…'))
        );
      },
    ),
  );
});
