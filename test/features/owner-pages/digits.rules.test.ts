import { parseDigits } from '../../../src/features/owner-pages/digits.rules.ts';
import { t } from '../../tap.ts';

t.test('a code is read in the digits of each keyboard', async (t) => {
  for (const text of [
    '123 456',
    '123-456',
    '\u200f١٢٣٤٥٦',
    '۱۲۳۴۵۶',
    '१२३ ४५६',
    '１２３４５６',
    ' 1２३456\n',
  ])
    t.equal(parseDigits(text), '123456', text);
  t.equal(parseDigits('no digits: ½ ² Ⅳ'), '');
});
