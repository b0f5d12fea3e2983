import { openRasterPdf, type RasterImage } from '../../../src/platform/pdf/pdf-rasterizer.ts';
import { toPoints } from '../../../src/platform/pdf/pdf-units.ts';
import { PDFDocument } from '../../../src/platform/pdf-library.ts';
import { t } from '../../tap.ts';

const RED = [255, 0, 0, 255];
const WHITE = [255, 255, 255, 255];

const getPixel = ({ width, data }: RasterImage, x: number, y: number) => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
];

/** Two pages of 50.8 × 25.4 mm; the second has a red square of 10 mm, 20 mm from the left and 10 mm from above. */
async function drawPdf(): Promise<Buffer> {
  const document = new PDFDocument({ size: [144, 72], margin: 0 });
  document.addPage({ size: [144, 72], margin: 0 });
  document.rect(toPoints(20), toPoints(10), toPoints(10), toPoints(10)).fill('#ff0000');
  document.end();
  const chunks: Buffer[] = [];
  for await (const chunk of document) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

t.test('a page and a part of it are drawn in the resolution, with their colors', async (t) => {
  const pdf = await openRasterPdf(await drawPdf());
  t.equal(pdf.pages, 2);
  const first = pdf.draw(0, 254);
  t.match(first, { width: 508, height: 254 });
  t.same(getPixel(first, 250, 150), WHITE, 'the first page is empty');
  const second = pdf.draw(1, 254);
  t.same(getPixel(second, 201, 101), RED);
  t.same(getPixel(second, 198, 101), WHITE);
  const part = pdf.draw(1, 254, { x: 19, y: 9, width: 5, height: 4 });
  t.match(part, { width: 50, height: 40 });
  t.same(getPixel(part, 8, 8), WHITE);
  t.same(getPixel(part, 12, 12), RED);
  t.match(pdf.draw(1, 254, { x: -5, y: 20, width: 100, height: 50 }), { width: 508, height: 54 });
  t.throws(() => pdf.draw(2, 254), RangeError);
  pdf.close();
});

t.test('what is no PDF is refused', async (t) => {
  await t.rejects(openRasterPdf(Buffer.from('no PDF')), { message: 'This is not a PDF.' });
});
