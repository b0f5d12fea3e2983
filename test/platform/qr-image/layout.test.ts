import { completeQrCodeDesign } from '../../../src/platform/qr-image/design.rules.ts';
import { getMinQrImageSize } from '../../../src/platform/qr-image/image-size.rules.ts';
import {
  createQrSymbolLayout,
  generateBars,
  getLogoPixelArea,
  isWithinSquareArea,
} from '../../../src/platform/qr-image/layout.ts';
import { createQrSymbolMatrix } from '../../../src/platform/qr-image/matrix.ts';
import { t } from '../../tap.ts';

const LOGO = 'data:image/png;base64,AAAA';

t.test('modules are whole pixels, and the quiet zone is never narrower than requested', async (t) => {
  for (const margin of [4, 7, 16])
    for (const size of [180, 512, 777, 2048]) {
      const matrix = createQrSymbolMatrix('https://example.com', 'M', false);
      const { module, offset } = createQrSymbolLayout(matrix, completeQrCodeDesign({ margin, size }));
      t.ok(Number.isInteger(module) && module >= 3);
      t.ok(offset >= margin * module, 'left and above');
      t.ok(size - offset - matrix.size * module >= margin * module, 'right and below');
    }
});

t.test('a module has at least three pixels', async (t) => {
  const matrix = createQrSymbolMatrix('a'.repeat(200), 'M', false);
  const minSize = getMinQrImageSize(matrix.size, 4);
  t.equal(createQrSymbolLayout(matrix, completeQrCodeDesign({ size: minSize })).module, 3);
  t.throws(() => createQrSymbolLayout(matrix, completeQrCodeDesign({ size: minSize - 1 })), {
    code: 'IMAGE_NOT_SCANNABLE',
  });
});

t.test('the field of a logo is in the middle and covers no pattern', async (t) => {
  for (let bytes = 1; bytes < 900; bytes += 25) {
    const matrix = createQrSymbolMatrix('a'.repeat(bytes), 'H', true);
    const layout = createQrSymbolLayout(
      matrix,
      completeQrCodeDesign({ logo: LOGO, logoSize: 30, size: 2048 }),
    );
    const { start = 0, side = 0 } = layout.logoField ?? {};
    t.equal(2 * start + side, matrix.size);
    t.ok(side >= 3 && side <= Math.max(3, matrix.size * 0.3));
    const covered = matrix.patterns.filter(
      (pattern, at) =>
        pattern === 1 && isWithinSquareArea({ start, side }, Math.floor(at / matrix.size), at % matrix.size),
    );
    t.equal(covered.length, 0, `${bytes} bytes`);
    t.ok((getLogoPixelArea(layout)?.side ?? 0) > 0);
  }
});

t.test('bars cover exactly the dark modules outside the field', async (t) => {
  const matrix = createQrSymbolMatrix('https://example.com', 'H', true);
  const layout = createQrSymbolLayout(matrix, completeQrCodeDesign({ logo: LOGO }));
  const drawn = new Set<number>();
  for (const { row, column, length } of generateBars(matrix, layout))
    for (let at = column; at < column + length; at += 1) drawn.add(row * matrix.size + at);
  const field = layout.logoField ?? { start: 0, side: 0 };
  matrix.modules.forEach((dark, at) => {
    const hidden = isWithinSquareArea(field, Math.floor(at / matrix.size), at % matrix.size);
    if (drawn.has(at) !== (dark === 1 && !hidden)) t.fail(`module ${at}`);
  });
  t.not(drawn.size, 0);
});
