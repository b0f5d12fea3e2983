import { assertScannableColors } from '../../../src/platform/qr-image/color.rules.ts';
import { drawScannableQrImage } from '../../../src/platform/qr-image/draw-scannable.ts';
import { computeContrastRatio } from '../../../src/shared/color-contrast.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';

const color = fc
  .oneof(
    fc.integer({ min: 0, max: 0xffffff }),
    fc
      .tuple(...[0, 1, 2].map(() => fc.constantFrom(0, 255)))
      .map(([red = 0, green = 0, blue = 0]) => (red << 16) | (green << 8) | blue),
  )
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

t.test('computes contrast as defined by WCAG', async (t) => {
  t.equal(computeContrastRatio('#000000', '#ffffff'), 21);
  t.equal(computeContrastRatio('#ffffff', '#000000'), 21);
  t.equal(computeContrastRatio('#777777', '#ffffff').toFixed(2), '4.48');
  t.equal(computeContrastRatio('#ff0000', '#FFFFFF').toFixed(2), '4.00');
});

t.test('rejects low contrast and inverted colors with the reason and the fields', async (t) => {
  for (const [foreground, background, code] of [
    ['#ffff00', '#ffffff', 'LOW_CONTRAST'],
    ['#123456', '#123456', 'LOW_CONTRAST'],
    ['#4a450d', '#ff00ff', 'LOW_CONTRAST'],
    ['#ffffff', '#000000', 'INVERTED'],
  ] as const)
    t.throws(() => assertScannableColors({ foreground, background }), {
      code: 'IMAGE_NOT_SCANNABLE',
      errors: [
        { field: 'design.foreground', code },
        { field: 'design.background', code },
      ],
    });
});

t.test('all accepted colors scan, even at the smallest size', async (t) => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(color, color, fc.constantFrom(128, 300, 512), async (one, other, size) => {
      const [foreground, background] =
        computeContrastRatio(one, '#000000') < computeContrastRatio(other, '#000000')
          ? [one, other]
          : [other, one];
      try {
        assertScannableColors({ foreground, background });
      } catch {
        fc.pre(false);
      }
      accepted += 1;
      await drawScannableQrImage('https://example.com/s/65a1b2c3d4e5', { foreground, background, size });
    }),
    { numRuns: 150 },
  );
  t.ok(accepted >= 150);
});
