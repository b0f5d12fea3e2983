import t from 'tap';
import {
  assertColors,
  completeDesign,
  contrast,
  DEFAULT_DESIGN,
  designErrors,
} from '../../../../src/features/qrcodes/image/design.rules.ts';
import { drawChecked } from '../../../../src/features/qrcodes/image/draw-checked.ts';
import { fc } from '../../../property.ts';

const color = fc
  .oneof(
    fc.integer({ min: 0, max: 0xffffff }),
    fc
      .tuple(...[0, 1, 2].map(() => fc.constantFrom(0, 255)))
      .map(([red = 0, green = 0, blue = 0]) => (red << 16) | (green << 8) | blue),
  )
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

t.test('contrast is that of WCAG', async (t) => {
  t.equal(contrast('#000000', '#ffffff'), 21);
  t.equal(contrast('#ffffff', '#000000'), 21);
  t.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  t.equal(contrast('#ff0000', '#FFFFFF').toFixed(2), '4.00');
});

t.test('too little contrast and inverted colours are refused with the reason and the fields', async (t) => {
  for (const [foreground, background, code] of [
    ['#ffff00', '#ffffff', 'LOW_CONTRAST'],
    ['#123456', '#123456', 'LOW_CONTRAST'],
    ['#4a450d', '#ff00ff', 'LOW_CONTRAST'],
    ['#ffffff', '#000000', 'INVERTED'],
  ] as const)
    t.throws(() => assertColors({ foreground, background }), {
      code: 'IMAGE_NOT_SCANNABLE',
      errors: [
        { field: 'design.foreground', code },
        { field: 'design.background', code },
      ],
    });
});

t.test('whatever colours the rule accepts do scan, at the smallest size too', async (t) => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(color, color, fc.constantFrom(128, 300, 512), async (one, other, size) => {
      const [foreground, background] =
        contrast(one, '#000000') < contrast(other, '#000000') ? [one, other] : [other, one];
      try {
        assertColors({ foreground, background });
      } catch {
        fc.pre(false);
      }
      accepted += 1;
      await drawChecked('https://example.com/s/65a1b2c3d4e5', { foreground, background, size });
    }),
    { numRuns: 150 },
  );
  t.ok(accepted >= 150);
});

t.test('a design is checked field by field', async (t) => {
  const codes = (design: unknown) => designErrors(design).map(({ field, code }) => `${field} ${code}`);
  t.same(codes({}), []);
  t.same(codes(DEFAULT_DESIGN), []);
  t.same(
    codes({ foreground: 'red', background: '#fff', margin: 3, size: 2049, errorCorrection: 'X', color: 1 }),
    [
      'design.color UNKNOWN_FIELD',
      'design.foreground BAD_FORMAT',
      'design.background BAD_FORMAT',
      'design.errorCorrection NOT_ALLOWED',
      'design.margin TOO_SMALL',
      'design.size TOO_LARGE',
    ],
  );
  t.same(codes({ size: '512', logo: 'https://example.com/logo.png', logoSize: 31 }), [
    'design.size WRONG_TYPE',
    'design.logo BAD_FORMAT',
    'design.logoSize TOO_LARGE',
  ]);
  t.same(codes({ logo: `data:image/png;base64,${'A'.repeat(65_536)}` }), ['design.logo TOO_LONG']);
  t.same(codes({ logo: 'data:image/svg+xml;base64,AAAA' }), ['design.logo BAD_FORMAT']);
});

t.test('what a client leaves out has a default', async (t) => {
  t.same(completeDesign({ margin: 8 }), { ...DEFAULT_DESIGN, margin: 8 });
});
