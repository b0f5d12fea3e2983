import createBidi from 'bidi-js';
import LineBreaker from 'linebreak';

/** Shaped alone: one font, one script, one direction. An odd `level` is right to left (UAX #9). */
export interface PdfTextRun<Font> {
  start: number;
  end: number;
  text: string;
  font: Font;
  script: PdfScript | null;
  level: number;
}

export type PdfScript = 'arabic' | 'cjk' | 'devanagari' | 'hangul' | 'hebrew' | 'other';

const SCRIPT_PATTERNS: readonly (readonly [PdfScript, RegExp])[] = [
  ['other', /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]$/u],
  // With the punctuation that only they use.
  ['arabic', /^\p{Script_Extensions=Arabic}$/u],
  ['cjk', /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]$/u],
  ['devanagari', /^\p{Script=Devanagari}$/u],
  ['hangul', /^\p{Script=Hangul}$/u],
  ['hebrew', /^\p{Script=Hebrew}$/u],
];

const SHARED_SCRIPT_PATTERN = /^[\p{Script=Common}\p{Script=Inherited}]$/u;

/** Anything that the Unicode Bidirectional Algorithm could move; the rest is in order. */
const RIGHT_TO_LEFT_PATTERN =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

// The types declare the module as transpiled; it exports the function itself.
const bidi = (createBidi as unknown as typeof createBidi.default)();
const characterSegmenter = new Intl.Segmenter();

/** Compose a text, and replace what is no character or breaks a line. */
export function cleanPdfText(text: string): string {
  return (
    text
      .toWellFormed()
      .normalize('NFC')
      .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
      // Overrides show a text in another order than it is read.
      .replace(/[\u202d\u202e]/g, '')
  );
}

/** Return null for what all scripts share, such as digits, punctuation and combining marks. */
export function getPdfScript(character: string): PdfScript | null {
  const [name] = SCRIPT_PATTERNS.find(([, pattern]) => pattern.test(character)) ?? [];
  return name ?? (SHARED_SCRIPT_PATTERN.test(character) ? null : 'other');
}

/** Split a text into runs in logical order. `auto` takes the direction of its first letter. */
export function splitPdfText<Font>(
  text: string,
  direction: 'ltr' | 'rtl' | 'auto',
  chooseFont: (character: string, script: PdfScript | null, previous: Font | null) => Font,
): { runs: PdfTextRun<Font>[]; level: number } {
  const isPlain = direction !== 'rtl' && !RIGHT_TO_LEFT_PATTERN.test(text);
  const levels = isPlain ? null : bidi.getEmbeddingLevels(text, direction);
  const runs: PdfTextRun<Font>[] = [];
  let start = 0;
  for (const character of text) {
    const end = start + character.length;
    const script = getPdfScript(character);
    const last = runs.at(-1);
    const font = chooseFont(character, script, last?.font ?? null);
    const level = levels?.levels[start] ?? 0;
    if (
      last?.font === font &&
      last.level === level &&
      (script === null || last.script === null || last.script === script)
    ) {
      last.text += character;
      last.end = end;
      last.script ??= script;
    } else runs.push({ start, end, text: character, font, script, level });
    start = end;
  }
  return { runs, level: levels?.paragraphs[0]?.level ?? 0 };
}

/** Break at the opportunities of UAX #14; what exceeds the last line is truncated, with `ellipsis` after it. */
export function breakPdfLines<Font>(
  text: string,
  runs: readonly PdfTextRun<Font>[],
  {
    width,
    maxLines,
    ellipsis,
    measure,
  }: {
    width: number;
    maxLines: number;
    ellipsis: PdfTextRun<Font>;
    measure: (runs: readonly PdfTextRun<Font>[]) => number;
  },
): PdfTextRun<Font>[][] {
  const slice = (from: number, to: number) =>
    slicePdfRuns(runs, from, from + text.slice(from, to).trimEnd().length);
  const lines: PdfTextRun<Font>[][] = [];
  let start = 0;
  while (measure(slice(start, text.length)) > width) {
    const isLast = lines.length === maxLines - 1;
    const suffix = isLast ? [ellipsis] : [];
    const isWithinWidth = (end: number) => measure([...slice(start, end), ...suffix]) <= width;
    const end =
      (isLast ? undefined : findLastWithin(findLineBreaks(text, start), isWithinWidth)) ??
      findLastWithin(findCharacterEnds(text, start), isWithinWidth) ??
      // Not even one character fits.
      findCharacterEnds(text, start)[0] ??
      text.length;
    lines.push([...slice(start, end), ...suffix]);
    if (isLast) return lines;
    start = end;
  }
  return [...lines, slice(start, text.length)];
}

/** Code units at which a line may end. */
function findLineBreaks(text: string, start: number): number[] {
  const breaker = new LineBreaker(text);
  const positions: number[] = [];
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak())
    if (next.position > start) positions.push(next.position);
  return positions;
}

/** Code units after each character that a reader sees. */
function findCharacterEnds(text: string, start: number): number[] {
  return Array.from(
    characterSegmenter.segment(text.slice(start)),
    ({ index, segment }) => start + index + segment.length,
  );
}

/** Search by halves, since each try shapes the text. */
function findLastWithin(ends: readonly number[], isWithin: (end: number) => boolean): number | undefined {
  let [last, tooLong] = [-1, ends.length];
  while (tooLong - last > 1) {
    const middle = Math.floor((last + tooLong) / 2);
    if (isWithin(ends[middle] ?? 0)) last = middle;
    else tooLong = middle;
  }
  return ends[last];
}

/** Cut runs to a part of their text. */
function slicePdfRuns<Font>(runs: readonly PdfTextRun<Font>[], from: number, to: number): PdfTextRun<Font>[] {
  return runs.flatMap((run) => {
    const [start, end] = [Math.max(run.start, from), Math.min(run.end, to)];
    return start < end
      ? [{ ...run, start, end, text: run.text.slice(start - run.start, end - run.start) }]
      : [];
  });
}

/** Replace brackets and the like by their counterparts, as text that is written from right to left shows them. */
export function mirrorPdfText(text: string): string {
  return Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join('');
}

/** Order the runs of one line from left to right: rule L2 of UAX #9. */
export function orderPdfRuns<Font>(runs: readonly PdfTextRun<Font>[]): PdfTextRun<Font>[] {
  const ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    let start = 0;
    while (start < ordered.length) {
      let end = start;
      while ((ordered[end]?.level ?? 0) >= level) end += 1;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end + 1;
    }
  }
  return ordered;
}
