import { NON_BLANK_LINE_PATTERN, SINGLE_LINE_PATTERN } from '../../src/shared/common.schemas.ts';
import { t } from '../tap.ts';

const code = (...points: number[]) => String.fromCodePoint(...points);
const hex = (text: string) => [...text].map((point) => point.codePointAt(0)?.toString(16)).join(' ');

// JSON Schema requires the flag u; generated clients often omit it.
for (const flags of ['u', '']) {
  const line = new RegExp(SINGLE_LINE_PATTERN, flags);
  const filled = new RegExp(NON_BLANK_LINE_PATTERN, flags);

  t.test(
    `rejects invisible and direction-changing characters in single-line text (flags "${flags}")`,
    async (t) => {
      const within = [
        ...[0x00, 0x08, 0x09, 0x0a, 0x0d, 0x1f, 0x7f, 0x85, 0x9f, 0x2028, 0x2029],
        ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
        ...[0xfdd0, 0xfdef, 0xfffe, 0xffff],
        ...Array.from({ length: 16 }, (_, plane) => 0x1fffe + plane * 0x10000).flatMap((at) => [at, at + 1]),
      ];
      for (const point of within) {
        for (const text of [code(point), `Rex ${code(point)}xeR`, `Rex${code(point)}`]) {
          t.notOk(line.test(text), hex(text));
          t.notOk(filled.test(text), hex(text));
        }
      }
      for (const point of [0x200b, 0x200c, 0x200d, 0x2060, 0xfeff]) {
        for (const text of [
          code(point),
          `${code(point)}Rex`,
          `  ${code(point)}Rex`,
          `\u200f${code(point)}Rex`,
        ]) {
          t.notOk(line.test(text), hex(text));
          t.notOk(filled.test(text), hex(text));
        }
      }
    },
  );

  t.test(`accepts joiners, direction marks and all written languages (flags "${flags}")`, async (t) => {
    for (const text of [
      'Rex',
      'Größe · 犬 ポチ 東京',
      'می\u200cخواهم',
      'क्\u200dष',
      'ක්\u200dරි',
      '🐕‍🦺 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👩🏾‍🚒 ❤️',
      '\u200fשלום (Rex)\u200e',
      '\u061cمرحبا',
      'e\u0301 \u{1d518} \u{1fffd} \u{2a6d6} \u{10fffd}',
      'ends in a joiner\u200d',
      `x${'🏾'.repeat(50)}`,
      'p{NChar} uffff',
    ]) {
      t.ok(line.test(text), hex(text));
      t.ok(filled.test(text), hex(text));
    }
    t.ok(line.test(''));
    t.ok(line.test('  '));
    for (const blank of [
      '',
      ' ',
      '\u00a0\u3000',
      '\u00ad',
      '\u3164',
      '\u2800',
      '\u200f',
      '\ufe0f',
      '\u115f \u034f',
    ])
      t.notOk(filled.test(blank), hex(blank));
  });
}
