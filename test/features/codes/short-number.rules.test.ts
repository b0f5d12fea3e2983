import {
  formatShortNumber,
  generateShortNumber,
  parseShortNumber,
} from '../../../src/features/codes/short-number.rules.ts';
import { t } from '../../tap.ts';

t.test(
  'a number has eleven random symbols, and is drawn again where its check symbol is no letter or digit',
  (t) => {
    const drawn: number[] = [];
    // 32 modulo 37 is no symbol of the 32; 31 is the last.
    const draws = [
      Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]),
      Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 31]),
    ];
    const number = generateShortNumber((size) => {
      drawn.push(size);
      return draws.shift() ?? new Uint8Array(size);
    });
    t.same(drawn, [11, 11]);
    t.equal(number, '0000000000ZZ');
    for (let count = 0; count < 200; count += 1) {
      const one = generateShortNumber();
      t.match(one, /^[0-9A-HJKMNP-TV-Z]{12}$/);
      t.equal(parseShortNumber(formatShortNumber(one)), one);
    }
    t.end();
  },
);

t.test('a number is read in each spelling of people', (t) => {
  const number = '0A1B0C1D0E12';
  t.equal(formatShortNumber(number), '0A1B-0C1D-0E12');
  for (const spelling of [
    number.toLowerCase(),
    ` ${formatShortNumber(number)} `,
    formatShortNumber(number).replaceAll('-', ' '),
    formatShortNumber(number).replaceAll('-', '\u2013'),
    number.replaceAll('0', 'O').replaceAll('1', 'I'),
    number.replaceAll('0', 'o').replaceAll('1', 'l'),
    number.replaceAll('0', '\u0660').replaceAll('1', '\u0661'),
  ])
    t.equal(parseShortNumber(spelling), number, spelling);
  t.end();
});

t.test('a changed symbol, two exchanged ones, and other text are no number', (t) => {
  const number = generateShortNumber();
  for (const symbol of '0123456789ABCDEFGHJKMNPQRSTVWXYZ')
    for (let at = 0; at < number.length; at += 1) {
      const changed = number.slice(0, at) + symbol + number.slice(at + 1);
      if (changed !== number) t.equal(parseShortNumber(changed), null, changed);
    }
  for (let at = 1; at < number.length - 1; at += 1) {
    const [before, one, other, after] = [
      number.slice(0, at - 1),
      number[at - 1],
      number[at],
      number.slice(at + 1),
    ];
    if (one !== other) t.equal(parseShortNumber(`${before}${other}${one}${after}`), null);
  }
  for (const text of [
    '',
    '-',
    number.slice(1),
    `${number}0`,
    `U${number.slice(1)}`,
    'x'.repeat(10_000),
    `${number}'`,
  ])
    t.equal(parseShortNumber(text), null, text.slice(0, 20));
  t.end();
});
