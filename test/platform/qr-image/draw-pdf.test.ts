import { findUnreadableSymbol, openPdfToDecode } from '../../../src/platform/qr-image/decode-pdf.ts';
import { completeQrCodeDesign } from '../../../src/platform/qr-image/design.rules.ts';
import { drawQrCodeInFormat } from '../../../src/platform/qr-image/draw-in-format.ts';
import { drawQrCodePdf } from '../../../src/platform/qr-image/draw-pdf.ts';
import { createQrSymbolMatrix } from '../../../src/platform/qr-image/matrix.ts';
import { t } from '../../tap.ts';
import { createLogo } from './logo-helper.ts';

t.test('the PDF is one page in the size of the image, at 96 px per inch', async (t) => {
  const pdf = await drawQrCodePdf(
    createQrSymbolMatrix('https://example.com', 'M', false),
    completeQrCodeDesign({ size: 400 }),
  );
  const source = pdf.toString('latin1');
  t.match(source, /^%PDF-1\.\d/);
  t.match(source, '/MediaBox [0 0 300 300]');
  t.match(source, '/Count 1');
  t.notMatch(source, '/Subtype /Image', 'vectors only');
});

t.test('a side in millimeters replaces the size', async (t) => {
  const pdf = await drawQrCodePdf(
    createQrSymbolMatrix('https://example.com', 'M', false),
    completeQrCodeDesign({ size: 400 }),
    { sideMillimeters: 25.4 },
  );
  t.match(pdf.toString('latin1'), '/MediaBox [0 0 72 72]');
});

t.test('a logo is embedded', async (t) => {
  const design = completeQrCodeDesign({ logo: await createLogo('#aa2200') });
  const pdf = await drawQrCodePdf(createQrSymbolMatrix('https://example.com', 'H', true), design);
  t.match(pdf.toString('latin1'), '/Subtype /Image');
});

t.test('a PDF from which the code cannot be decoded at 300 dpi is refused', async (t) => {
  const content = 'Sixteen letters. '.repeat(60);
  const design = completeQrCodeDesign({ errorCorrection: 'L', size: 1_024 });
  const draw = (sideMillimeters: number | undefined, caption?: string) =>
    drawQrCodeInFormat('pdf', content, design, { sideMillimeters, caption });
  await t.rejects(draw(8), {
    code: 'IMAGE_NOT_SCANNABLE',
    detail: /8 mm wide, at 300 dpi\. Choose a larger size/,
    errors: [{ field: 'design.size', code: 'TOO_SMALL' }],
  });
  for (const side of [60, undefined])
    t.match(Buffer.from(await draw(side, '7K3M-9QXR-2F4J')).toString('latin1'), /^%PDF/);
});

t.test('a large symbol is decoded with a bounded number of pixels', async (t) => {
  const content = 'https://example.com';
  const design = completeQrCodeDesign({ size: 2_048 });
  for (const side of [50, 2_000]) {
    const bytes = await drawQrCodePdf(createQrSymbolMatrix(content, 'M', false), design, {
      sideMillimeters: side,
    });
    const pdf = await openPdfToDecode(bytes);
    const sides: number[] = [];
    const draw: typeof pdf.draw = (...drawing) => {
      const image = pdf.draw(...drawing);
      sides.push(image.width, image.height);
      return image;
    };
    const symbol = { content, page: 0, area: { x: 0, y: 0, width: side, height: side } };
    t.equal(await findUnreadableSymbol({ ...pdf, draw }, [symbol]), null);
    pdf.close();
    t.ok(Math.max(...sides) <= 2_000, `${side} mm: ${sides}`);
    t.ok(Math.min(...sides) >= 590, `${side} mm: ${sides}`);
  }
});
