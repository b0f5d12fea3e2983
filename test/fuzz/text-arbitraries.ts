import fc from 'fast-check';
import { TEXT_FORMATS_BY_PATTERN } from '../../src/shared/common.schemas.ts';
import type { Schema } from './document.ts';

/** Realistic texts for patterns that a generator cannot guess. */
const SAMPLE_TEXTS = [
  ...['Rex', 'Ada', 'Max Müller', 'Ὀδυσσεύς', '犬の名前', 'O’Brien', 'a', 'Café', '🐕 Rex', 'שלום', 'Ωmega'],
  ...['+49 170 1234567', '112', '0170/123 45-67', '+1 (555) 0100', 'de', 'en-GB', 'sr-Latn-RS', 'UTC'],
  ...['Europe/Berlin', 'https://example.org/', 'http://example.org:8080/a?b=c#d', 'ada@example.org'],
  ...[
    '#000000',
    '#0a3d62',
    'A+',
    '0-',
    'AB+',
    'B-XY 123',
    '1234',
    '123456',
    'DYNAMIC',
    'static',
    '2027-06-12',
  ],
  ...[
    '2027-06-12T18:00:00+02:00',
    '2031-01-01T00:00:00Z',
    '12345678',
    'Line one\nline two',
    'start',
    'W/"1"',
  ],
  ...[
    '10:30',
    '00',
    'EUR',
    'DE',
    'deadbeefdeadbeefdeadbeefdeadbeef',
    'Zm9vYmFyZm9vYmFyZm9vYmFy',
    'x'.repeat(43),
  ],
];

const TEXT_PATTERNS = new Map<unknown, string>(
  [...TEXT_FORMATS_BY_PATTERN].map(([pattern, format]) => [format, pattern]),
);

const textsByRule = new Map<string, fc.Arbitrary<string>>();

export function getTextArbitrary(schema: Schema): fc.Arbitrary<string> {
  const rule = JSON.stringify([schema.minLength, schema.maxLength, schema.pattern, schema.format]);
  const known = textsByRule.get(rule) ?? createTextArbitrary(schema);
  textsByRule.set(rule, known);
  return known;
}

function createTextArbitrary(schema: Schema): fc.Arbitrary<string> {
  const min = toNumberOrDefault(schema.minLength, 0);
  const max = Math.min(toNumberOrDefault(schema.maxLength, 200), min + 300);
  const source = schema.pattern ?? TEXT_PATTERNS.get(schema.format);
  const pattern = typeof source === 'string' ? new RegExp(source, 'u') : undefined;
  const isMatch = (text: string) =>
    [...text].length >= min &&
    [...text].length <= max &&
    (pattern?.test(text) ?? true) &&
    !text.includes('\ufffd');
  const samples = SAMPLE_TEXTS.filter(isMatch);
  const unit = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...'abcdefgh ABC 0123456789-.ßéñ') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...['漢', 'Ж', 'ا', '👨‍👩‍👧', 'e\u0301', '\u200d', '’', '"', '<', '&', '\\', '%'],
      ),
    },
  );
  const generated = fc.string({ unit, minLength: min, maxLength: Math.max(min, Math.min(max, 60)) });
  const kinds: fc.Arbitrary<string>[] = [];
  if (samples.length > 0) kinds.push(fc.constantFrom(...samples));
  if (isFilterPractical(generated, isMatch)) kinds.push(generated.filter(isMatch));
  else if (pattern !== undefined && !pattern.source.includes('(?')) {
    const matching = fc.stringMatching(pattern, { size: 'small' });
    if (isFilterPractical(matching, isMatch)) kinds.push(matching.filter(isMatch));
  }
  if (kinds.length === 0) kinds.push(fc.constant('x'.repeat(Math.max(min, 1))));
  return fc.oneof(...kinds);
}

function isFilterPractical(texts: fc.Arbitrary<string>, isMatch: (text: string) => boolean): boolean {
  return fc.sample(texts, { numRuns: 40, seed: 1 }).filter(isMatch).length >= 8;
}

export function toNumberOrDefault(value: unknown, defaultValue: number): number {
  return typeof value === 'number' ? value : defaultValue;
}
