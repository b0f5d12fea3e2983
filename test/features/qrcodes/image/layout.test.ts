import { completeDesign } from '../../../../src/features/qrcodes/image/design.rules.ts';
import { leastSize } from '../../../../src/features/qrcodes/image/image-size.rules.ts';
import { bars, isWithin, layoutOf, logoBox } from '../../../../src/features/qrcodes/image/layout.ts';
import { matrixOf } from '../../../../src/features/qrcodes/image/matrix.ts';
import { t } from '../../../tap.ts';

const LOGO = 'data:image/png;base64,AAAA';

t.test('modules are whole pixels and the quiet zone is never narrower than asked for', async (t) => {
  for (const margin of [4, 7, 16])
    for (const size of [180, 512, 777, 2048]) {
      const matrix = matrixOf('https://example.com', 'M', false);
      const { module, offset } = layoutOf(matrix, completeDesign({ margin, size }));
      t.ok(Number.isInteger(module) && module >= 3);
      t.ok(offset >= margin * module, 'left and above');
      t.ok(size - offset - matrix.size * module >= margin * module, 'right and below');
    }
});

t.test('three pixels a module is the least', async (t) => {
  const matrix = matrixOf('a'.repeat(200), 'M', false);
  const least = leastSize(matrix.size, 4);
  t.equal(layoutOf(matrix, completeDesign({ size: least })).module, 3);
  t.throws(() => layoutOf(matrix, completeDesign({ size: least - 1 })), { code: 'IMAGE_NOT_SCANNABLE' });
});

t.test('the field of a logo is in the middle and covers no pattern', async (t) => {
  for (let bytes = 1; bytes < 900; bytes += 25) {
    const matrix = matrixOf('a'.repeat(bytes), 'H', true);
    const layout = layoutOf(matrix, completeDesign({ logo: LOGO, logoSize: 30, size: 2048 }));
    const { start = 0, side = 0 } = layout.logoField ?? {};
    t.equal(2 * start + side, matrix.size);
    t.ok(side >= 3 && side <= Math.max(3, matrix.size * 0.3));
    const covered = matrix.patterns.filter(
      (pattern, at) =>
        pattern === 1 && isWithin({ start, side }, Math.floor(at / matrix.size), at % matrix.size),
    );
    t.equal(covered.length, 0, `${bytes} bytes`);
    t.ok((logoBox(layout)?.side ?? 0) > 0);
  }
});

t.test('bars cover exactly the dark modules outside the field', async (t) => {
  const matrix = matrixOf('https://example.com', 'H', true);
  const layout = layoutOf(matrix, completeDesign({ logo: LOGO }));
  const drawn = new Set<number>();
  for (const { row, column, length } of bars(matrix, layout))
    for (let at = column; at < column + length; at += 1) drawn.add(row * matrix.size + at);
  const field = layout.logoField ?? { start: 0, side: 0 };
  matrix.modules.forEach((dark, at) => {
    const hidden = isWithin(field, Math.floor(at / matrix.size), at % matrix.size);
    if (drawn.has(at) !== (dark === 1 && !hidden)) t.fail(`module ${at}`);
  });
  t.not(drawn.size, 0);
});
