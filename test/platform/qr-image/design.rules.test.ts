import { findQrCodeDesignErrors } from '../../../src/features/codes/qrcode-input.rules.ts';
import { completeQrCodeDesign, DEFAULT_QR_CODE_DESIGN } from '../../../src/platform/qr-image/design.rules.ts';
import { t } from '../../tap.ts';

t.test('a design is checked field by field', async (t) => {
  const codes = (design: unknown) =>
    findQrCodeDesignErrors(design).map(({ field, code }) => `${field} ${code}`);
  t.same(codes({}), []);
  t.same(codes(DEFAULT_QR_CODE_DESIGN), []);
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

t.test('omitted options have a default', async (t) => {
  t.same(completeQrCodeDesign({ margin: 8 }), { ...DEFAULT_QR_CODE_DESIGN, margin: 8 });
});
